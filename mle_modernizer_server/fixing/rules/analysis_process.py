"""The process that analyses notebooks, as seen by its caller.

Nothing but Python's own library is imported here: a command starts the process before its own
imports, and both load in parallel.
"""

from __future__ import annotations

import atexit
import queue
from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.child_process import LIBRARIES, ChildProcess, Stopwatch

STANDARD_SECONDS = 30.0
"""Processor time for one answer, unless the user allows more."""
_SERVE = "from mle_modernizer_server.fixing.rules.analysis import serve; serve()"
_READY = b"ready\n"
_LOADING = 120.0
"""Seconds of processor time for loading the rules."""
_GRACE = 2.0
"""The process stops by itself when its time is used up; it is ended after so many times that."""


@dataclass(frozen=True)
class Limits:
    """Limits of one answer.

    Attributes:
        memory: Bytes that the process may use while it works.
        kept_memory: Bytes that it may retain after its answer.
    """

    memory: int = 1 << 30
    kept_memory: int = 300 << 20


class NoAnswer(Enum):
    """Why there is no answer."""

    ENDED = "the process that does so has ended"
    BROKEN = "it is too large, or breaks the parser"
    MEMORY = "that takes more than {memory} MB of memory"
    TIME = "that takes longer than {time} of processor time"


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
        self._process = ChildProcess(program, [str(limits.memory + LIBRARIES), about])
        self._ready = False
        self.pid = self._process.pid
        self.is_alive = self._process.is_alive
        self.end = self._process.end
        self.memory = self._process.memory
        self.was_killed = self._process.was_killed

    def ask(self, question: bytes, seconds: float) -> bytes | NoAnswer:
        """Return the answer's line, or the reason why there is none.

        The time counts from the moment that the process has loaded the rules.

        Args:
            question: The message.
            seconds: Processor time after which the process answers with its results so far.

        Raises:
            Abandoned: Nobody waits for the answer any more. The process is still at work.
        """
        if not self._ready:
            line = self._answer(_LOADING)
            if line != _READY:
                return line if isinstance(line, NoAnswer) else NoAnswer.BROKEN
            self._ready = True
        try:
            self._process.send(question)
        except OSError:
            return NoAnswer.ENDED
        return self._answer(_GRACE * seconds)

    def _answer(self, seconds: float) -> bytes | NoAnswer:
        used = Stopwatch(self._process)
        while True:
            try:
                line = self._process.line()
            except queue.Empty:
                if used.is_over(seconds):
                    return NoAnswer.TIME
                if self.memory() > self._limits.memory:
                    return NoAnswer.MEMORY
                continue
            return line if line is not None else NoAnswer.BROKEN


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
