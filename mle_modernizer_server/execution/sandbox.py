"""The seam every sandbox stands behind: where a kernel lives and what it may touch."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Availability:
    """Whether a sandbox can be used on this machine."""

    ok: bool
    reason: str = ""
    """Where not: why, and what to do about it."""


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
    """

    working: Path
    runtime: Path
    competition: str | None = None
    public: Path | None = None
    packages: Path | None = None
    temp: Path | None = None


@dataclass(frozen=True)
class Command:
    """A process to start: argument vector, environment and current directory on the host."""

    argv: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    cwd: Path | None = None


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


class Sandbox(Protocol):
    """Knows how to start a command (a kernel, pip) closed in, and what paths it sees."""

    name: str
    isolated: bool
    """False: notebook code runs with the user's own rights; the user must have agreed."""

    def availability(self) -> Availability:
        """Whether it works here; found out once and remembered."""

    def prepare(self, mounts: Mounts) -> None:
        """Lay out on the host what must be there before the first command; may be repeated.

        Raises:
            OSError: The scratch directory cannot be written.
        """

    def wrap(self, argv: tuple[str, ...], mounts: Mounts, *, network: bool = False) -> Command:
        """The command that runs `argv` inside the sandbox.

        `argv[0] == "python"` stands for the sandbox's own Python interpreter. `network` is for
        installing packages: the network can be reached, `mounts.packages` can be written, and
        pip's own settings (index, certificate) are there.
        """

    def localize(self, source: str, mounts: Mounts) -> str:
        """A cell's source with Kaggle's absolute paths mapped to what the kernel sees.

        The identity where the sandbox has Kaggle's paths.
        """

    def delocalize(self, text: str, mounts: Mounts) -> str:
        """The reverse for tracebacks and outputs, so that no path of the host is shown."""
