"""Jupyter's session with a bound on what it unpacks of a kernel's messages."""

from __future__ import annotations

from typing import Any

from jupyter_client.session import Session

from mle_modernizer_server.execution.outputs import LARGEST_PART, unpacked

_PARTS = 5
"""The signature, the header, the parent's header, the metadata and the content; then buffers."""
_UNREADABLE = {
    "status": "error",
    "ename": "UnreadableReply",
    "evalue": "The kernel sent a message that is too large to be read.",
    "traceback": [],
}
"""The content of a message whose own is too large; a reply must tell how a cell ended."""


class BoundedSession(Session):
    """Unpacks a message without its buffers and notes its whole size.

    A message has the further entry `size`: bytes of all its parts, also of those left out.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.unpack = unpacked

    def deserialize(
        self, msg_list: list[Any], content: bool = True, copy: bool = True
    ) -> dict[str, Any]:
        """Unpack a message.

        Raises:
            ValueError: The signature is wrong, or parts are missing.
        """
        message = super().deserialize(msg_list[:_PARTS], content, copy)
        message["size"] = sum(len(part) for part in msg_list)
        if len(msg_list[_PARTS - 1]) > LARGEST_PART:
            message["content"] = dict(_UNREADABLE)
        return message
