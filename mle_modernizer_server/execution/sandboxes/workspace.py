"""The scratch directory of a run, and the directories of the host its kernel gets to see."""

from __future__ import annotations

import itertools
import logging
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.errors import ScratchUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.process_identity import lives, this_process
from mle_modernizer_server.untrusted.files import is_folder

_logger = logging.getLogger(__name__)

_LONGEST_RUNTIME = 80
"""Bytes; a Unix socket's path may have 107, and some of them are the sockets' own names."""


INPUT = "/kaggle/input"
WORKING = "/kaggle/working"
TEMP = "/kaggle/temp"
PACKAGES = "/kaggle/packages"
HOME = "/tmp"
"""The kernel's directories, in a sandbox that has Kaggle's paths."""

_PREFIX = "mlem-"
_OWNER = "owner"
"""File that names the process a scratch directory belongs to."""


class DataLayout(str, Enum):
    """Places of a competition's data: Kaggle's way since 2019, until 2019, or both."""

    SLUG = "slug"
    """In `/kaggle/input/<slug>`."""
    FLAT = "flat"
    """Directly in `/kaggle/input`."""
    BOTH = "both"
    """In `/kaggle/input/<slug>`, with links to them directly in `/kaggle/input`."""


@dataclass(frozen=True)
class Mounts:
    """The directories of the host that a kernel sees.

    Attributes:
        working: Scratch directory, the kernel's `/kaggle/working` and current directory.
        competition: Slug of the competition, or None.
        public: Its `prepared/public` directory, in the kernel's `/kaggle/input`.
        packages: Directory that `!pip install` lines were installed into, or None.
        runtime: Directory for the connection file and sockets.
        temp: The kernel's `/kaggle/temp`, or None.
        interpreter: The Python it runs in; None is the sandbox's own: the server's, or that of the
            container's image.
        beside: Files and folders of the host that are mounted read-only, each with its place:
            relative to the working directory, or absolute.
        network: The kernel may reach web servers of the public network.
        layout: Places of the data in `/kaggle/input`.
    """

    working: Path
    runtime: Path
    competition: str | None = None
    public: Path | None = None
    packages: Path | None = None
    temp: Path | None = None
    interpreter: Interpreter | None = None
    beside: tuple[tuple[Path, str], ...] = ()
    network: bool = False
    layout: DataLayout = DataLayout.BOTH

    @property
    def data(self) -> str | None:
        """Return the kernel's path of the data, `/kaggle/input` or a folder of it, or None."""
        if self.public is None:
            return None
        if self.layout is DataLayout.FLAT:
            return INPUT
        return None if self.competition is None else f"{INPUT}/{self.competition}"


_MOST_FLAT_ENTRIES = 1_000
_TABLES = frozenset({".csv", ".gz", ".zip", ".json", ".txt", ".parquet", ".feather", ".npy", ".h5"})


def flat_entries(mounts: Mounts) -> list[Path]:
    """Return the entries of the data that have a link directly in `/kaggle/input`.

    A directory of many thousand pictures is not laid out twice: directories and tables go first,
    and a bounded number is taken.
    """
    if mounts.public is None or mounts.data is None or mounts.layout is not DataLayout.BOTH:
        return []
    entries = [entry for entry in mounts.public.iterdir() if entry.name != mounts.competition]
    entries.sort(key=lambda entry: (not is_folder(entry), entry.suffix not in _TABLES, entry.name))
    return entries[:_MOST_FLAT_ENTRIES]


class Workspace:
    """A scratch directory that is always removed when its context ends.

    Use with `with` or `async with`.

    Attributes:
        working: The notebook's `/kaggle/working`.
        temp: The notebook's `/kaggle/temp`.
        packages: Directory for its `!pip install` lines.
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
        """Return the directories that a kernel in this workspace sees.

        Args:
            competition: Slug; None if the notebook has no competition.
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

    def __exit__(self, *_: object) -> None:
        self.remove()

    async def __aenter__(self) -> Workspace:
        return self

    async def __aexit__(self, *_: object) -> None:
        await pools.sandboxes.run(self.remove)


def remove_orphans(root: Path | None = None) -> int:
    """Remove the workspaces of processes that ended without removing them (a crash, a kill).

    It never fails: directories that cannot be removed are logged and stay.

    Args:
        root: Their folder; the system's directory for temporary files if None.

    Returns:
        Number of removed directories.
    """
    removed = 0
    for name in _names(str(root or tempfile.gettempdir())):
        directory = Path(root or tempfile.gettempdir(), name)
        if not name.startswith(_PREFIX):
            continue
        try:
            owner = (directory / _OWNER).read_text("utf-8", "replace")
        except OSError:
            continue  # not ours, or being made or removed right now
        if not lives(owner):
            removed += _remove_tree(directory)
    return removed


def scratch_unavailable(error: OSError, place: Path) -> ScratchUnavailable:
    """Return the error for the user if the scratch directory cannot be written."""
    return ScratchUnavailable(
        coded("scratch.not-made", place=str(place), why=str(error.strerror or error))
    )


def _remove_tree(directory: Path) -> bool:
    """Remove a directory of any depth, even without the rights that the notebook removed.

    No link is followed, and no error stops it: entries that cannot be removed are left and
    logged. Directories are moved to the top before they are emptied, so that neither the length of
    a path nor our stack sets a limit. Another process may be removing it too. The owner's name is
    removed last, so that the next server can continue after this process was killed.

    Returns:
        Whether it is removed completely.
    """
    top = str(directory)
    owner = os.path.join(top, _OWNER)  # noqa: PTH118  # compared with names as text
    numbers = itertools.count()
    waiting = [top]
    problem: OSError | None = None
    while waiting:
        place = waiting.pop()
        for name in _names(place):
            path = os.path.join(place, name)  # noqa: PTH118  # names need not be text
            try:
                if stat.S_ISDIR(os.lstat(path).st_mode):
                    os.chmod(path, stat.S_IRWXU)  # noqa: PTH101
                    waiting.append(_moved(path, top, numbers))
                elif path != owner:
                    _unlink(path)
            except FileNotFoundError:
                continue  # somebody else removed it
            except OSError as error:
                problem = error
        try:
            os.rmdir(place)  # noqa: PTH106
        except FileNotFoundError:
            continue
        except OSError as error:
            # The top one is emptied last: until then, it contains the moved directories.
            problem = error if place != top else problem
    with suppress(OSError):
        if _names(top) == [_OWNER]:
            _unlink(owner)
        os.rmdir(top)  # noqa: PTH106
    left = os.path.lexists(top)
    if left:
        _logger.warning("A scratch directory could not be removed whole: %s (%s)", top, problem)
    return not left


def _moved(path: str, top: str, numbers: Iterator[int]) -> str:
    """Move a directory to the top, under a name that is free there.

    Raises:
        OSError: It cannot be moved.
    """
    while True:
        target = os.path.join(top, str(next(numbers)))  # noqa: PTH118
        if not os.path.lexists(target):
            os.rename(path, target)  # noqa: PTH104
            return target


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)  # noqa: PTH208
    except OSError:
        return []  # removed, or unreadable: then removing it fails, and is logged


def _unlink(path: str) -> None:
    if os.name == "nt":
        os.chmod(path, stat.S_IRWXU)  # noqa: PTH101  # Windows keeps what is marked read-only
    os.unlink(path)  # noqa: PTH108
