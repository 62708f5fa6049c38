"""The interface of every sandbox: place and permissions of a kernel."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
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
    """The reason for being unavailable, and the next step."""
    at_hand: bool = True
    """False: it works, but a large download is needed first; `reason` names it."""


@dataclass(frozen=True)
class Command:
    """A process to start.

    Attributes:
        argv: Its argument vector.
        env: Its environment variables.
        cwd: Its current directory on the host; None for that of the server.
        is_namespace: Whether all processes that it starts are in a PID namespace, which ends with
            it.
    """

    argv: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    is_namespace: bool = False


@dataclass(frozen=True)
class Finished:
    """A finished command in a sandbox.

    Attributes:
        code: Its exit code; None if it was ended by a timeout or a cancel.
        stdout: Its output, cut to a bounded length.
        stderr: The same.
    """

    code: int | None
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Place:
    """The place of a run.

    Attributes:
        image: The container image and its id; empty without one.
        remarks: Differences from the request.
        wanted: Whether another run is waiting for it.
        reached: The servers that its kernel reached so far; None without a network.
    """

    image: str = ""
    remarks: Messages = ()
    wanted: Callable[[], bool] = field(default=lambda: False)
    reached: Callable[[], tuple[ReachedServer, ...]] | None = None


Say = Callable[[Messages], None]
"""Reports progress to the user, in a sentence."""


class Reach(Enum):
    """Places into which a sandbox can put files for a run."""

    MOUNTS = "mounts"
    """Anywhere, and it can mount single files read-only."""
    SCRATCH = "scratch"
    """Anywhere in the scratch directory; absolute paths of the host are there anyway."""
    WORKING = "working"
    """In the working directory only."""


class Sandbox(ABC):
    """Isolates notebook code, and knows the paths that the code sees.

    Its kernels are started by a kernel provisioner, its other commands (pip) by `run`.
    """

    name: str
    isolated: bool
    """False: notebook code runs with the user's own rights; the user must have agreed."""
    provisioner: str
    """Entry point of the kernel provisioner that starts its kernels."""
    reach: Reach
    """Places into which it can put the files of the notebook's folder."""
    gives_network = False
    """Whether it can connect a run to public web servers only."""

    @abstractmethod
    def availability(self) -> Availability:
        """Return whether it works here; answers soon, also if it does not."""

    def workspace(self, competition: str | None, public: Path | None) -> Workspace:
        """Return a scratch directory for a run with these data; the caller removes it.

        Raises:
            ScratchUnavailable: It cannot be made.
        """
        return Workspace()

    def warm_up(self, competition: str | None, public: Path | None) -> None:
        """Start in advance the resources of a run with these data; return at once, never fail."""
        return

    @abstractmethod
    def place(
        self, mounts: Mounts, *, say: Say, cancel: asyncio.Event
    ) -> AbstractAsyncContextManager[Place]:
        """Prepare a run before its first command, and clean up in any case afterwards.

        Entering waits for a free place, fetches what is missing and lays out the directories; a
        cancel cuts it short.

        Args:
            mounts: The run's directories.
            say: Called with every step that takes time.
            cancel: Ends the waiting and fetching.

        Raises:
            SandboxUnavailable: A missing part cannot be fetched.
            OSError: The scratch directory cannot be written.
        """

    @abstractmethod
    async def run(
        self, argv: tuple[str, ...], mounts: Mounts, *, end: float, cancel: asyncio.Event
    ) -> Finished:
        """Run a command that installs packages: with a network, and `mounts.packages` writable.

        `argv[0] == "python"` represents the run's interpreter. All its processes are ended.

        Args:
            argv: The command to run.
            mounts: The run's directories.
            end: When to stop it, on the event loop's clock.
            cancel: Stops it at once.
        """

    def refusal(self, request: InstallRequest) -> str:
        """Return why pip must not be called for a request, as a sentence; else ""."""
        return ""

    def localize(self, source: str, mounts: Mounts) -> str:
        """Return a cell's source with Kaggle's absolute paths mapped to the kernel's.

        The identity if the sandbox has Kaggle's paths.
        """
        return source

    def delocalize(self, text: str, mounts: Mounts) -> str:
        """Reverse `localize` for tracebacks and outputs, so that no path of the host is visible."""
        return text


@dataclass(frozen=True)
class ExitReason:
    """The unexpected end of a kernel.

    Attributes:
        code: Its exit code, negative for a signal; None if unknown.
        ending: Kind of the end.
        message: A sentence if the sandbox knows more than the code.
    """

    code: int | None
    ending: Ending = Ending.KERNEL_DIED
    message: str = ""


@runtime_checkable
class DescribesExit(Protocol):
    """A kernel provisioner that knows why its kernel ended."""

    def why(self, code: int) -> ExitReason:
        """Return the reason for the exit code the kernel ended with."""


@runtime_checkable
class KeepsLastWords(Protocol):
    """A kernel provisioner that reads what its kernel prints outside its channels."""

    def stderr_tail(self) -> str:
        """Return the last lines that the kernel printed outside its channels."""
