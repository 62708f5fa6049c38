"""The kernel provisioner for containers.

Registered as `mle-modernizer-docker` in the entry point group `jupyter_client.kernel_provisioners`.
Source: https://jupyter-client.readthedocs.io/en/stable/provisioning.html
"""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import Any, cast

from jupyter_client.connect import KernelConnectionInfo
from traitlets import Float, Unicode

from mle_modernizer_server import pools
from mle_modernizer_server.execution.sandboxes.base import ExitReason
from mle_modernizer_server.execution.sandboxes.choose import docker
from mle_modernizer_server.execution.sandboxes.docker.kernel_container import (
    Connection,
    KernelContainer,
    connection_file,
    new_connection,
)
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from mle_modernizer_server.execution.sandboxes.docker.settings import gpus, size
from mle_modernizer_server.execution.sandboxes.mounted import MountedProvisioner


class DockerProvisioner(MountedProvisioner):
    """Starts a kernel in a container of its own, and a new container for every restart."""

    image = Unicode("", help="Image; empty: the one of `DockerSandbox.image`.").tag(config=True)
    memory = Unicode("", help="Memory, such as 16g; empty: `DockerSandbox.memory`.").tag(
        config=True
    )
    cpus = Float(0.0, help="Processors; 0: `DockerSandbox.cpus`.").tag(config=True)
    gpus = Unicode("", help="GPUs; empty: `DockerSandbox.gpus`.").tag(config=True)

    _kernel: KernelContainer | None = None
    _connection: Connection | None = None

    @property
    def has_process(self) -> bool:
        """Return whether a kernel was started and has not been seen to end."""
        return self._kernel is not None

    async def poll(self) -> int | None:
        """Return its exit code; None while it runs."""
        if self._kernel is None:
            return 0
        return None if self._kernel.exit is None else self._kernel.exit.code

    async def wait(self) -> int | None:
        """Wait for its end."""
        if self._kernel is None:
            return 0
        code = await self._kernel.ending()
        self._kernel = None
        return code

    def why(self, code: int) -> ExitReason:
        """Return why the kernel ended."""
        return ExitReason(code) if self._kernel is None else self._kernel.why(code)

    def stderr_tail(self) -> str:
        """Return the last lines that an ended kernel printed."""
        return "" if self._kernel is None else self._kernel.stderr_tail()

    async def send_signal(self, signum: int) -> None:
        """End it on a killing signal; an interrupt is a message, other signals do not reach it.

        Raises:
            NotImplementedError: The signal is neither.
        """
        if signum == 0:
            return
        if signum not in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            raise NotImplementedError("a kernel in a container is interrupted by a message")
        await self.kill()

    async def kill(self, restart: bool = False) -> None:
        """Kill the container, and so every process in it."""
        if self._kernel is not None:
            await pools.sandboxes.run(self._kernel.end)

    async def terminate(self, restart: bool = False) -> None:
        """Do the same as `kill`: a container has no state that a graceful end would save."""
        await self.kill(restart)

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Lay out the directories and the connection.

        Raises:
            SandboxUnavailable: The engine cannot be used, or the image is not there.
            ScratchUnavailable: There is no room for a workspace.
            OSError: The configured workspace cannot be written.
        """
        mounts = self.mounts()
        sandbox = self._sandbox()
        self._kernel = await pools.sandboxes.run(sandbox.warm_kernel, mounts, self.life)
        if self._kernel is not None:
            self._connection = self._kernel.connection
        else:
            await pools.sandboxes.run(sandbox.prepare, mounts)
            self._connection = self._connection or new_connection(mounts)
        manager: Any = self.parent
        if manager is not None:
            manager.connection_file = str(connection_file(mounts))
            manager.load_connection_info(_with_key(self._connection))
        return {"cmd": list(self.kernel_spec.argv), "env": {}}

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start a container and wait until its kernel listens.

        Raises:
            SandboxUnavailable: The image has no kernel, or the engine refuses, with its reason.
        """
        if self._connection is None:
            raise RuntimeError("launch_kernel comes after pre_launch")
        if self._kernel is not None:  # one that was started in advance
            return cast(KernelConnectionInfo, _with_key(self._connection))
        mounts = self.mounts()
        sandbox = self._sandbox()
        self._kernel = await pools.sandboxes.run(sandbox.kernel, mounts, self._connection)
        try:
            await pools.sandboxes.run(self._kernel.start, cmd, life=sandbox.life(self.life))
            await pools.sandboxes.run(self._kernel.wait_until_ready)
        except BaseException:
            await pools.sandboxes.run(self._kernel.end)
            self._kernel = None
            raise
        return cast(KernelConnectionInfo, _with_key(self._connection))

    async def cleanup(self, restart: bool = False) -> None:
        """Make sure of its end; a workspace of its own goes with the kernel."""
        await self.kill(restart)
        if not restart and self.owns_workspace:
            await pools.sandboxes.run(self._sandbox().discard, self.mounts())
            await pools.sandboxes.run(self.remove_workspace)

    def resolve_path(self, path: str) -> str | None:
        """Return None: paths within the container are not this machine's."""
        return None

    def _sandbox(self) -> Docker:
        """Return the process's sandbox, or one like it with the kernelspec's settings.

        Raises:
            BadSetting: The kernelspec's memory or GPUs are invalid.
        """
        sandbox = docker()
        own = sandbox.settings
        wanted = replace(
            own,
            image=self.image or own.image,
            memory=size(self.memory, "memory") if self.memory else own.memory,
            cpus=self.cpus or own.cpus,
            gpus=gpus(self.gpus) if self.gpus else own.gpus,
        )
        return sandbox if wanted == own else sandbox.like(wanted)


def _with_key(connection: Connection) -> Connection:
    """Return the connection in the managers' form: its key as bytes."""
    return {**connection, "key": str(connection["key"]).encode()}
