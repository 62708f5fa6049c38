"""Limits on reading and storing a kernel's messages: Jupyter's session, nbclient's client."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from jupyter_client.client import KernelClient
from jupyter_client.session import Session
from nbclient import NotebookClient
from nbclient.output_widget import OutputWidget
from nbformat import NotebookNode, ValidationError, v4

from mle_modernizer_server.execution.outputs import (
    ENAME_LIMIT,
    EVALUE_LIMIT,
    LARGEST_PART,
    OutputBudget,
    RunBudget,
    bounded_traceback,
    clean,
    cut,
    unpacked,
)

_logger = logging.getLogger(__name__)
_LARGEST_COUNT = 2**31 - 1
_LONGEST_ID = 200
"""Characters of a display's id."""
_MOST_IDS = 10_000
"""Displays of a run that can be updated."""
_LARGEST_COMMS = 10_000_000
"""Bytes of a run's messages about widgets that capture outputs."""
_DISPLAYS = frozenset({"display_data", "execute_result", "update_display_data"})
_STREAMS = frozenset({"stdout", "stderr"})
_new_output: Callable[..., NotebookNode] = v4.new_output
_PARTS = 5
"""The signature, the header, the parent's header, the metadata and the content; then buffers."""
_UNREADABLE = {
    "status": "error",
    "ename": "UnreadableReply",
    "evalue": "The kernel sent a message that is too large to be read.",
    "traceback": [],
}
"""Replacement for a message that is too large; a reply must state the cell's status."""


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


class _Capture(OutputWidget):
    """An `Output` widget: its captured outputs are not the cell's and are not stored."""

    def __init__(
        self, comm_id: str, _state: dict[str, Any], client: KernelClient, executor: Any
    ) -> None:
        super().__init__(comm_id, {"outputs": []}, client, executor)

    def output(
        self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int
    ) -> None:
        """Drop a captured output."""

    def clear_output(self, outs: list[NotebookNode], msg: dict[str, Any], cell_index: int) -> None:
        """Do nothing: no output is stored."""


