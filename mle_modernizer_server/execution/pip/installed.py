"""Which packages a sandbox has, found out without running a notebook."""

from __future__ import annotations

import site
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Protocol, runtime_checkable

from pydantic import ValidationError

from mle_modernizer_server import pools
from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.kernel.environment import QUESTION_FOR_ALL
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.execution.sandboxes.local import own_interpreter
from mle_modernizer_server.untrusted.programs import minimal_environ, neutral_folder

_LIMIT = 60.0


@runtime_checkable
class ListsPackages(Protocol):
    """A sandbox whose Python is not the one that runs this server, such as a container's."""

    async def installed(self, script: str) -> Environment:
        """Return its Python's version and those of all its packages, by import name.

        Queried once and cached by their key (such as a container image's id).

        Args:
            script: Prints the answer.

        Raises:
            SandboxUnavailable: It cannot be queried.
        """


async def installed_packages(
    sandbox: Sandbox, interpreter: Interpreter | None = None
) -> Environment:
    """Return Python's version and those of all packages in a sandbox, by import name.

    Remembered until a package is installed or removed.

    Args:
        sandbox: The sandbox of a run.
        interpreter: The Python it would run in, which is started outside of the sandbox; None is
            the sandbox's own.

    Raises:
        SandboxUnavailable: The Python does not answer.
    """
    if interpreter is None and isinstance(sandbox, ListsPackages):
        return await sandbox.installed(QUESTION_FOR_ALL)
    chosen = interpreter or own_interpreter()
    return await pools.packages.run(_of_python, chosen, _state_of_packages(chosen))


def _state_of_packages(interpreter: Interpreter) -> tuple[tuple[str, int], ...]:
    """Changes whenever a package is installed into this Python or removed."""
    found = []
    for prefix in (*interpreter.prefixes, interpreter.user_base):
        for pattern in _PLACES if prefix is not None else ():
            for place in sorted(Path(prefix or "").glob(pattern)):
                found.append((str(place), place.stat().st_mtime_ns))
    return tuple(found)


_PLACES = ("lib/python3*/*-packages", "lib64/python3*/*-packages", "Lib/site-packages")
"""Package folders below a prefix: `dist-packages` is Debian's."""


@lru_cache(maxsize=16)
def _of_python(interpreter: Interpreter, _state: tuple[tuple[str, int], ...]) -> Environment:
    # A process of its own: the search would hold up everything else in this one. Isolated, for else
    # Python would import modules from the current folder, which may be a stranger's.
    script = QUESTION_FOR_ALL
    if interpreter.user_base is not None:
        script = f"import site; site.addsitedir({site.getusersitepackages()!r})\n{script}"
    try:
        done = subprocess.run(
            [str(interpreter.python), "-I", "-c", script],
            env=minimal_environ(),
            cwd=neutral_folder(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT,
            check=True,
        )
        return Environment.model_validate_json(done.stdout)
    except (OSError, subprocess.SubprocessError, ValidationError) as error:
        raise SandboxUnavailable(
            coded("sandbox.packages-unknown", name=type(error).__name__)
        ) from error
