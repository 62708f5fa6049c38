"""uv's own cache: its size, and its reduction.

It may be used by others, too, so only a person's command makes it smaller. Environments that were
made stay whole: their files are hard links, or copies.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from mle_modernizer_server.environments.uv import Uv, failure

_STEPS = 20
"""Packages are forgotten in about so many portions, the oldest first."""
_LIMIT = 600.0


class UvCache:
    """The cache of packages that uv fetched.

    Args:
        uv: The program.
    """

    def __init__(self, uv: Uv | None = None) -> None:
        self._uv = uv or Uv()

    @property
    def folder(self) -> Path:
        """Return its folder.

        Raises:
            EnvironmentUnavailable: uv does not report it.
        """
        return Path(self._run("dir").strip())

    def size(self) -> int:
        """Return its bytes; a file of several names counts once. Blocks.

        Raises:
            EnvironmentUnavailable: uv does not report its folder.
        """
        total = 0
        seen: set[tuple[int, int]] = set()
        for place, _, names in os.walk(self.folder):
            for name in names:
                try:
                    entry = (Path(place) / name).lstat()
                except OSError:
                    continue  # removed meanwhile
                if entry.st_nlink > 1:
                    if (entry.st_dev, entry.st_ino) in seen:
                        continue
                    seen.add((entry.st_dev, entry.st_ino))
                total += entry.st_size
        return total

    def prune(self, most: int) -> tuple[int, int]:
        """Remove unreferenced files, then the packages fetched longest ago. Blocks.

        Args:
            most: Bytes that may stay.

        Returns: Its bytes before and after.

        Raises:
            EnvironmentUnavailable: uv cannot do it.
        """
        before = self.size()
        self._run("prune")
        after = self.size()
        oldest = list(self._packages())
        portion = max(1, len(oldest) // _STEPS)
        while after > most and oldest:
            self._run("clean", *oldest[:portion])
            del oldest[:portion]
            after = self.size()
        return before, after

    def _packages(self) -> Iterator[str]:
        """Yield the packages in it, the one fetched longest ago first."""
        fetched: dict[str, float] = {}
        for pattern in ("wheels-*/pypi/*", "wheels-*/index/*/*", "sdists-*/pypi/*"):
            for folder in self.folder.glob(pattern):
                try:
                    age = folder.stat().st_mtime
                except OSError:
                    continue  # removed meanwhile
                if folder.is_dir():
                    fetched[folder.name] = max(age, fetched.get(folder.name, 0))
        yield from sorted(fetched, key=lambda name: fetched[name])

    def _run(self, *command: str) -> str:
        done = self._uv.run(("cache", *command), limit=_LIMIT)
        if done.code:
            raise failure(done)
        return done.stdout
