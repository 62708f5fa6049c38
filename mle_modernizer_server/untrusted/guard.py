"""Second lock on a process that only reads: an audit hook."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

_FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect")


class Guard:
    """Audit hook that refuses programs, the network, writing, and all files but some.

    A second lock, not the first: the process only ever reads data and runs no code of others.
    """

    def __init__(self, deed: str, readable: Iterable[Path | str]) -> None:
        """
        Args:
            deed: What the process is for, e.g. `grading`.
            readable: Files and folders that it may read besides Python and its packages.
        """
        self._deed = deed
        places = (*sys.path, sys.prefix, *readable)
        self._readable = tuple({os.path.realpath(place) for place in places if place})

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Refuse an event by a PermissionError."""
        if event in _FORBIDDEN:
            raise PermissionError(f"{self._deed} does not {event}")
        if event != "open":
            return
        path, flags = arguments[0], arguments[2]
        if not isinstance(path, (str, bytes)):
            return  # a descriptor that is open already
        place = os.path.realpath(os.fsdecode(path))
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or not any(_below(place, other) for other in self._readable):
            raise PermissionError(f"{self._deed} does not open {place}")


def _below(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip(os.sep) + os.sep)
