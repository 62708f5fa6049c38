"""The process that analyses notebooks, as seen by its caller.

Nothing but Python's own library is imported here: a command starts the process before its own
imports, and both load in parallel.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_PATH = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
_SERVE = "from mle_modernizer_server.fixing.rules.analysis import serve; serve()"
_LIBRARIES = 1 << 30
"""Address space that libraries take before any input."""
_PAUSE = 0.05
_LONGEST_ANSWER = 64 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of one answer.

    Attributes:
        seconds: Of wall-clock time.
        memory: Bytes that the process may use while it works.
        kept_memory: Bytes that it may retain after its answer.
    """

    seconds: float = 30.0
    memory: int = 1 << 30
    kept_memory: int = 300 << 20


class AnalysisProcess:
    """A process that analyses notebooks, a line for a question; for threads.

    It begins to load the rules as soon as it has started.

    Args:
        limits: Of one answer.
        program: Program that it executes; by default it serves and nothing else.
        about: The last of its arguments.
    """

    def __init__(self, limits: Limits, program: str = _SERVE, about: str = "") -> None:
        self._limits = limits
        places = [str(Path(place).absolute()) for place in sys.path if place]
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-I", "-X", "utf8", "-c", _PATH + program),
                *(json.dumps(places), str(limits.memory + _LIBRARIES), about),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(
            target=read_lines, args=(self._process.stdout, self._lines), daemon=True
        ).start()

    def is_alive(self) -> bool:
        """Return whether it can take questions."""
        return self._process.poll() is None

    def held(self) -> int:
        """Return the bytes of memory that it uses; 0 if unknown."""
        import psutil

        try:
            return int(psutil.Process(self._process.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def ask(self, question: bytes) -> bytes | str:
        """Return the answer's line, or the reason why there is none."""
        assert self._process.stdin is not None
        until = time.monotonic() + self._limits.seconds
        try:
            self._process.stdin.write(question + b"\n")
            self._process.stdin.flush()
        except OSError:
            return "the process that does so has ended"
        while True:
            try:
                line = self._lines.get(timeout=_PAUSE)
            except queue.Empty:
                if time.monotonic() > until:
                    return f"that takes longer than {self._limits.seconds:g} seconds"
                if self.held() > self._limits.memory:
                    return f"that takes more than {self._limits.memory >> 20} MB of memory"
                continue
            return line if line is not None else "it is too large, or breaks the parser"

    def end(self) -> None:
        """End it, also in the middle of an answer."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()


def read_lines(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Put the lines of a stream into a queue; None at its end, or at an incomplete line."""
    with stream:
        while (line := stream.readline(_LONGEST_ANSWER)) and line.endswith(b"\n"):
            lines.put(line)
    lines.put(None)


_started: list[AnalysisProcess] = []


def start_ahead(program: str, about: str) -> None:
    """Start the process for the command's first question; it ends with the command.

    Args:
        program: Program that it executes: it serves, and may analyse a notebook in advance.
        about: The last of its arguments.
    """
    process = AnalysisProcess(Limits(), program, about)
    atexit.register(process.end)
    _started.append(process)


def started() -> AnalysisProcess | None:
    """Return the process that was started in advance, only once."""
    return _started.pop() if _started else None
