"""Watches how much a run has written, because a bind mount has no quota of its own."""

from __future__ import annotations

import errno
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from mle_modernizer_server.execution.sandboxes.docker.settings import in_words

_BLOCK = 512
_SMALLEST = 4096
"""Bytes an entry counts at least: a million empty files fill a disk too."""
_PAUSE = 1.0
_REST = 4
"""Times as long as a look took is waited before the next."""
_DEEPER_LOOK = 4
"""Every so many looks open files are looked at, too."""
_FREE = 2**30
"""Bytes that must stay free on the disk."""
_DEEPEST = 500
"""Directories in one another; nobody honest needs more, and paths get too long to look into."""


def used(directories: Sequence[Path], enough: int) -> int:
    """Return the bytes on disk below directories; follow no link.

    Args:
        directories: The directories; files removed meanwhile do not count.
        enough: Stop counting at so many bytes.
    """
    total = 0
    waiting = [(str(directory), 0) for directory in directories]
    while waiting and total <= enough:
        directory, depth = waiting.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    total += _SMALLEST
                    status = entry.stat(follow_symlinks=False)
                    total += max(0, status.st_blocks * _BLOCK - _SMALLEST)
                    if entry.is_dir(follow_symlinks=False):
                        if depth >= _DEEPEST:
                            return enough + 1
                        waiting.append((entry.path, depth + 1))
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return enough + 1
            continue  # removed, or closed by the notebook: the disk's free space is watched too
    return total


def held(processes: Iterable[int], device: int) -> int:
    """Return the bytes of files that were deleted, but are still open: no directory lists them.

    Args:
        processes: Numbers of the processes to look at, as this machine has them.
        device: Number of the disk.
    """
    files: dict[int, int] = {}
    for process in processes:
        try:
            with os.scandir(f"/proc/{process}/fd") as descriptors:
                for descriptor in descriptors:
                    status = Path(descriptor.path).stat()
                    if status.st_nlink == 0 and status.st_dev == device:
                        files[status.st_ino] = status.st_blocks * _BLOCK
        except OSError:
            continue  # it has ended meanwhile
    return sum(files.values())


class DiskWatch:
    """Looks again and again, in a thread of its own, until its `stop`.

    Args:
        directories: What a run can write to; all on one disk.
        limit: Bytes it may write.
        processes: Returns the run's processes; called every few checks.
        on_full: Called once, with a sentence, when there is more, or when the disk is nearly full.
    """

    def __init__(
        self,
        directories: Sequence[Path],
        limit: int,
        processes: Callable[[], Sequence[int]],
        on_full: Callable[[str], None],
    ) -> None:
        self._directories = directories
        self._limit = limit
        self._processes = processes
        self._on_full = on_full
        self._looks = 0
        self._stopped = threading.Event()
        threading.Thread(target=self._watch, name="mle-modernizer-disk", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def _watch(self) -> None:
        pause = _PAUSE
        while not self._stopped.wait(pause):
            begun = time.monotonic()
            message = self._look()
            if message and not self._stopped.is_set():
                self._on_full(message)
                return
            pause = max(_PAUSE, _REST * (time.monotonic() - begun))

    def _written(self) -> int:
        total = used(self._directories, self._limit)
        if self._looks % _DEEPER_LOOK == 0:
            try:
                device = self._directories[0].stat().st_dev
            except OSError:
                return 0  # the scratch directory was removed: the run is over
            total += held(self._processes(), device)
        return total

    def _look(self) -> str:
        self._looks += 1
        if self._written() > self._limit:
            return f"The notebook wrote more than the {in_words(self._limit)} it may and was ended."
        try:
            free = shutil.disk_usage(self._directories[0]).free
        except OSError:
            return ""  # the scratch directory was removed: the run is over
        if free < _FREE:
            return (
                f"The disk of the scratch directory has only {in_words(free)} left; the notebook "
                "was ended."
            )
        return ""
