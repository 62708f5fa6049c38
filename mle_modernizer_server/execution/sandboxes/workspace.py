"""The scratch directory of a run, and the directories of the host its kernel gets to see."""

from __future__ import annotations

import asyncio
import itertools
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from mle_modernizer_server.domain.errors import ScratchUnavailable
from mle_modernizer_server.domain.interpreter import Interpreter
from mle_modernizer_server.execution.process_identity import lives, this_process

_LONGEST_RUNTIME = 80
"""Bytes; a Unix socket's path may have 107, and some of them are the sockets' own names."""


_PREFIX = "mlem-"
_OWNER = "owner"
"""File that names the process a scratch directory belongs to."""


@dataclass(frozen=True)
class Mounts:
    """The directories of the host a kernel gets to see.

    Attributes:
        working: Scratch directory, the kernel's `/kaggle/working` and current directory.
        competition: Slug of the competition, or None.
        public: Its `prepared/public` directory, the kernel's `/kaggle/input/<slug>`.
        packages: Directory that `!pip install` lines were installed into, or None.
        runtime: Directory for the connection file and sockets.
        temp: The kernel's `/kaggle/temp`, or None.
        interpreter: The Python it runs in; None is the sandbox's own: the server's, or that of the
            container's image.
        beside: Files and folders of the host that are mounted read-only, each with its place:
            relative to the working directory, or absolute.
    """

    working: Path
    runtime: Path
    competition: str | None = None
    public: Path | None = None
    packages: Path | None = None
    temp: Path | None = None
    interpreter: Interpreter | None = None
    beside: tuple[tuple[Path, str], ...] = ()


_MOST_FLAT_ENTRIES = 1_000
_TABLES = frozenset({".csv", ".gz", ".zip", ".json", ".txt", ".parquet", ".feather", ".npy", ".h5"})


def flat_entries(mounts: Mounts) -> list[Path]:
    """What of the data also lies directly in `/kaggle/input`, as it did before 2019.

    A directory of many thousand pictures is not laid out twice: directories and tables go first,
    and a bounded number is taken.
    """
    if mounts.public is None:
        return []
    entries = [entry for entry in mounts.public.iterdir() if entry.name != mounts.competition]
    entries.sort(key=lambda entry: (not entry.is_dir(), entry.suffix not in _TABLES, entry.name))
    return entries[:_MOST_FLAT_ENTRIES]


class Workspace:
    """A scratch directory that is gone when its context ends, whatever happened in it.

    Use with `with` or `async with`.

    Attributes:
        working: What the notebook has as `/kaggle/working`.
        temp: What it has as `/kaggle/temp`.
        packages: Where its `!pip install` lines are installed.
        runtime: Connection file and sockets; its path is short.
    """

    working: Path
    temp: Path
    packages: Path
    runtime: Path

    def __init__(self, root: Path | None = None) -> None:
        """Make the directories.

        Args:
            root: Directory to make it in; the system's directory for temporary files if None.

        Raises:
            ScratchUnavailable: It cannot be made (no such directory, no right, disk full).
        """
        self._made: list[Path] = []
        try:
            self._make(root)
        except OSError as error:
            self.remove()
            raise scratch_unavailable(error, root or Path(tempfile.gettempdir())) from error

    def _make(self, root: Path | None) -> None:
        scratch = self._directory(root)
        self.working = scratch / "kaggle" / "working"
        self.temp = scratch / "kaggle" / "temp"
        self.packages = scratch / "packages"
        self.runtime = scratch / "runtime"
        if os.name == "posix" and len(os.fsencode(self.runtime)) > _LONGEST_RUNTIME:
            self.runtime = self._directory(Path("/tmp"))
        for directory in (self.working, self.temp, self.packages, self.runtime):
            directory.mkdir(parents=True, exist_ok=True)
        # An empty directory can be made on a disk that has no room for a single file.
        probe = self.runtime / "probe"
        probe.write_bytes(b"0" * 4096)
        probe.unlink()

    def _directory(self, root: Path | None) -> Path:
        made = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root)).resolve()
        self._made.append(made)
        (made / _OWNER).write_text(this_process())
        return made

    def mounts(
        self,
        competition: str | None = None,
        public: Path | None = None,
        interpreter: Interpreter | None = None,
    ) -> Mounts:
        """The directories a kernel in this workspace gets to see.

        Args:
            competition: Slug; None where the notebook has no competition.
            public: The competition's `prepared/public`.
            interpreter: The Python the kernel runs in; None is the sandbox's own.
        """
        return Mounts(
            working=self.working,
            runtime=self.runtime,
            competition=competition,
            public=None if public is None else public.resolve(),
            packages=self.packages,
            temp=self.temp,
            interpreter=interpreter,
        )

    def remove(self) -> None:
        """Remove all of it; nothing happens the second time."""
        while self._made:
            _remove_tree(self._made.pop())

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()

    async def __aenter__(self) -> Workspace:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.remove)


def remove_orphans(root: Path | None = None) -> int:
    """Remove the workspaces of processes that ended without removing them (a crash, a kill).

    Args:
        root: Where to look; the system's directory for temporary files if None.

    Returns:
        How many directories were removed.
    """
    removed = 0
    for directory in Path(root or tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            owner = (directory / _OWNER).read_text()
        except OSError:
            continue  # not ours, or being made or removed right now
        if not lives(owner):
            _remove_tree(directory)
            removed += 1
    return removed


def scratch_unavailable(error: OSError, place: Path) -> ScratchUnavailable:
    """The error a person sees when the scratch directory cannot be written."""
    return ScratchUnavailable(
        f"The scratch directory cannot be made in {place}: {error.strerror or error}. Free some "
        "space there, or set another directory for temporary files (TMPDIR)."
    )


def _remove_tree(directory: Path) -> None:
    """Remove a directory, however deep, and whatever rights the notebook took from itself.

    Directories are moved to the top before they are emptied, so that neither the length of a path
    nor our stack sets a limit. Somebody else may be removing it too.
    """
    numbers = itertools.count()
    waiting = [directory]
    while waiting:
        place = waiting.pop()
        for path in _entries(place):
            with suppress(FileNotFoundError):
                if path.is_dir() and not path.is_symlink():
                    path.chmod(stat.S_IRWXU)
                    waiting.append(path.rename(directory / str(next(numbers))))
                else:
                    _unlink(path)
        if place != directory:
            with suppress(FileNotFoundError):
                place.rmdir()
    with suppress(FileNotFoundError):
        directory.rmdir()


def _entries(directory: Path) -> list[Path]:
    try:
        return list(directory.iterdir())
    except FileNotFoundError:
        return []


def _unlink(path: Path) -> None:
    if os.name == "nt":
        path.chmod(stat.S_IRWXU)  # Windows keeps what is marked read-only
    path.unlink()
