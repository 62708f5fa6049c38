"""Runs the grading in a process of its own, within limits of time and memory."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import IO

import psutil
from pydantic import ValidationError

from mle_modernizer_server.grading.job import Job, Said

_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from mle_modernizer_server.grading.child import main; main()"
)
_LIBRARIES = 1 << 30
"""Address space that libraries take before anything is read."""
_PAUSE = 0.05
_KEPT = frozenset(["PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "HOME", "LD_LIBRARY_PATH"])


@dataclass(frozen=True)
class Limits:
    """What grading may take.

    Attributes:
        seconds: Of wall-clock time for one file.
        memory: Bytes.
    """

    seconds: float = 300.0
    memory: int = 8 << 30

    def here(self) -> Limits:
        """The limits on this machine: no more than three quarters of its memory."""
        most = int(psutil.virtual_memory().total * 0.75)
        return Limits(self.seconds, min(self.memory, most))


class Ending(Enum):
    """How the process came to its end."""

    DONE = "done"
    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"


def run(job: Job, limits: Limits, hear: Callable[[Said], None]) -> tuple[Ending, str]:
    """Do a job; gives how it ended and the last words of a process that broke down.

    The memory is limited by the system on Linux, and everywhere by watching the process, which
    is ended as soon as it holds too much: between two looks (50 ms) it can hold more.

    Args:
        job: What to do.
        limits: What it may take.
        hear: Called with each line of the process.
    """
    job = job.model_copy(update={"memory": limits.memory + _LIBRARIES})
    environment = {name: value for name, value in os.environ.items() if name.upper() in _KEPT}
    # One thread: more take address space, and every metric here is bound by one.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[name] = "1"
    places = [os.path.abspath(place) for place in sys.path if place]  # noqa: PTH100
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", _START, json.dumps(places)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
            env=environment,
        )
        try:
            ending = _attend(process, job, limits, hear)
        finally:
            process.kill()
            process.wait()
        words.seek(0)
        last = _last_words(words.read()[-4_000:].decode("utf-8", "replace"))
        if ending is Ending.CRASH and "MemoryError" in last:
            ending = Ending.MEMORY
        return ending, last


def _attend(
    process: subprocess.Popen[bytes], job: Job, limits: Limits, hear: Callable[[Said], None]
) -> Ending:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("the process has no pipes")
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    try:
        process.stdin.write(json.dumps(job.model_dump(mode="python"), default=_as_json).encode())
        process.stdin.close()
    except BrokenPipeError:
        return Ending.CRASH
    watched = psutil.Process(process.pid)
    until = time.monotonic() + limits.seconds
    while True:
        try:
            line = lines.get(timeout=_PAUSE)
        except queue.Empty:
            if time.monotonic() > until:
                return Ending.TIME
            if _held(watched) > limits.memory:
                return Ending.MEMORY
            continue
        if line is None:
            return Ending.CRASH
        until = time.monotonic() + limits.seconds
        try:
            said = Said.model_validate_json(line)
        except ValidationError:
            return Ending.CRASH
        hear(said)
        if said.done or said.unusable:
            return Ending.DONE


def _as_json(value: object) -> object:
    """What JSON has no form for, as the child's `Job` reads it; NaN has one in Python's JSON."""
    return value.value if isinstance(value, Enum) else str(value)


def _read(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _held(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0  # it has just ended; its last line says how


def _last_words(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
