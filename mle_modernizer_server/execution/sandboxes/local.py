"""Base of the local sandboxes: a command is wrapped and started as a child."""

from __future__ import annotations

import asyncio
import os
import site
import sys
from abc import abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.execution.sandboxes.base import Command, Finished, Place, Sandbox, Say
from mle_modernizer_server.execution.sandboxes.reaper import MARK, Processes, new_mark
from mle_modernizer_server.execution.sandboxes.waiting import is_done
from mle_modernizer_server.execution.sandboxes.workspace import Mounts

LOCAL_PROVISIONER = "mle-modernizer-sandbox"
"""Name of the entry point of their kernel provisioner."""

_LONGEST_OUTPUT = 20_000_000


class Local(Sandbox):
    """A sandbox that starts commands as children of the server."""

    provisioner = LOCAL_PROVISIONER
    gives_gpu = False
    """Whether a run can use a GPU of this machine."""

    @abstractmethod
    def prepare(self, mounts: Mounts) -> None:
        """Lay out the host's directories before the first command; may be repeated.

        Raises:
            OSError: The scratch directory cannot be written.
        """

    @abstractmethod
    def wrap(self, argv: tuple[str, ...], mounts: Mounts, *, network: bool = False) -> Command:
        """Return the command that runs `argv` inside the sandbox.

        `argv[0] == "python"` represents `mounts.interpreter`, or the server's own. `network`
        is for installing packages: the network can be reached, `mounts.packages` can be written,
        and pip's own settings (index, certificate) are set.
        """

    @asynccontextmanager
    async def place(
        self, mounts: Mounts, *, say: Say, cancel: asyncio.Event
    ) -> AsyncIterator[Place]:
        """Lay out the directories; there is nothing to wait for and nothing to remark."""
        await pools.sandboxes.run(self.prepare, mounts)
        yield Place()

    async def run(
        self, argv: tuple[str, ...], mounts: Mounts, *, end: float, cancel: asyncio.Event
    ) -> Finished:
        """Run a command with a network; all its processes end with it."""
        return await _finish(self.wrap(argv, mounts, network=True), end, cancel)

    async def run_isolated(
        self,
        argv: tuple[str, ...],
        mounts: Mounts,
        *,
        end: float,
        cancel: asyncio.Event,
    ) -> Finished:
        """Run a command isolated like a kernel; all its processes end with it.

        Args:
            argv: The command; `python` as its first part represents the interpreter.
            mounts: The run's directories and its interpreter.
            end: When to stop it, on the event loop's clock.
            cancel: Stops it at once.
        """
        return await _finish(self.wrap(argv, mounts), end, cancel)


def own_interpreter() -> Interpreter:
    """Return the server's own interpreter, with the paths of its files.

    The base of a virtual environment may be elsewhere; packages of the user count if this
    Python sees them.
    """
    prefixes = {
        Path(sys.prefix),
        Path(sys.exec_prefix),
        Path(sys.base_prefix),
        Path(sys.base_exec_prefix),
        Path(sys.executable).resolve().parent.parent,
    }
    user_base = Path(site.getuserbase()) if site.ENABLE_USER_SITE else None
    if user_base is not None:
        prefixes.add(Path(site.getusersitepackages()))
    found = tuple(sorted(prefix for prefix in prefixes if prefix.is_dir()))
    return Interpreter(Path(sys.executable), found, user_base)


def user_packages(interpreter: Interpreter) -> dict[str, str]:
    """Return the environment variable that shows or hides the user's own packages."""
    if interpreter.user_base is None:
        return {"PYTHONNOUSERSITE": "1"}
    return {"PYTHONUSERBASE": str(interpreter.user_base)}


async def _finish(command: Command, end: float, cancel: asyncio.Event) -> Finished:
    mark = new_mark()
    process = await asyncio.create_subprocess_exec(
        *command.argv,
        env={**command.env, MARK: mark},
        cwd=command.cwd,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=os.name == "posix",
    )
    processes = Processes(process.pid, mark, is_namespace=command.is_namespace)
    reading = asyncio.ensure_future(_read_all(process))
    rest = max(0.0, end - asyncio.get_running_loop().time())
    try:
        in_time = await is_done(reading, cancel, rest)
    finally:
        await processes.end()
    stdout, stderr, code = await reading
    if processes.objection:
        stderr = f"{stderr}\n{processes.objection}".strip()
    return Finished(code if in_time else None, stdout, stderr)


async def _read_all(process: asyncio.subprocess.Process) -> tuple[str, str, int]:
    stdout, stderr = await asyncio.gather(_read(process.stdout), _read(process.stderr))
    return stdout, stderr, await process.wait()


async def _read(stream: asyncio.StreamReader | None) -> str:
    """Return a stream's text up to a limit; read and drop the rest, so that pip can continue."""
    kept = bytearray()
    while stream is not None and (block := await stream.read(65536)):
        if len(kept) < _LONGEST_OUTPUT:
            kept += block
    return kept.decode("utf-8", "replace")
