"""A program on a terminal of its own, driven as a person does: read, then type."""

from __future__ import annotations

import os
import pty
import re
import select
import time

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """Starts a program on a new pseudo-terminal.

    Args:
        argv: The program and its arguments.
    """

    def __init__(self, argv: list[str]) -> None:
        self.shown = ""
        self.raw = b""
        """All that reached the terminal, as it came."""
        self._seen = 0
        self._pid, self._master = pty.fork()
        if self._pid == 0:
            environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "110"}
            os.execve(argv[0], argv, environment)

    def until(self, words: str, seconds: float = 60) -> None:
        """Wait until words appear that were not there at the last call."""
        deadline = time.monotonic() + seconds
        while words not in self.shown[self._seen :]:
            assert time.monotonic() < deadline, f"{words!r} is not in:\n{self.shown}"
            assert self._read(), f"ended without {words!r}:\n{self.shown}"
        self._seen = self.shown.index(words, self._seen) + len(words)

    def type(self, text: str) -> None:
        """Type a line; `\\x03` is Ctrl+C."""
        os.write(self._master, text.encode() if text == "\x03" else f"{text}\n".encode())

    def end(self) -> int:
        """Wait for the end; gives the exit code."""
        while self._read():
            pass
        _, status = os.waitpid(self._pid, 0)
        os.close(self._master)
        return os.waitstatus_to_exitcode(status)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], 60)
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:  # Linux tells the other side's end this way
            return False
        self.raw += data
        self.shown += _ESCAPES.sub("", data.decode(errors="replace"))
        return bool(data)
