"""Keeps containers started, so that a run does not wait for one.

The mounts of a container are fixed at its creation. So a pooled one belongs to the data of one
competition, has a scratch directory of its own, and comes with it: the run takes both. It serves
that one run and is never used again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path

from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.execution.sandboxes.docker.kernel_container import KernelContainer
from mle_modernizer_server.execution.sandboxes.workspace import Mounts, Workspace

Starter = Callable[[Workspace], KernelContainer]
"""Starts a kernel in a new workspace and waits until it listens."""

logger = logging.getLogger(__name__)


class WarmWorkspace(Workspace):
    """A scratch directory with a kernel that already runs in it; it ends with the directory."""

    def __init__(self, key: Hashable, life: float) -> None:
        super().__init__()
        self.key = key
        self.kernel: KernelContainer | None = None
        self._until = time.monotonic() + life

    def start(self, starter: Starter) -> None:
        """Start its kernel.

        Raises:
            ModernizerError, OSError: It does not start; the directory is removed.
        """
        try:
            self.kernel = starter(self)
        except BaseException:
            self.remove()
            raise

    def lives(self, seconds: float = 0) -> bool:
        """Return whether its kernel runs and may run for so many more seconds."""
        if self.kernel is None or self.kernel.exit is not None:
            return False
        return time.monotonic() + seconds < self._until

    def remove(self) -> None:
        """End the kernel and remove the directory."""
        if self.kernel is not None:
            self.kernel.end()
        super().remove()


class Pool:
    """The containers that wait for a run; may be used from several threads.

    Args:
        size: Their number, of all competitions together; the most recently requested ones stay.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._lock = threading.Lock()
        self._waiting: list[WarmWorkspace] = []
        self._starting: dict[Hashable, threading.Thread] = {}
        self._handed: dict[Path, WarmWorkspace] = {}
        self._closed = False

    def __len__(self) -> int:
        """Return the number of waiting containers."""
        return len(self._waiting)

    def hand_over(self, key: Hashable) -> WarmWorkspace | None:
        """Hand over a waiting workspace of that kind to the caller; None if absent."""
        with self._lock:
            found = next((item for item in self._waiting if item.key == key), None)
            if found is None:
                return None
            self._waiting.remove(found)
            if found.lives():
                self._handed[found.runtime] = found
                return found
        found.remove()
        return None

    def kernel(self, mounts: Mounts, life: float) -> KernelContainer | None:
        """Return the kernel that came with a workspace; once only, and only if it is unused.

        It is not if packages were installed meanwhile: their modules may have been
        imported already in another version.
        """
        with self._lock:
            found = self._handed.pop(mounts.runtime, None)
        if found is None or found.kernel is None:
            return None
        installed = mounts.packages is not None and any(mounts.packages.iterdir())
        if installed or not found.lives(life):
            found.kernel.end()
            return None
        return found.kernel

    def fill(self, key: Hashable, life: float, starter: Starter) -> None:
        """Ensure that one of that kind waits; start it in a thread."""
        with self._lock:
            there = any(item.key == key and item.lives() for item in self._waiting)
            if self._closed or self.size < 1 or there or key in self._starting:
                return
            thread = threading.Thread(
                target=self._start,
                args=(key, life, starter),
                name="mle-modernizer-pool",
                daemon=True,
            )
            self._starting[key] = thread
            thread.start()

    def empty(self, *, for_good: bool = False) -> None:
        """End all that wait.

        Args:
            for_good: Those that are being started too, which may take a second; none after them.
        """
        with self._lock:
            self._closed = self._closed or for_good
            ended, self._waiting = self._waiting, []
            starting = list(self._starting.values())
        for item in ended:
            item.remove()
        if for_good:
            for thread in starting:
                thread.join()

    def _start(self, key: Hashable, life: float, starter: Starter) -> None:
        item: WarmWorkspace | None = None
        try:
            item = WarmWorkspace(key, life)
            item.start(starter)
        except (ModernizerError, OSError) as error:
            # The run itself will fail with the same words; nobody waits for this one.
            logger.info("No container was made ready in advance: %s", error)
            item = None
        with self._lock:
            surplus = []
            if item is not None:
                self._waiting.append(item)
                keep = 0 if self._closed else self.size
                surplus = self._waiting[: max(0, len(self._waiting) - keep)]
                self._waiting = self._waiting[len(surplus) :]
        for old in surplus:
            old.remove()
        with self._lock:
            del self._starting[key]
