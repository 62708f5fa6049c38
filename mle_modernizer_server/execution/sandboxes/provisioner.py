"""The kernel provisioner: starts a Jupyter kernel inside a sandbox and ends it for certain.

Registered as `mle-modernizer-sandbox` in the entry point group
`jupyter_client.kernel_provisioners`, so that nbclient, the command line and JupyterLab's kernel
menu use the same sandboxes. Configured by a kernelspec's `metadata.kernel_provisioner.config`.
Source: https://jupyter-client.readthedocs.io/en/stable/provisioning.html
"""

from __future__ import annotations

import os
import signal
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from mle_modernizer_server.execution.sandboxes.base import ExitReason
from mle_modernizer_server.execution.sandboxes.choose import local_sandbox
from mle_modernizer_server.execution.sandboxes.mounted import MountedProvisioner
from mle_modernizer_server.execution.sandboxes.reaper import MARK, Processes, new_mark


class SandboxProvisioner(MountedProvisioner, LocalProvisioner):
    """Starts the kernel's command through a `Local` sandbox."""

    _mark = ""
    _is_namespace = False
    _processes: Processes | None = None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Put the connection into the runtime directory and wrap the command.

        Raises:
            SandboxUnavailable: The sandbox does not work here.
            ScratchUnavailable: There is no room for a workspace.
            OSError: The configured workspace cannot be written.
        """
        chosen = local_sandbox(self.sandbox or None)
        mounts = self.mounts()
        manager: Any = self.parent
        connection = mounts.runtime / "connection.json"
        if connection.is_symlink():
            connection.unlink()  # put there by a package that was installed before
        manager.connection_file = str(connection)
        if os.name == "posix":
            manager.transport = "ipc"
            manager.ip = str(mounts.runtime / "k")
        kwargs = await super().pre_launch(**kwargs)
        chosen.prepare(mounts)
        command = chosen.wrap(("python", *kwargs["cmd"][1:]), mounts)
        self._mark = self._mark or new_mark()
        self._is_namespace = command.is_namespace
        kwargs["cmd"] = list(command.argv)
        kwargs["env"] = {**command.env, MARK: self._mark}
        kwargs["cwd"] = None if command.cwd is None else str(command.cwd)
        return kwargs

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start the wrapped command."""
        info = await super().launch_kernel(cmd, **kwargs)
        if self.pid is not None:
            self._processes = Processes(self.pid, self._mark, is_namespace=self._is_namespace)
        return info

    def why(self, code: int) -> ExitReason:
        """Return why the kernel ended."""
        return ExitReason(code, message=self._processes.objection if self._processes else "")

    async def kill(self, restart: bool = False) -> None:
        """Kill every process of the kernel, also those that left its process group."""
        await self._reap()

    async def terminate(self, restart: bool = False) -> None:
        """Do the same as `kill`: a sandbox has no state that a graceful end would save."""
        await self._reap()

    async def send_signal(self, signum: int) -> None:
        """Signal the kernel; send killing signals to all its processes."""
        if signum == getattr(signal, "SIGKILL", signal.SIGTERM):
            await self._reap()
        else:
            await super().send_signal(signum)

    async def cleanup(self, restart: bool = False) -> None:
        """End the remaining processes of a kernel that died or was shut down."""
        await self._reap()
        await super().cleanup(restart=restart)
        if not restart:
            self.remove_workspace()

    async def _reap(self) -> None:
        if self._processes is not None:
            await self._processes.end()
