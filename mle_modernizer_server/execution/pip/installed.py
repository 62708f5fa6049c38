"""Which packages a sandbox has, found out without running a notebook."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Protocol, runtime_checkable

from pydantic import ValidationError

from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.execution.kernel.inside.packages import QUESTION_FOR_ALL
from mle_modernizer_server.execution.sandboxes.base import Sandbox

_LIMIT = 60.0


@runtime_checkable
class TellsInstalled(Protocol):
    """A sandbox whose Python is not the one that runs this server, such as a container's."""

    async def installed(self) -> Environment:
        """Its Python's version and those of all its packages, by import name.

        Asked once and remembered by what they depend on (a container image's id, say).

        Raises:
            SandboxUnavailable: It cannot be asked.
        """


async def installed_packages(sandbox: Sandbox) -> Environment:
    """Python's version and those of all packages in a sandbox, by import name.

    Remembered until a package is installed or removed.

    Raises:
        SandboxUnavailable: The sandbox's Python gives no answer.
    """
    if isinstance(sandbox, TellsInstalled):
        return await sandbox.installed()
    return await asyncio.to_thread(_of_this_python, sys.executable, _state_of_packages())


def _state_of_packages() -> tuple[tuple[str, int], ...]:
    """Changes whenever a package is installed into this Python or removed."""
    found = []
    for place in sys.path:
        try:
            found.append((place, Path(place or ".").stat().st_mtime_ns))
        except OSError:
            continue  # a place on the path that does not exist holds no packages
    return tuple(found)


@lru_cache(maxsize=4)
def _of_this_python(executable: str, _state: tuple[tuple[str, int], ...]) -> Environment:
    # A process of its own: the search would hold up everything else in this one. Python's own
    # variables are left out, because kernels do not get them either.
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(
            [executable, "-c", QUESTION_FOR_ALL],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT,
            check=True,
        )
        return Environment.model_validate_json(done.stdout)
    except (OSError, subprocess.SubprocessError, ValidationError) as error:
        raise SandboxUnavailable(
            "The installed packages cannot be listed; what will break cannot be told before "
            f"a run ({type(error).__name__})."
        ) from error
