"""Bounds what a cell can print, notes how it ended, and keeps `exit()` back.

This file's text runs inside the kernel. Its source is sent as it is: syntax of Python 3.6, nothing
of ours. Without the bound a cell that prints a gigabyte at once would send a message as large. A
notebook that undoes it loses its outputs, no more; one that undoes the notes has no cell that ended
well.
"""

import traceback
from typing import Any


def note_endings(shell: Any) -> None:
    """Keep how the last cell ended, beside what its reply says: anything may write a reply.

    Args:
        shell: The interactive shell; its attribute `mle_modernizer_ending` is a list of the
            request's id, the error's name, its message and its traceback; no name where it ended
            well.
    """

    def note(result: Any = None) -> None:
        error = getattr(result, "error_before_exec", None) or getattr(result, "error_in_exec", None)
        name, text, lines = "", "", []
        if error is not None:
            name = type(error).__name__
            try:
                text = str(error)[:4000]
                lines = traceback.format_exception(type(error), error, error.__traceback__)[-50:]
            except Exception:  # noqa: BLE001  # a notebook's own error may raise anything
                text = "The error could not be printed."
        shell.mle_modernizer_ending = [_request(shell), name, text, "".join(lines)[-20000:]]

    shell.mle_modernizer_ending = None
    shell.events.register("post_run_cell", note)


def _request(shell: Any) -> str:
    kernel = shell.kernel
    parent = kernel.get_parent("shell") if hasattr(kernel, "get_parent") else kernel._parent_header
    return str(parent.get("header", {}).get("msg_id", ""))


def keep_kernel(shell: Any) -> None:
    """Let `exit()` only say in the reply to its cell that the kernel is to end.

    The kernel would end a moment later, by chance in one of the next cells.
    """

    def ask_exit() -> None:
        keeps = bool(getattr(shell, "keepkernel_on_exit", False))
        shell.payload_manager.write_payload({"source": "ask_exit", "keepkernel": keeps})

    shell.ask_exit = ask_exit


def bound_streams(shell: Any, streams: "list[Any]", limit: int) -> None:
    """Let a cell write no more than `limit` characters to each of its streams.

    Args:
        shell: The interactive shell, for its event at the start of a cell.
        streams: `sys.stdout` and `sys.stderr`. The objects are changed, not their class, because
            IPython changes them too and puts back what it found.
        limit: Characters.
    """
    for stream in streams:
        _bound(shell, stream, limit)


def _bound(shell: Any, stream: Any, limit: int) -> None:
    write = stream.write
    written = 0

    def bounded_write(text: Any) -> Any:
        nonlocal written
        if not isinstance(text, str):
            return write(text)
        room = limit - written
        written += len(text)
        if len(text) <= room:
            return write(text)
        if room >= 0:
            write(text[:room] + "\n… the cell's further output is left out …\n")
            written = limit + 1
        return len(text)

    def start_again(*_: object) -> None:
        nonlocal written
        written = 0

    stream.write = bounded_write
    shell.events.register("pre_run_cell", start_again)
