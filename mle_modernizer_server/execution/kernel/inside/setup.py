"""Bounds what a cell can print, at its source. This file's text runs inside the kernel.

Its source is sent as it is: syntax of Python 3.6, nothing of ours. Without it a cell that prints
a gigabyte at once would send a message as large. A notebook that undoes it loses its outputs, no
more.
"""

from typing import Any


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
