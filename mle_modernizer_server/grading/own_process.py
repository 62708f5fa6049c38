"""Run the grading in a process of its own, within limits of time and memory."""

from __future__ import annotations

import json
import os
import queue
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import psutil
from pydantic import ValidationError

from mle_modernizer_server.child_process import LIBRARIES, ChildProcess, Stopwatch
from mle_modernizer_server.grading.job import Job, Said

_PROGRAM = "from mle_modernizer_server.grading.child import main; main()"
_KEPT = frozenset(["PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "HOME", "LD_LIBRARY_PATH"])


@dataclass(frozen=True)
class Limits:
    """Limits of grading one file.

    Attributes:
        seconds: Of processor time for one file; ten times that of wall-clock time.
        memory: Bytes.
    """

    seconds: float = 300.0
    memory: int = 8 << 30

    def here(self) -> Limits:
        """Return the limits on this machine: no more than three quarters of its memory."""
        most = int(psutil.virtual_memory().total * 0.75)
        return Limits(self.seconds, min(self.memory, most))


class Ending(Enum):
    """How the process came to its end."""

    DONE = "done"
    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"


def run(job: Job, limits: Limits, hear: Callable[[Said], None]) -> tuple[Ending, str]:
    """Do a job, and return how it ended and the last words of a process that broke down.

    The memory is limited by the system on Linux, and everywhere by watching the process, which is
    ended as soon as it holds too much: between two looks (50 ms) it can hold more.

    Args:
        job: What to do.
        limits: Limits of time and memory.
        hear: Called with each line of the process.

    Raises:
        Abandoned: Nobody waits for the result any more.
    """
    job = job.model_copy(update={"memory": limits.memory + LIBRARIES})
    environment = {name: value for name, value in os.environ.items() if name.upper() in _KEPT}
    # One thread: more take address space, and every metric here is bound by one.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[name] = "1"
    process = ChildProcess(_PROGRAM, environ=environment, keep_words=True)
    try:
        ending = _attend(process, job, limits, hear)
    finally:
        process.end()
    last = process.last_words
    if ending is Ending.CRASH and "MemoryError" in last:
        ending = Ending.MEMORY
    return ending, last


def _attend(
    process: ChildProcess, job: Job, limits: Limits, hear: Callable[[Said], None]
) -> Ending:
    used = Stopwatch(process)
    try:
        process.send(json.dumps(job.model_dump(mode="python"), default=_as_json).encode())
    except BrokenPipeError:
        return Ending.CRASH
    while True:
        try:
            line = process.line()
        except queue.Empty:
            if used.is_over(limits.seconds):
                return Ending.TIME
            if process.memory() > limits.memory:
                return Ending.MEMORY
            continue
        if line is None:
            return Ending.CRASH
        used = Stopwatch(process)
        try:
            said = Said.model_validate_json(line)
        except ValidationError:
            return Ending.CRASH
        hear(said)
        if said.done or said.unusable:
            return Ending.DONE


def _as_json(value: object) -> object:
    """Return a value without a JSON form as the child's `Job` reads it; Python's JSON has NaN."""
    return value.value if isinstance(value, Enum) else str(value)
