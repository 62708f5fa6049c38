"""nbclient's notebook client with a bound on what it keeps of a cell's output."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from nbclient import NotebookClient
from nbformat import NotebookNode, ValidationError, v4

from mle_modernizer_server.execution.outputs import (
    EVALUE_LIMIT,
    OutputBudget,
    bounded_traceback,
    clean,
    cut,
)

_logger = logging.getLogger(__name__)
_LARGEST_COUNT = 2**31 - 1
_new_output: Callable[..., NotebookNode] = v4.new_output


class BoundedClient(NotebookClient):
    """Drains everything a kernel sends and keeps a bounded part of it.

    Text of the same stream is put together as it comes. `finish_outputs` is called when a cell
    has ended.
    """

    def __init__(self, nb: NotebookNode, **options: Any) -> None:
        super().__init__(
            nb, allow_errors=True, record_timing=False, store_widget_state=False, **options
        )
        self._budget = OutputBudget()
        self.heard_all = True
        """Whether the end of the cell's outputs has come."""

    def start_outputs(self) -> None:
        """Begin the account of a new cell."""
        self._budget = OutputBudget()
        self.heard_all = False

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
        try:
            if msg["msg_type"] == "status" and content["execution_state"] == "idle":
                self.heard_all = True
            return super().process_message(msg, cell, cell_index)
        except (
            *(AttributeError, LookupError, RecursionError, TypeError, ValueError),
            ValidationError,
        ) as error:
            kind = str(msg["msg_type"])[:50]
            _logger.warning("A message %r is left out: %s", kind, type(error).__name__)
            return None

    def finish_outputs(self, cell: NotebookNode) -> None:
        """Add the end of what was too much to keep, with a sentence saying so."""
        closing = self._budget.closing()
        if closing:
            cell.outputs.append(_new_output("stream", name="stdout", text=clean(closing)))

    def clear_output(self, outs: list[NotebookNode], msg: dict[str, Any], cell_index: int) -> None:
        """Clear a cell's output; what was cleared counts no more."""
        super().clear_output(outs, msg, cell_index)
        self._budget = OutputBudget()

    def output(
        self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int
    ) -> NotebookNode | None:
        """Keep an output as far as there is room."""
        content = msg["content"]
        if msg["msg_type"] == "stream":
            return self._stream(outs, msg, display_id, cell_index)
        if msg["msg_type"] == "error":
            content["evalue"] = cut(clean(str(content.get("evalue", ""))), EVALUE_LIMIT)
            content["traceback"] = list(bounded_traceback(content.get("traceback", [])))
        if not self._budget.takes(content):
            return None
        return super().output(outs, msg, display_id, cell_index)

    def _stream(
        self, outs: list[NotebookNode], msg: dict[str, Any], display_id: str | None, cell_index: int
    ) -> NotebookNode | None:
        content = msg["content"]
        text = clean(str(content.get("text", "")))
        room = self._budget.text_room()
        if len(text) > room:
            self._budget.overflow(text[room:])
            text = text[:room]
        if not text:
            return None
        self._budget.text += len(text)
        last = outs[-1] if outs and not self.clear_before_next_output else None
        if last is not None and last.output_type == "stream" and last.name == content["name"]:
            last.text += text
            return last
        content["text"] = text
        return super().output(outs, msg, display_id, cell_index)
