"""The kernelspec "Kaggle Python (Docker)", for JupyterLab's kernel menu and every Jupyter client.

It is installed on demand, not with the package: on a machine without Docker it would only be an
entry of the menu that fails.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

from mle_modernizer_server.domain.errors import NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sandboxes.base import KERNEL_ARGV
from mle_modernizer_server.execution.sandboxes.docker.sandbox import DOCKER_PROVISIONER

NAME = "kaggle-docker"
TITLE = "Kaggle Python (Docker)"


def kernelspec(
    *,
    image: str | None = None,
    memory: str | None = None,
    cpus: float | None = None,
    gpus: str | None = None,
    competition: str | None = None,
    public: Path | None = None,
) -> dict[str, Any]:
    """Return the content of a `kernel.json`.

    Args:
        image: Its image; None, as for the others, uses the sandbox's configuration.
        memory: A size such as `16g`.
        cpus: Processors.
        gpus: `auto`, `none`, `all` or a number.
        competition: Slug of the competition whose data it mounts; without one it mounts none.
        public: The competition's `prepared/public`.
    """
    wishes = {"image": image, "memory": memory, "cpus": cpus, "gpus": gpus}
    config: dict[str, object] = {name: value for name, value in wishes.items() if value}
    if competition is not None and public is not None:
        config |= {"competition": competition, "public": str(public.resolve())}
    return {
        "argv": list(KERNEL_ARGV),
        "display_name": TITLE if competition is None else f"{TITLE}: {competition}",
        "language": "python",
        "interrupt_mode": "message",
        "metadata": {
            "kernel_provisioner": {"provisioner_name": DOCKER_PROVISIONER, "config": config},
        },
    }


def name_of(competition: str | None) -> str:
    """Return the kernelspec's name, as in `--kernel` and `jupyter kernelspec list`."""
    return NAME if competition is None else f"{NAME}-{competition.lower()}"


def install(name: str, spec: dict[str, Any], *, prefix: str | None) -> Path:
    """Write a kernelspec; an older one of that name is replaced.

    Args:
        name: Its name.
        spec: The content of its `kernel.json`.
        prefix: Environment to put it into; None: the user's own kernels.

    Returns:
        Its path.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernel.json").write_text(json.dumps(spec, indent=1) + "\n", "utf-8")
        place: str = KernelSpecManager().install_kernel_spec(
            folder, name, user=prefix is None, prefix=prefix
        )
    return Path(place)


def remove(name: str) -> Path:
    """Remove a kernelspec; return its former path.

    Raises:
        NotFound: There is none of that name.
    """
    try:
        place: str = KernelSpecManager().remove_kernel_spec(name)
    except (NoSuchKernel, KeyError) as error:
        raise NotFound(coded("kernelspec.missing", name=name)) from error
    return Path(place)
