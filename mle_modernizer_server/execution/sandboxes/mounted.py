"""Configuration of all our kernel provisioners: the directories their kernels see."""

from __future__ import annotations

from pathlib import Path

from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Float, Instance, Unicode

from mle_modernizer_server.execution.sandboxes.workspace import Mounts, Workspace


class MountedProvisioner(KernelProvisionerBase):
    """A provisioner whose traits are set by a kernelspec's `metadata.kernel_provisioner.config`.

    Without `given` it makes its own workspace, which is removed when the kernel ends.
    """

    sandbox = Unicode("", help="Name of the sandbox; empty takes the first one that isolates.").tag(
        config=True
    )
    competition = Unicode("", help="Slug of the competition.").tag(config=True)
    public = Unicode("", help="The competition's public directory.").tag(config=True)
    life = Float(
        0.0,
        help="Seconds after which the sandbox ends the kernel, where it can; 0: its longest.",
    ).tag(config=True)
    given = Instance(Mounts, None, allow_none=True, help="The directories of a run of ours.")

    _workspace: Workspace | None = None

    def mounts(self) -> Mounts:
        """Return the given directories, or those of its own workspace.

        Raises:
            ScratchUnavailable: There is no room for a workspace.
        """
        if self.given is not None:
            return self.given
        self._workspace = self._workspace or Workspace()
        public = Path(self.public) if self.public else None
        return self._workspace.mounts(self.competition or None, public)

    @property
    def owns_workspace(self) -> bool:
        """Return whether it has its own workspace."""
        return self._workspace is not None

    def remove_workspace(self) -> None:
        """Remove the workspace of its own, if it has one."""
        if self._workspace is not None:
            self._workspace.remove()
            self._workspace = None
