"""The settings of the Docker sandbox."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded

KAGGLE_IMAGE = "gcr.io/kaggle-images/python"
_UNITS = {"": 1, "b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([bkmgt]?)(?:i?b)?", re.IGNORECASE)
_GPUS = re.compile(r"auto|none|all|[1-9]\d?")


class PipNetwork(str, Enum):
    """Permissions of a notebook's `pip install` lines."""

    ALLOW = "allow"
    """Any index, address and repository."""
    INDEX_ONLY = "index-only"
    """Wheels of the configured index; no package's code runs while there is a network."""
    NEVER = "never"
    """Nothing is installed."""


@dataclass(frozen=True)
class Settings:
    """Settings of containers; sizes in bytes.

    Attributes:
        host: Address of the engine; empty: `DOCKER_HOST`, else the `docker` command's context.
        image: Any image with Python and ipykernel.
        memory: Limit without swap; `/tmp` and `/dev/shm` count.
        cpus: Processors.
        gpus: `auto` (all there are), `none`, `all`, or a number.
        pids: Processes and threads at most.
        disk: Limit of a run's files in `/kaggle/working`, `/kaggle/temp` and its packages.
        pip: Permissions of `pip install` lines.
        pip_network: Docker network of the container that installs packages.
        pool: Number of started containers, ready for the next run.
        containers: Runs at once; others wait.
        life: Seconds after which a container ends even if the server has died.
    """

    host: str = ""
    image: str = KAGGLE_IMAGE
    memory: int = 30 * 2**30
    cpus: float = 4.0
    gpus: str = "auto"
    pids: int = 1024
    disk: int = 20 * 2**30
    pip: PipNetwork = PipNetwork.ALLOW
    pip_network: str = "bridge"
    pool: int = 0
    containers: int = 4
    life: float = 12 * 3600.0


def size(text: str, name: str = "size") -> int:
    """Return the bytes of a size as Docker writes them: `30g`, `512m`, `1.5 GiB`.

    Args:
        text: The size; a number alone is in bytes.
        name: Its name in messages.

    Raises:
        BadSetting: It is none, or not above zero.
    """
    match = _SIZE.fullmatch(text.strip())
    value = 0 if match is None else int(float(match[1]) * _UNITS[match[2].lower()])
    if value <= 0:
        raise BadSetting(coded("docker.no-size", name=name, text=repr(text)))
    return value


def gpus(text: str) -> str:
    """Parse a request for graphics processors.

    Raises:
        BadSetting: It is none of `auto`, `none`, `all` and a number.
    """
    if not _GPUS.fullmatch(text):
        raise BadSetting(coded("docker.no-gpus-setting", text=repr(text)))
    return text


def in_words(number: float) -> str:
    """Return a size for people, e.g. `21.2 GB`; units of 1024 as Docker's."""
    for unit in ("bytes", "KB", "MB"):
        if number < 1024:
            return f"{number:.4g} {unit}"
        number /= 1024
    return f"{number:.1f}".removesuffix(".0") + " GB"
