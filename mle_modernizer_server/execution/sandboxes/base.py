"""The seam every sandbox stands behind: where a kernel lives and what it may touch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol, runtime_checkable

from mle_modernizer_server.domain.execution import Ending, ReachedServer
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.execution.sandboxes.pip_options import InstallRequest
from mle_modernizer_server.execution.sandboxes.workspace import Mounts, Workspace

KERNEL_ARGV = (
    "python",
    "-m",
    "ipykernel_launcher",
    "-f",
    "{connection_file}",
    "--HistoryManager.enabled=False",
)
"""Without a history file: a full disk would print its complaint into a cell's output."""


@dataclass(frozen=True)
class Availability:
    """Whether a sandbox can be used on this machine."""

    ok: bool
    reason: Messages = ()
    """Where not: why, and what to do about it."""
    at_hand: bool = True
    """False: it works, but something large must be fetched first; `reason` says what."""


@dataclass(frozen=True)
class Command:
    """A process to start: argument vector, environment and current directory on the host."""

    argv: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    cwd: Path | None = None


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
        remarks: What is otherwise than asked for.
        wanted: Whether somebody else waits for it right now.
        reached: The servers that its kernel reached so far; None where it has no network.
    """

    image: str = ""
    remarks: Messages = ()
    wanted: Callable[[], bool] = field(default=lambda: False)
    reached: Callable[[], tuple[ReachedServer, ...]] | None = None


Say = Callable[[Messages], None]
"""Tells a person what is going on, in a sentence."""


class Reach(Enum):
    """Where a sandbox can put files for a run."""

    MOUNTS = "mounts"
    """Anywhere, and it can mount single files read-only."""
    SCRATCH = "scratch"
    """Anywhere in the scratch directory; absolute paths of the host are there anyway."""
    WORKING = "working"
    """In the working directory only."""


class Sandbox(Protocol):
    """Knows where notebook code runs closed in, and what paths it sees.

    Its kernels are started by a kernel provisioner, its other commands (pip) by `run`.
    """

    name: str
    isolated: bool
    """False: notebook code runs with the user's own rights; the user must have agreed."""
    provisioner: str
    """Entry point of the kernel provisioner that starts its kernels."""
    reach: Reach
    """Where it can put the files that lie beside a notebook."""
    gives_network: bool
    """Whether a run can be given a way to public web servers, and to nothing else."""

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

    def refusal(self, request: InstallRequest) -> str:
        """Return why pip must not be called for a request, as a sentence; else ""."""

    def localize(self, source: str, mounts: Mounts) -> str:
        """A cell's source with Kaggle's absolute paths mapped to what the kernel sees.

        The identity where the sandbox has Kaggle's paths.
        """

    def delocalize(self, text: str, mounts: Mounts) -> str:
        """The reverse for tracebacks and outputs, so that no path of the host is shown."""


@dataclass(frozen=True)
class ExitReason:
    """The end of a kernel nobody asked to end.

    Attributes:
        code: Its exit code, negative for a signal; None where it is not known.
        ending: What kind of end it is.
        message: A sentence where the sandbox knows more than the code.
    """

    code: int | None
    ending: Ending = Ending.KERNEL_DIED
    message: str = ""


@runtime_checkable
class DescribesExit(Protocol):
    """A kernel provisioner that knows what ended its kernel."""

    def why(self, code: int) -> ExitReason:
        """What it was, for the exit code the kernel ended with."""

    def stderr_tail(self) -> str:
        """What the kernel printed last, past its channels."""