class BoundedClient(NotebookClient):
    """Drains everything a kernel sends and keeps a bounded part of it.

    Text of the same stream is put together as it comes. `finish_outputs` is called when a cell
    has ended.
    """

    def __init__(self, nb: NotebookNode, budget: RunBudget, **options: Any) -> None:
        """Make a client.

        Args:
            nb: The copy that is executed.
            budget: Of the run, which may be resumed with another client.
            options: Of nbclient.
        """
        super().__init__(
            nb, allow_errors=True, record_timing=False, store_widget_state=False, **options
        )
        self.widget_registry = {"@jupyter-widgets/output": {"OutputModel": _Capture}}
        self._run_budget = budget
        self._budget = OutputBudget(budget)
        self._sizes: dict[str, int] = {}
        """Bytes of the last message of each display, by the display's id."""
        self._comms = 0
        self._complained = False
        self.heard_all = True
        """Whether the end of the cell's outputs has come."""

    def start_outputs(self, cell: NotebookNode) -> None:
        """Begin the account of a cell."""
        self._budget = self._run_budget.begin(cell.id)
        self._complained = False
        self.heard_all = False
        self.clear_before_next_output = False

    def process_message(
        self, msg: dict[str, Any], cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """Take a message that belongs to the cell; one that is not as it should be is left out.

        A notebook can send any message in its kernel's name.
        """
        content = msg["content"]
        count = content.get("execution_count", 0)
        if type(count) is not int or not 0 <= count <= _LARGEST_COUNT:
            content["execution_count"] = None
        if msg["size"] > LARGEST_PART:
            self._budget.leave_out(msg["size"])
            return None
        try:
            if msg["msg_type"] == "status" and content["execution_state"] == "idle":
                self.heard_all = True
            if msg["msg_type"] in _DISPLAYS and not self._updates(msg):
                return None
            return super().process_message(msg, cell, cell_index)
        except (
            *(AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
            ValidationError,
        ) as error:
            if not self._complained:
                kind = str(msg["msg_type"])[:50]
                _logger.warning("A message %r is left out: %s", kind, type(error).__name__)
            self._complained = True
            return None

    def finish_outputs(self, cell: NotebookNode) -> None:
        """Add the end of the output that exceeded the limit, with a sentence about the omission."""
        closing = self._budget.closing()
        if closing:
            cell.outputs.append(_new_output("stream", name="stdout", text=clean(closing)))

    def clear_output(self, outs: list[NotebookNode], msg: dict[str, Any], cell_index: int) -> None:
        """Clear a cell's output; cleared output no longer counts."""
        super().clear_output(outs, msg, cell_index)
        if not outs:
            self._budget.clear()

    def output(
        self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int
    ) -> NotebookNode | None:
        """Keep an output if there is room."""
        if self.output_hook_stack.get(msg["parent_header"].get("msg_id")):
            return super().output(outs, msg, display_id, cell_index)
        if self.clear_before_next_output:
            self.clear_before_next_output = False
            self.clear_display_id_mapping(cell_index)
            outs[:] = []
            self._budget.clear()
        content = msg["content"]
        if msg["msg_type"] == "stream":
            return self._stream(outs, msg, display_id, cell_index)
        size: int = msg["size"]
        if msg["msg_type"] == "error":
            content["ename"] = clean(str(content.get("ename", "")))[:ENAME_LIMIT]
            content["evalue"] = cut(clean(str(content.get("evalue", ""))), EVALUE_LIMIT)
            content["traceback"] = list(bounded_traceback(content.get("traceback", [])))
            size = len(content["ename"]) + len(content["evalue"])
            size += sum(len(line) + 1 for line in content["traceback"])
        if not self._budget.takes(size):
            return None
        return super().output(outs, msg, display_id, cell_index)

    def handle_comm_msg(
        self, outs: list[NotebookNode], msg: dict[str, Any], cell_index: int
    ) -> None:
        """Follow the widgets that capture outputs; no other is looked at."""
        content = msg["content"]
        opens = msg["msg_type"] == "comm_open" and content["target_name"] == "jupyter.widget"
        if not opens and content["comm_id"] not in self.comm_objects:
            return
        if self._comms + msg["size"] > _LARGEST_COMMS:
            return
        before = len(self.comm_objects)
        super().handle_comm_msg(outs, msg, cell_index)
        if not opens or len(self.comm_objects) > before:
            self._comms += msg["size"]

    def _updates(self, msg: dict[str, Any]) -> bool:
        """Make room for a display that replaces earlier ones of the same id.

        Returns:
            False for an update without room. A new display without room for its earlier ones loses
            its id.
        """
        content = msg["content"]
        transient = content.get("transient") or {}
        display_id = transient.get("display_id")
        if display_id and self._makes_room(display_id, msg["size"]):
            return True
        content["transient"] = {}
        if display_id and msg["msg_type"] == "update_display_data":
            self._budget.leave_out(msg["size"])
            return False
        return True

    def _makes_room(self, display_id: object, size: int) -> bool:
        """Return whether all displays of an id may have a size, and count them with it."""
        if not isinstance(display_id, str) or len(display_id) > _LONGEST_ID:
            return False
        if display_id not in self._sizes and len(self._sizes) >= _MOST_IDS:
            return False
        change = size - self._sizes.get(display_id, 0)
        places = self._display_id_map.get(display_id, {})
        changes = {
            self._run_budget.of(self.nb.cells[index].id): change * len(found)
            for index, found in places.items()
        }
        if any(change > 0 and not budget.fits(change) for budget, change in changes.items()):
            return False
        if not all(budget.resize(change) for budget, change in changes.items()):
            return False
        self._sizes[display_id] = size
        return True

    def _stream(
        self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int
    ) -> NotebookNode | None:
        content = msg["content"]
        name, text = content["name"], clean(str(content.get("text", "")))
        room = self._budget.text_room()
        if len(text) > room:
            self._budget.overflow(text[room:])
            text = text[:room]
        if not text or name not in _STREAMS:
            return None
        last = outs[-1] if outs else None
        if last is not None and last.output_type == "stream" and last.name == name:
            self._budget.add_text(len(text))
            last.text += text
            return last
        if not self._budget.takes(0):
            self._budget.overflow(text)
            return None
        self._budget.add_text(len(text))
        content["text"] = text
        return super().output(outs, msg, display_id, cell_index)
