"""Configuration of a container: Kaggle's paths and limits, and nothing else of the host.

Options: https://docs.docker.com/reference/api/engine/version/v1.41/#tag/Container/operation/ContainerCreate
"""

from __future__ import annotations

import math
import os
import socket
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from docker.types import DeviceRequest, LogConfig, Mount, Ulimit

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.execution.process_identity import this_process
from mle_modernizer_server.execution.sandboxes.docker.engine import Engine, EngineFacts
from mle_modernizer_server.execution.sandboxes.docker.images import Image
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings, in_words
from mle_modernizer_server.execution.sandboxes.docker.volumes import PIP, Volumes, volume
from mle_modernizer_server.execution.sandboxes.environ import kernel_environ
from mle_modernizer_server.execution.sandboxes.workspace import (
    HOME,
    INPUT,
    PACKAGES,
    TEMP,
    WORKING,
    Mounts,
    flat_entries,
)

SOCKETS = "/run/mle-modernizer"

LABEL = "mle-modernizer"
"""On every container of ours; its value is the host and user it belongs to."""
OWNER = "mle-modernizer.owner"
"""The server process it belongs to."""
RUN = "mle-modernizer.run"
"""The scratch directory of its run."""

NOBODY = 65534
_LARGEST_FILE = 0.9
"""Part of the disk space that one file may take: writing more is an error in the cell."""
_SPARED = 0.1
"""Part of the machine's memory that no container gets."""

CONNECTION = f"{HOME}/.kernel.json"
"""The kernel's own copy of its connection file, which it may write."""

CONNECTION_VARIABLE = "MLE_MODERNIZER_CONNECTION"
"""The connection file's content, if the container shares no directory with us."""

_START = f"""\
if [ -n "${CONNECTION_VARIABLE}" ]; then
  (umask 077; printf %s "${CONNECTION_VARIABLE}" >{CONNECTION}); unset {CONNECTION_VARIABLE}
fi
if [ -r {SOCKETS}/kernel.json ]; then (umask 077; cat {SOCKETS}/kernel.json >{CONNECTION}); fi
python=$(command -v python || command -v python3) || {{ echo 'there is no python' >&2; exit 127; }}
command -v timeout >/dev/null || {{ echo 'there is no timeout (coreutils)' >&2; exit 127; }}
exec timeout -k 5 "$0" "$python" "$@"
"""


