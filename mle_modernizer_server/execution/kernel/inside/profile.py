"""Looks where a cell is, many times a second. This file's text runs inside the kernel.

Its source is sent as it is: syntax of Python 3.6, nothing of ours. A thread looks at
the main thread's stack; the answer goes out over the control channel, whose messages ipykernel
handles while a cell is at work. A notebook that meddles with it loses its profile, no more.
"""

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

REQUEST = "mle_modernizer_profile_request"
REPLY = "mle_modernizer_profile_reply"
_INTERVAL = 0.02
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
        self._working = threading.Event()
        self._ordinals = {}  # type: dict[str, int]
        self._places = {}  # type: dict[tuple[int, int, str], float]

    def start(self) -> None:
        """Begin: from now on every cell that is not silent is counted, from 1."""
        self._hear_names()
        self._shell.events.register("pre_run_cell", self._cell_starts)
        self._shell.events.register("post_run_cell", self._cell_ends)
        self._shell.kernel.control_handlers[REQUEST] = self._answer
        thread = threading.Thread(target=self._look_on, name="mle-modernizer-profile", daemon=True)
        thread.start()

    def _hear_names(self) -> None:
        """Note which cell a file name stands for, the moment IPython makes it up."""
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
            self._last = time.monotonic()
            self._working.set()
        self._depth += 1

    def _cell_ends(self, *_: Any) -> None:
        self._depth = max(self._depth - 1, 0)
        if self._depth == 0:
            self._working.clear()

    def _look_on(self) -> None:
        while True:
            self._working.wait()
            time.sleep(_INTERVAL)
            if self._working.is_set():
                self._look()

    def _look(self) -> None:
        now = time.monotonic()
        place = self._place(sys._current_frames().get(self._main))
        passed, self._last = now - self._last, now
        if place in self._places or len(self._places) < _MOST_PLACES:
            self._places[place] = self._places.get(place, 0.0) + passed

    def _place(self, frame: Any) -> "tuple[int, int, str]":
        """Cell and line of the innermost frame of the notebook, and what it has called."""
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
        hottest = sorted(self._places.items(), key=lambda item: -item[1])
        content = {
            "lines": [[*place, seconds] for place, seconds in hottest[:_MOST_TOLD]],
            "seconds": sum(self._places.values()),
            "gpu": _gpu(),
        }
        self._shell.kernel.session.send(stream, REPLY, content, parent, ident)


def _name(frame: Any) -> str:
    code = frame.f_code
    module = frame.f_globals.get("__name__", "")
    return f"{module}.{getattr(code, 'co_qualname', code.co_name)}"[:200]


def _gpu() -> str:
    """Whether there is a GPU, and whether this process has opened it."""
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
