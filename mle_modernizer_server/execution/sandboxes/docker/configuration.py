"""The settings of the Docker sandbox in Jupyter's configuration."""

from __future__ import annotations

from collections.abc import Callable

from traitlets import Enum, Float, Int, TraitError, Unicode, validate
from traitlets.config import Configurable

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.execution.sandboxes.docker.settings import (
    KAGGLE_IMAGE,
    PipNetwork,
    Settings,
    gpus,
    size,
)


class DockerSandbox(Configurable):
    """Kernels in containers: in `jupyter_server_config.py`, `c.DockerSandbox.memory = "16g"`."""

    host = Unicode(
        "",
        help="Address of the engine. Empty: DOCKER_HOST, else the one the docker command uses.",
    ).tag(config=True)
    image = Unicode(KAGGLE_IMAGE, help="Image; any with Python and ipykernel works.").tag(
        config=True
    )
    memory = Unicode(
        "30g", help="Memory of a container, without swap; /tmp and /dev/shm count."
    ).tag(config=True)
    cpus = Float(4.0, min=0.01, help="Processors of a container.").tag(config=True)
    gpus = Unicode("auto", help="GPUs of a container: auto, none, all or a number.").tag(
        config=True
    )
    pids_limit = Int(1024, min=64, help="Processes and threads of a container.").tag(config=True)
    disk = Unicode("20g", help="Disk space a notebook may use.").tag(config=True)
    pip = Enum(
        [choice.value for choice in PipNetwork],
        default_value=PipNetwork.ALLOW.value,
        help="What pip install lines may reach: allow (everything), index-only (wheels of the "
        "configured index), never.",
    ).tag(config=True)
    pip_network = Unicode(
        "bridge", help="Docker network of the container that installs packages."
    ).tag(config=True)
    pool_size = Int(
        1,
        min=0,
        help="Number of containers kept ready for the next run. 0: every run starts its own.",
    ).tag(config=True)
    max_containers = Int(4, min=1, help="Number of containers that run notebooks at once.").tag(
        config=True
    )
    longest_life = Float(
        12 * 3600.0, min=60, help="Seconds after which a container ends by itself."
    ).tag(config=True)

    @validate("memory", "disk")
    def _is_size(self, proposal: dict[str, str]) -> str:
        return _checked(size, proposal["value"])

    @validate("gpus")
    def _is_gpus(self, proposal: dict[str, str]) -> str:
        return _checked(gpus, proposal["value"])

    def settings(self) -> Settings:
        """Return the values, sizes in bytes."""
        return Settings(
            host=self.host,
            image=self.image,
            memory=size(self.memory),
            cpus=self.cpus,
            gpus=self.gpus,
            pids=self.pids_limit,
            disk=size(self.disk),
            pip=PipNetwork(self.pip),
            pip_network=self.pip_network,
            pool=self.pool_size,
            containers=self.max_containers,
            life=self.longest_life,
        )


def _checked(check: Callable[[str], object], value: str) -> str:
    try:
        check(value)
    except BadSetting as error:
        raise TraitError(error.message) from error
    return value
