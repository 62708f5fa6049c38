"""Sample a cell's current line, many times a second. This file's text runs inside the kernel.

Sent as source: syntax of Python 3.6, none of our modules. The system's clock sends the
main thread a signal; Python runs the handler in the main thread, between two instructions, when
its own frames are consistent. No thread walks the frames of another that is running: this
has crashed interpreters. While the main thread is in compiled code the signal waits, and the time
counts for the line that called it. The answer uses the control channel, whose messages ipykernel
handles while a cell runs. A notebook that interferes loses only its profile; if
the system has no such timer (it is Linux's), no lines are reported.
"""

import atexit
import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

REQUEST = "mle_modernizer_profile_request"
REPLY = "mle_modernizer_profile_reply"
_INTERVAL = 0.02
_STUCK = 1.0
"""Seconds after which a signal that was not handled shows that compiled code is at work."""
_DEEPEST = 500
_MOST_PLACES = 5_000
_MOST_TOLD = 40


class Sampler:
    """Adds up the seconds a notebook's lines were seen at work."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._main = threading.get_ident()
        self._ordinal = 0
        self._depth = 0
        self._last = 0.0
        self._seen = 0.0
        self._working = threading.Event()
        self._clock = _Clock()
        self._ordinals = {}  # type: dict[str, int]
        self._places = {}  # type: dict[tuple[int, int, str], float]

    def start(self) -> None:
        """Begin: from now on every cell that is not silent is counted, from 1."""
        self._hear_names()
        self._shell.events.register("pre_run_cell", self._cell_starts)
        self._shell.events.register("post_run_cell", self._cell_ends)
        self._shell.kernel.control_handlers[REQUEST] = self._answer
        if self._clock.signal:
            signal.signal(self._clock.signal, self._look)
            signal.siginterrupt(self._clock.signal, False)
            atexit.register(self._tick, 0)  # Python drops its handlers before it exits

    def _hear_names(self) -> None:
        """Record the cell of each file name when IPython creates it."""
        cache = self._shell.compile.cache

        def noting(*given: Any, **named: Any) -> Any:
            name = cache(*given, **named)
            if self._depth == 1:
                self._ordinals[name] = self._ordinal
            return name

        self._shell.compile.cache = noting

    def _cell_starts(self, *_: Any) -> None:
        if self._depth == 0:  # a cell may run others
            self._ordinal += 1
            self._last = self._seen = time.monotonic()
            self._working.set()
            self._tick(_INTERVAL)
        self._depth += 1

    def _cell_ends(self, *_: Any) -> None:
        self._depth = max(self._depth - 1, 0)
        if self._depth == 0:
            self._working.clear()
            self._tick(0)

    def _tick(self, seconds: float) -> None:
        number = self._clock.signal
        # Without our handler the signal would end the kernel.
        if number and (seconds == 0 or signal.getsignal(number) == self._look):
            self._clock.tick(seconds)

    def _look(self, _: Any, frame: Any) -> None:
        if self._working.is_set():
            self._seen = time.monotonic()
            self._count(frame)

    def _count(self, frame: Any) -> None:
        place = self._place(frame)
        now = time.monotonic()
        passed, self._last = now - self._last, now
        if place in self._places or len(self._places) < _MOST_PLACES:
            self._places[place] = self._places.get(place, 0.0) + passed

    def _place(self, frame: Any) -> "tuple[int, int, str]":
        """Return cell and line of the notebook's innermost frame, and the called function."""
        called = None
        for _ in range(_DEEPEST):
            if frame is None:
                break
            ordinal = self._ordinals.get(frame.f_code.co_filename)
            if ordinal is not None:
                return (ordinal, frame.f_lineno or 0, "" if called is None else _name(called))
            called, frame = frame, frame.f_back
        return (self._ordinal, 0, "")

    def _answer(self, stream: Any, ident: Any, parent: Any) -> None:
        if self._working.is_set() and time.monotonic() - self._seen > _STUCK:
            # It has executed no instruction for so long that its frames do not change.
            self._count(sys._current_frames().get(self._main))
        hottest = sorted(self._places.items(), key=lambda item: -item[1])
        content = {
            "lines": [[*place, seconds] for place, seconds in hottest[:_MOST_TOLD]],
            "seconds": sum(self._places.values()),
            "gpu": _gpu(),
            "processors": _processors(),
        }
        self._shell.kernel.session.send(stream, REPLY, content, parent, ident)


class _SignalEvent(ctypes.Structure):
    """`struct sigevent` of Linux, for a signal to one thread."""

    _fields_ = [  # as ctypes has it
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("thread", ctypes.c_int),
        ("rest", ctypes.c_char * 44),
    ]


class _Clock:
    """Sends the main thread a signal in equal intervals: a POSIX timer.

    A Python thread could not: it would send it whenever the main thread lets it run, which is
    always at the same places. `signal.setitimer` has one clock only, which is the notebook's.
    """

    _THREAD = 4
    _MONOTONIC = 1

    def __init__(self) -> None:
        self.signal = 0
        self._timer = ctypes.c_void_p()
        if not sys.platform.startswith("linux") or threading.current_thread() is not (
            threading.main_thread()
        ):
            return
        number = int(signal.SIGRTMAX) - 3  # hardly anybody's
        event = _SignalEvent(signal=number, notify=self._THREAD, thread=os.getpid())
        for name in (None, "librt.so.1"):  # part of libc since glibc 2.34
            try:
                self._library = ctypes.CDLL(name)
                made = self._library.timer_create(
                    self._MONOTONIC, ctypes.byref(event), ctypes.byref(self._timer)
                )
            except (OSError, AttributeError):
                continue
            self.signal = number if made == 0 else 0
            return

    def tick(self, seconds: float) -> None:
        """Begin; 0 ends it."""
        nanoseconds = int(seconds * 1e9)
        interval = (ctypes.c_long * 4)(0, nanoseconds, 0, nanoseconds)
        self._library.timer_settime(self._timer, 0, ctypes.byref(interval), None)


def _name(frame: Any) -> str:
    code = frame.f_code
    module = frame.f_globals.get("__name__", "")
    return f"{module}.{getattr(code, 'co_qualname', code.co_name)}"[:200]


def _processors() -> int:
    """Return the number of processors this process may use, respecting a container's limit."""
    bound = hasattr(os, "sched_getaffinity")
    count = len(os.sched_getaffinity(0)) if bound else os.cpu_count() or 1
    try:
        limit, period = Path("/sys/fs/cgroup/cpu.max").read_text("ascii").split()
        return max(min(count, int(limit) // int(period)), 1)
    except (OSError, ValueError):  # no such group; no limit ("max")
        return count


def _gpu() -> str:
    """Return whether there is a GPU, and whether this process has opened it."""
    if not any(Path("/dev", name).exists() for name in ("nvidiactl", "dxg", "kfd")):
        return "none"
    for handle in Path("/proc/self/fd").iterdir():
        try:
            opened = os.readlink(handle)  # noqa: PTH115 - Python 3.8 has no Path.readlink
        except OSError:  # closed meanwhile
            continue
        if opened.startswith(("/dev/nvidia", "/dev/dxg", "/dev/kfd")):
            return "used"
    return "unused"
