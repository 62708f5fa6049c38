"""The seam every sandbox stands behind: where a kernel lives and what it may touch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from mle_modernizer_server.domain.interpreter import Interpreter

if TYPE_CHECKING:
    from mle_modernizer_server.execution.sandboxes.workspace import Workspace


@dataclass(frozen=True)
class Availability:
    """Whether a sandbox can be used on this machine."""

    ok: bool
    reason: str = ""
    """Where not: why, and what to do about it."""
    at_hand: bool = True
    """False: it works, but something large must be fetched first; `reason` says what."""


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
    """

    working: Path
    runtime: Path
    competition: str | None = None
    public: Path | None = None
    packages: Path | None = None
    temp: Path | None = None
    interpreter: Interpreter | None = None


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


@dataclass(frozen=True)
class Finished:
    """A command that ran to its end in a sandbox.

    Attributes:
        code: Its exit code; None where it was ended because the time was up or on a cancel.
        stdout: What it printed, cut to a bounded length.
        stderr: The same.
    """

    code: int | None
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Place:
    """Where a run takes place.

    Attributes:
        image: The container image and its id; empty where there is none.
        remarks: What is otherwise than asked for, a sentence each.
        wanted: Whether somebody else waits for it right now.
    """

    image: str = ""
    remarks: tuple[str, ...] = ()
    wanted: Callable[[], bool] = field(default=lambda: False)


Say = Callable[[str], None]
"""Tells a person what is going on, in a sentence."""


class Sandbox(Protocol):
    """Knows where notebook code runs closed in, and what paths it sees.

    Its kernels are started by a kernel provisioner, its other commands (pip) by `run`.
    """

    name: str
    isolated: bool
    """False: notebook code runs with the user's own rights; the user must have agreed."""
    provisioner: str
    """Entry point of the kernel provisioner that starts its kernels."""

    def availability(self) -> Availability:
        """Whether it works here; answers soon, also where it does not."""

    def workspace(self, competition: str | None, public: Path | None) -> Workspace:
        """A scratch directory for a run with these data; whoever asks for it removes it.

        Raises:
            ScratchUnavailable: It cannot be made.
        """

    def warm_up(self, competition: str | None, public: Path | None) -> None:
        """Start in advance what a run with these data will need; returns at once, never fails."""

    def place(
        self, mounts: Mounts, *, say: Say, cancel: asyncio.Event
    ) -> AbstractAsyncContextManager[Place]:
        """All a run needs before its first command, and the certain end of it afterwards.

        Entering waits for a free place, fetches what is missing and lays out the directories; a
        cancel cuts it short.

        Args:
            mounts: The run's directories.
            say: Called with every step that takes time.
            cancel: Ends the waiting and fetching.

        Raises:
            SandboxUnavailable: Something is missing that cannot be fetched.
            OSError: The scratch directory cannot be written.
        """

    async def run(
        self, argv: tuple[str, ...], mounts: Mounts, *, end: float, cancel: asyncio.Event
    ) -> Finished:
        """Run a command that installs packages: with a network, and `mounts.packages` writable.

        `argv[0] == "python"` stands for the run's interpreter. No process of it is left.

        Args:
            argv: What to run.
            mounts: The run's directories.
            end: When to stop it, on the event loop's clock.
            cancel: Stops it at once.
        """

    def refusal(self, arguments: tuple[str, ...]) -> str:
        """Why pip is not to be called with these arguments; empty where it may be."""

    def localize(self, source: str, mounts: Mounts) -> str:
        """A cell's source with Kaggle's absolute paths mapped to what the kernel sees.

        The identity where the sandbox has Kaggle's paths.
        """

    def delocalize(self, text: str, mounts: Mounts) -> str:
        """The reverse for tracebacks and outputs, so that no path of the host is shown."""
