"""Child processes that examine untrusted files: their start, their limits, their end.

A message to a process is its length and its bytes; an answer is a line. This module imports only
the standard library, because a command starts such a process before it loads its own dependencies,
and because the process watches for the end of its parent before it loads anything.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

WALL_FACTOR = 10.0
"""Limit of wall-clock time as a multiple of the limit of processor time."""
LIBRARIES = 1 << 30
"""Bytes of address space that libraries need before any input is read."""
PAUSE = 0.05
"""Seconds between two checks of a working process."""
_LONGEST_LINE = 64 << 20
_LENGTH = struct.Struct(">Q")
_BEGIN = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from mle_modernizer_server.child_process import begin; begin(); "
)
_PR_SET_PDEATHSIG = 1
_SIGKILL = 9

abandoned: ContextVar[threading.Event | None] = ContextVar("abandoned", default=None)
"""Set in a call's context once nobody waits for the result of the call."""


class Abandoned(Exception):
    """Nobody waits for the result any more: the client disconnected, or the user cancelled."""


def check_wanted() -> None:
    """Check that somebody still waits for the result of this call.

    Raises:
        Abandoned: Nobody does.
    """
    event = abandoned.get()
    if event is not None and event.is_set():
        raise Abandoned


class ChildProcess:
    """A Python process that runs one of our programs; for use in threads.

    It ends with this process, even if this one is killed.

    Args:
        program: The code to run, once the process watches for the end of this one.
        arguments: The program's own arguments: `sys.argv[3:]`.
        environ: The environment variables; None: those of this process.
        keep_words: Whether to store its standard error output for `last_words`.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(
        self,
        program: str,
        arguments: Sequence[str] = (),
        *,
        environ: Mapping[str, str] | None = None,
        keep_words: bool = False,
    ) -> None:
        places = [str(Path(place).absolute()) for place in sys.path if place]
        self.last_words = ""
        """The last line that it wrote to standard error, up to 300 characters; set by `end`."""
        self._words = tempfile.TemporaryFile() if keep_words else None  # noqa: SIM115  # `end`
        own = [json.dumps(places), str(os.getpid()), *arguments]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", _BEGIN + program, *own],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if self._words is None else self._words,
            env=environ,
        )
        self.pid = self._process.pid
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(
            target=_read_lines, args=(self._process.stdout, self._lines), daemon=True
        ).start()

    def is_alive(self) -> bool:
        """Return whether it can be sent a message."""
        return self._process.poll() is None

    def send(self, message: bytes) -> None:
        """Send it a message.

        Raises:
            OSError: It has ended.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(_LENGTH.pack(len(message)) + message)
        self._process.stdin.flush()

    def line(self) -> bytes | None:
        """Return its next line, or None if it has ended; wait for `PAUSE` seconds at most.

        Raises:
            queue.Empty: There is none yet.
            Abandoned: Nobody waits for it any more.
        """
        check_wanted()
        return self._lines.get(timeout=PAUSE)

    @cached_property
    def _usage(self) -> psutil.Process:
        """Return the process as its use of resources is asked for, many times a second."""
        import psutil

        return psutil.Process(self.pid)

    def memory(self) -> int:
        """Return the bytes of memory that it uses; 0 if it has ended."""
        import psutil

        try:
            return int(self._usage.memory_info().rss)
        except psutil.Error:
            return 0

    def processor_seconds(self) -> float:
        """Return the processor time that it has used; 0 if it has ended."""
        import psutil

        try:
            times = self._usage.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def was_killed(self) -> bool:
        """Return whether a user or the system killed it; wait for its end up to a second."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        return self._process.returncode == -_SIGKILL

    def end(self) -> None:
        """End it, even while it is working."""
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        if self._words is not None and not self._words.closed:
            with self._words as words:
                words.seek(max(0, words.seek(0, os.SEEK_END) - 4_000))
                text = words.read().decode("utf-8", "replace")
            lines = [line for line in text.splitlines() if line.strip()]
            self.last_words = lines[-1][:300] if lines else ""


class Stopwatch:
    """Time that a process has used since the creation of the stopwatch."""

    def __init__(self, process: ChildProcess) -> None:
        self._process = process
        self._processor = process.processor_seconds()
        self._wall = time.monotonic()

    def is_over(self, seconds: float) -> bool:
        """Return whether a limit is exceeded.

        Args:
            seconds: Of processor time. The limit of wall-clock time is `WALL_FACTOR` times that.
        """
        if time.monotonic() - self._wall > WALL_FACTOR * seconds:
            return True
        return self._process.processor_seconds() - self._processor > seconds


def _read_lines(stream: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Put the lines of a stream into a queue; None marks its end, or a line that is too long."""
    with stream:
        while (line := stream.readline(_LONGEST_LINE)) and line.endswith(b"\n"):
            lines.put(line)
    lines.put(None)


# In the process itself

_messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()


def begin() -> None:
    """Watch for the end of the parent process, and receive its messages; exit at the end of
    input."""
    end_with(int(sys.argv[2]))
    threading.Thread(target=_take_messages, args=(sys.stdin.buffer,), daemon=True).start()


def end_with(parent: int) -> None:
    """End this process when its parent ends, on systems that signal that (Linux).

    The signal also comes if only the thread ends that started this process, so the handler checks
    the parent itself.

    Args:
        parent: Its process id.
    """

    def end_without_parent(*_: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    if sys.platform == "linux":
        import ctypes
        import signal

        signal.signal(signal.SIGUSR1, end_without_parent)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGUSR1), 0, 0, 0)
    if os.name == "posix":
        end_without_parent()


def _take_messages(stream: IO[bytes]) -> None:
    while True:
        head = stream.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            break
        (length,) = _LENGTH.unpack(head)
        message = stream.read(length)
        if len(message) < length:
            break
        _messages.put(message)
    os._exit(1)  # the parent has exited


def message(timeout: float | None = None) -> bytes:
    """Return the next message of the parent.

    Args:
        timeout: Seconds to wait for it; None: as long as the parent lives.

    Raises:
        queue.Empty: None came.
    """
    return _messages.get(timeout=timeout)


def answers() -> IO[bytes]:
    """Return the stream for this process's lines; libraries' prints go to standard error."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return out


def limit_memory(memory: int) -> None:
    """Limit the address space of this process, on systems that can (Linux); the parent watches.

    Args:
        memory: Bytes; 0 for no limit.
    """
    if memory and sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
