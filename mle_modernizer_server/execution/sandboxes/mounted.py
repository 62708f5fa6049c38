"""Configuration of all our kernel provisioners: the directories their kernels see."""

from __future__ import annotations

from pathlib import Path

from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Bool, Float, List, Unicode

from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.execution.sandboxes.workspace import DataLayout, Mounts, Workspace


class MountedProvisioner(KernelProvisionerBase):
    """A provisioner whose traits are set by a kernelspec's `metadata.kernel_provisioner.config`.

    Without `working` it makes its own workspace, which is removed when the kernel ends.
    """

    sandbox = Unicode("", help="Name of the sandbox; empty takes the first one that isolates.").tag(
        config=True
    )
    working = Unicode("", help="Host directory for /kaggle/working.").tag(config=True)
    temp = Unicode("", help="Host directory for /kaggle/temp.").tag(config=True)
    runtime = Unicode("", help="Host directory for the sockets; a short path.").tag(config=True)
    packages = Unicode("", help="Host directory first on Python's path.").tag(config=True)
    competition = Unicode("", help="Slug of the competition.").tag(config=True)
    public = Unicode("", help="The competition's public directory.").tag(config=True)
    python = Unicode("", help="The interpreter; empty takes the sandbox's own.").tag(config=True)
    prefixes = List(Unicode(), help="Directories shown for it.").tag(config=True)
    user_base = Unicode("", help="Where the user's own packages lie.").tag(config=True)
    beside = List(List(Unicode()), help="Files mounted read-only, each with its place.").tag(
        config=True
    )
    network = Bool(False, help="Whether it may reach public web servers.").tag(config=True)
    layout = Unicode("both", help="Where in /kaggle/input the data are.").tag(config=True)
    life = Float(
        0.0,
        help="Seconds after which the sandbox ends the kernel, where it can; 0: its longest.",
    ).tag(config=True)

    _workspace: Workspace | None = None

    def mounts(self) -> Mounts:
        """Return the configured directories, or those of its own workspace.

        Raises:
            ScratchUnavailable: There is no room for a workspace.
        """
        competition = self.competition or None
        public = Path(self.public) if self.public else None
        if not self.working:
            self._workspace = self._workspace or Workspace()
            return self._workspace.mounts(competition, public, self._interpreter())
        return Mounts(
            working=Path(self.working),
            runtime=Path(self.runtime),
            competition=competition,
            public=public,
            packages=Path(self.packages) if self.packages else None,
            temp=Path(self.temp) if self.temp else None,
            interpreter=self._interpreter(),
            beside=tuple((Path(source), place) for source, place in self.beside),
            network=self.network,
            layout=DataLayout(self.layout),
        )

    def _interpreter(self) -> Interpreter | None:
        if not self.python:
            return None
        prefixes = tuple(Path(prefix) for prefix in self.prefixes)
        return Interpreter(
            Path(self.python), prefixes, Path(self.user_base) if self.user_base else None
        )

    @property
    def owns_workspace(self) -> bool:
        """Return whether it has its own workspace."""
        return self._workspace is not None

    def remove_workspace(self) -> None:
        """Remove the workspace of its own, if it has one."""
        if self._workspace is not None:
            self._workspace.remove()
            self._workspace = None


def provisioner_config(sandbox: str, mounts: Mounts) -> dict[str, object]:
    """Return the `config` of a kernelspec that starts its kernel in these mounts."""
    paths = {
        "working": mounts.working,
        "temp": mounts.temp,
        "runtime": mounts.runtime,
        "packages": mounts.packages,
        "public": mounts.public,
    }
    config: dict[str, object] = {
        name: str(path) for name, path in paths.items() if path is not None
    }
    if mounts.interpreter is not None:
        user_base = mounts.interpreter.user_base
        config["python"] = str(mounts.interpreter.python)
        config["prefixes"] = [str(prefix) for prefix in mounts.interpreter.prefixes]
        config["user_base"] = "" if user_base is None else str(user_base)
    config["beside"] = [[str(source), place] for source, place in mounts.beside]
    config["network"] = mounts.network
    config["layout"] = mounts.layout.value
    return config | {"sandbox": sandbox, "competition": mounts.competition or ""}