def belongs() -> str:
    """Return the label of our containers: this machine's and this user's."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    return f"{socket.gethostname()} {user}"


@dataclass(frozen=True)
class Limits:
    """The actual limits of a container.

    Attributes:
        memory: Bytes.
        cpus: Processors.
        gpus: A device request's count: 0 for none, -1 for all.
        remarks: Differences from the request.
    """

    memory: int
    cpus: float
    gpus: int
    remarks: Messages


def limits(settings: Settings, facts: EngineFacts) -> Limits:
    """Return the requested limits, reduced to the machine's resources.

    A smaller machine runs the notebook with its own resources, and the run reports it: most
    notebooks need far less than Kaggle provides. A GPU requested by number or `all` must exist.

    Raises:
        SandboxUnavailable: It does not.
    """
    remarks: Messages = ()
    most = int(facts.memory * (1 - _SPARED))
    if settings.memory > most:
        remarks += coded(
            "docker.less-memory",
            there=in_words(facts.memory),
            given=in_words(most),
            asked=in_words(settings.memory),
        )
    if settings.cpus > facts.cpus:
        remarks += coded("docker.fewer-processors", there=facts.cpus, asked=settings.cpus)
    wanted = settings.gpus
    if wanted not in ("auto", "none") and not facts.gpu:
        raise SandboxUnavailable(coded("docker.no-gpu"))
    gpus = 0 if wanted == "none" or not facts.gpu else -1 if wanted in ("auto", "all") else None
    return Limits(
        memory=min(settings.memory, most),
        cpus=min(settings.cpus, float(facts.cpus)),
        gpus=int(wanted) if gpus is None else gpus,
        remarks=remarks,
    )


def user_inside(facts: EngineFacts) -> tuple[int, int]:
    """Return user and group of a container: never root's, and able to write our scratch.

    In a rootless engine number 0 is the user who started it.
    """
    if not facts.reachable_files:
        return NOBODY, NOBODY
    if facts.rootless:
        return 0, 0
    if os.geteuid() == 0:
        return NOBODY, NOBODY
    return os.geteuid(), os.getegid()


@dataclass(frozen=True)
class Layout:
    """Directories of a run on the host, besides those of its mounts.

    Attributes:
        input: `/kaggle/input`: an empty directory for the data and links for the flat paths.
        sockets: Directory for the kernel's sockets.
    """

    input: Path
    sockets: Path

    @classmethod
    def of(cls, mounts: Mounts) -> Layout:
        """Return the directories of a run."""
        return cls(mounts.runtime / "input", mounts.runtime / "sockets")


def lay_out(mounts: Mounts, user: tuple[int, int]) -> None:
    """Make the directories and let the container's user write to them; may be repeated.

    Raises:
        OSError: The scratch directory cannot be written.
    """
    layout = Layout.of(mounts)
    for directory in (layout.input, layout.sockets):
        directory.mkdir(exist_ok=True)
    link = mounts.working / "input"
    if not link.is_symlink() and not link.exists():
        link.symlink_to(INPUT)
    if mounts.data is not None:
        (layout.input / PurePosixPath(mounts.data).relative_to(INPUT)).mkdir(exist_ok=True)
    for entry in flat_entries(mounts):
        flat = layout.input / entry.name
        if not flat.is_symlink():
            flat.symlink_to(f"{mounts.competition}/{entry.name}")
    for written in (mounts.working, mounts.temp, mounts.packages):
        if written is not None:
            _give(written, user)
    for path in mounts.working.rglob("*"):  # copies of files in the notebook's folder
        if not path.is_symlink():
            _give(path, user)


def _give(directory: Path, user: tuple[int, int]) -> None:
    if os.geteuid() == 0 and user != (0, 0):
        os.chown(directory, *user)


class Maker:
    """Makes the arguments of containers."""

    def __init__(self, engine: Engine, settings: Settings, image: Image) -> None:
        """Look at the machine.

        Raises:
            SandboxUnavailable: The engine cannot be used, or it has no GPU though one is requested.
        """
        self._engine = engine
        self._settings = settings
        self._image = image
        self._facts = engine.facts()
        self.limits = limits(settings, self._facts)
        self.user = user_inside(self._facts)
        self.remote = not self._facts.reachable_files

    def volumes(self, mounts: Mounts) -> Volumes:
        """Return the volumes that replace a run's directories if the engine cannot see ours."""
        return Volumes(self._engine, self._image.id, mounts, _labels(mounts))

    def kernel(
        self, argv: tuple[str, ...], mounts: Mounts, *, life: float, connection: str
    ) -> dict[str, Any]:
        """Return the arguments of a container for a kernel: no network at all.

        Args:
            argv: The kernel's arguments, those after the interpreter.
            mounts: Its directories.
            life: Seconds after which it ends by itself.
            connection: Content of its connection file, if it shares no directory with us.
        """
        environ: dict[str, str] = {}
        if self.remote:
            binds = _volumes(mounts, packages_writable=False)
            binds.append(Mount(SOCKETS, None, type="tmpfs"))
            environ[CONNECTION_VARIABLE] = connection
        else:
            binds = [*_kaggle(mounts), _bind(Layout.of(mounts).sockets, SOCKETS)]
            if mounts.packages is not None:
                binds.append(_bind(mounts.packages, PACKAGES, read_only=True))
        return self._arguments(
            argv, mounts, binds, network="none", life=life, environ=environ, log="1m"
        )

    def installer(
        self,
        argv: tuple[str, ...],
        mounts: Mounts,
        *,
        life: float,
        environ: dict[str, str],
        files: dict[Path, str],
    ) -> dict[str, Any]:
        """Return the arguments of a container to install packages, without the working directory.

        Args:
            argv: The interpreter's arguments.
            mounts: Whose `packages` it writes.
            life: Seconds after which it ends by itself.
            environ: pip's settings; only on an engine of another machine it has a network.
            files: Further files of the host to mount, and their places (certificates, pip.conf).
        """
        if self.remote:
            binds = _volumes(mounts, packages_writable=True)
            binds = [bind for bind in binds if bind["Target"] != WORKING]
            binds.append(Mount(WORKING, None, type="tmpfs"))
            source = volume(mounts, PIP)
            binds.append(Mount(f"/kaggle/{PIP}", source, type="volume", read_only=True))
        else:
            without = replace(mounts, working=mounts.runtime / "no-working")
            without.working.mkdir(exist_ok=True)
            _give(without.working, self.user)
            binds = _kaggle(without)
            if mounts.packages is not None:
                binds.append(_bind(mounts.packages, PACKAGES))
            binds += [_bind(file, inside, read_only=True) for file, inside in files.items()]
        return self._arguments(
            argv,
            mounts,
            binds,
            network=self._settings.pip_network if self.remote else "none",
            life=life,
            environ=environ,
            log="25m",
        )

    def _arguments(
        self,
        argv: tuple[str, ...],
        mounts: Mounts,
        binds: list[Mount],
        *,
        network: str,
        life: float,
        environ: dict[str, str],
        log: str,
    ) -> dict[str, Any]:
        memory = self.limits.memory
        half = memory // 2
        largest = int(self._settings.disk * _LARGEST_FILE)
        packages = PACKAGES if mounts.packages is not None else None
        variables = kernel_environ(
            home=HOME, path=None, packages=packages, threads=max(1, math.ceil(self.limits.cpus))
        )
        own_path = self._image.environ.get("PYTHONPATH")
        if packages and own_path:
            variables["PYTHONPATH"] = f"{packages}:{own_path}"
        devices = []
        if self.limits.gpus:
            devices.append(DeviceRequest(count=self.limits.gpus, capabilities=[["gpu"]]))
        host = self._engine.api.create_host_config(
            network_mode=network,
            read_only=True,
            tmpfs={HOME: f"rw,nosuid,nodev,size={half},mode=1777"},
            shm_size=half,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            ipc_mode="private",
            pids_limit=self._settings.pids,
            mem_limit=memory,
            memswap_limit=memory,
            nano_cpus=int(self.limits.cpus * 1e9),
            device_requests=devices or None,
            ulimits=[
                Ulimit(name="core", soft=0, hard=0),
                Ulimit(name="fsize", soft=largest, hard=largest),
            ],
            log_config=LogConfig(type="json-file", config={"max-size": log, "max-file": "1"}),
            init=True,
            mounts=binds,
        )
        return {
            "image": self._image.id,
            "entrypoint": ["sh", "-c", _START, f"{max(1, math.ceil(life))}"],
            "command": list(argv),
            "user": "{}:{}".format(*self.user),
            "working_dir": WORKING,
            "environment": {**variables, **environ},
            "hostname": "kaggle",
            "labels": _labels(mounts),
            "host_config": host,
        }


def _labels(mounts: Mounts) -> dict[str, str]:
    return {LABEL: belongs(), OWNER: this_process(), RUN: str(mounts.runtime)}


def _volumes(mounts: Mounts, *, packages_writable: bool) -> list[Mount]:
    """Return the same directories as volumes of the engine."""
    read_only = {"input": True, "working": False, "temp": False, "packages": not packages_writable}
    return [
        Mount(f"/kaggle/{name}", volume(mounts, name), type="volume", read_only=closed)
        for name, closed in read_only.items()
    ]


def _kaggle(mounts: Mounts) -> list[Mount]:
    binds = []
    if mounts.data != INPUT:
        binds.append(_bind(Layout.of(mounts).input, INPUT, read_only=True))
    if mounts.public is not None and mounts.data is not None:
        binds.append(_bind(mounts.public, mounts.data, read_only=True))
    binds.append(_bind(mounts.working, WORKING))
    if mounts.temp is not None:
        binds.append(_bind(mounts.temp, TEMP))
    return binds


def _bind(source: Path, target: str, *, read_only: bool = False) -> Mount:
    return Mount(
        target=target,
        source=str(source),
        type="bind",
        read_only=read_only,
        propagation="rprivate",
    )
