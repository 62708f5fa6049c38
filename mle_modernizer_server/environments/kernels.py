"""Kernels of made environments in Jupyter's own menu: a notebook runs there unchanged.

They are kernels like any other, without a sandbox, and are put there and taken away by a person's
command only. An environment that such a kernel runs in is not removed.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel

from mle_modernizer_server.domain.environment import MadeEnvironment
from mle_modernizer_server.domain.errors import BadInput, NotFound
from mle_modernizer_server.domain.message import coded

_PREFIX = "mle-modernizer-"
_KEY = "mle_modernizer"
_NAME = re.compile(_PREFIX + r"[0-9a-f]{16}")


def name_for(notebook: str) -> str:
    """Return the name of a notebook's kernel, from its path."""
    return _PREFIX + hashlib.sha256(notebook.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def install(notebook: str, title: str, interpreter: Path, record: MadeEnvironment) -> str:
    """Put a kernel of a made environment among the user's own; an older one is replaced.

    Args:
        notebook: Path of the notebook it is for.
        title: Name in the menu.
        interpreter: The environment's Python.
        record: The environment.

    Returns: Its name.

    Raises:
        BadInput: The user's kernels cannot be written.
    """
    name = name_for(notebook)
    spec = {
        "argv": [str(interpreter), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": title,
        "language": "python",
        "metadata": {
            _KEY: {"environment": record.id, "lock": record.lock, "notebook": notebook},
        },
    }
    try:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "kernel.json").write_text(json.dumps(spec, indent=1) + "\n", "utf-8")
            KernelSpecManager().install_kernel_spec(folder, name, user=True)
    except OSError as error:
        raise BadInput(coded("kernelspec.not-written", why=str(error.strerror))) from error
    return name


def remove(notebook: str) -> str:
    """Take a notebook's kernel out of the menu; return the id of its environment, which stays.

    Raises:
        NotFound: It has none.
    """
    name = name_for(notebook)
    manager = KernelSpecManager()
    try:
        environment = _environment(manager.get_kernel_spec(name))
        manager.remove_kernel_spec(name)
    except (NoSuchKernel, KeyError, OSError, ValueError) as error:
        raise NotFound(coded("kernelspec.not-in-menu")) from error
    return environment


def environments_in_menu() -> frozenset[str]:
    """Return the ids of the made environments that kernels in the menu run in."""
    return frozenset(_of_menu())


def _of_menu() -> Iterator[str]:
    manager = KernelSpecManager()
    for name in manager.find_kernel_specs():
        if _NAME.fullmatch(name):
            try:
                yield _environment(manager.get_kernel_spec(name))
            except (NoSuchKernel, OSError, ValueError):
                continue  # it was taken away, or is no kernel of ours any more


def _environment(spec: KernelSpec) -> str:
    kept = spec.metadata.get(_KEY)
    return str(kept.get("environment", "")) if isinstance(kept, dict) else ""
