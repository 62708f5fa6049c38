"""Bound a cell's messages, record how it ended, and defer `exit()`.

This file's text runs inside the kernel. Sent as source: syntax of Python 3.6, none of our modules.
Without the bounds a cell that prints a gigabyte at once would send one message of that size. A
notebook that undoes the bounds only loses its outputs; after one that undoes the records, no cell
counts as successful.
"""

import traceback
from typing import Any

PIECE = 1_000_000
"""Characters of a message: the stream is flushed after so many."""
QUEUED = 10_000
"""Messages."""
LONGEST_LINE = 20_000
"""Characters of an error's name, of its message and of an entry of its traceback."""
MOST_LINES = 200
"""Entries of a traceback."""


def note_endings(shell: Any) -> None:
    """Record how the last cell ended, apart from its reply: any code may write a reply.

    Args:
        shell: The interactive shell; its attribute `mle_modernizer_ending` is a list of the
            request's id, the error's name, its message and its traceback; no name if it
            succeeded.
    """

    def note(result: Any = None) -> None:
        error = getattr(result, "error_before_exec", None) or getattr(result, "error_in_exec", None)
        name, text, lines = "", "", []
        if error is not None:
            name = type(error).__name__[:200]
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
    """Let `exit()` only state in its cell's reply that the kernel should exit.

    The kernel would otherwise exit a moment later, possibly during a later cell.
    """

    def ask_exit() -> None:
        keeps = bool(getattr(shell, "keepkernel_on_exit", False))
        shell.payload_manager.write_payload({"source": "ask_exit", "keepkernel": keeps})

    shell.ask_exit = ask_exit


def bound_errors(session: Any) -> None:
    """Send no error that is too large to be read.

    Args:
        session: Of the kernel; it sends the outputs and the replies.
    """
    send = session.send

    def bounded_send(stream: Any, kind: Any, content: Any = None, *more: Any, **named: Any) -> Any:
        if kind in ("error", "execute_reply") and isinstance(content, dict) and "ename" in content:
            lines = list(content.get("traceback") or [])
            half = MOST_LINES // 2
            lines = lines if len(lines) <= MOST_LINES else lines[:half] + lines[-half:]
            bounded = {"ename": _short(content["ename"]), "evalue": _short(content.get("evalue"))}
            content = dict(content, traceback=[_short(line) for line in lines], **bounded)
        return send(stream, kind, content, *more, **named)

    session.send = bounded_send


def _short(value: Any) -> str:
    text = str(value)
    half = LONGEST_LINE // 2
    return text if len(text) <= LONGEST_LINE else text[:half] + " … " + text[-half:]


def lengthen_queue(shell: Any) -> None:
    """Keep more outputs for a client that is slow, in this process's memory."""
    import zmq

    thread = getattr(shell.kernel, "iopub_thread", None)
    if thread is not None:
        thread.schedule(lambda: thread.socket.setsockopt(zmq.SNDHWM, QUEUED))


def bound_streams(shell: Any, streams: "list[Any]", limit: int) -> None:
    """Let a cell write no more than `limit` characters to each of its streams.

    Args:
        shell: The interactive shell, for its event at the start of a cell.
        streams: `sys.stdout` and `sys.stderr`. The objects are changed, not their class, because
            IPython changes them too and restores the originals.
        limit: Characters.
    """
    for stream in streams:
        _bound(shell, stream, limit)


def _bound(shell: Any, stream: Any, limit: int) -> None:
    write = stream.write
    written = waiting = 0

    def bounded_write(text: Any) -> Any:
        nonlocal written
        if not isinstance(text, str):
            return write(text)
        room = limit - written
        written += len(text)
        if len(text) <= room:
            write_pieces(text)
        elif room >= 0:
            write_pieces(text[:room] + "\n… the cell's further output is left out …\n")
            written = limit + 1
        return len(text)

    def write_pieces(text: str) -> None:
        nonlocal waiting
        for start in range(0, len(text), PIECE):
            piece = text[start : start + PIECE]
            write(piece)
            waiting += len(piece)
            if waiting >= PIECE:
                stream.flush()
                waiting = 0

    def start_again(*_: object) -> None:
        nonlocal written, waiting
        written = waiting = 0

    stream.write = bounded_write
    shell.events.register("pre_run_cell", start_again)
