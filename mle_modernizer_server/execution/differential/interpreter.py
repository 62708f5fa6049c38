"""A Python of another time on this machine: which one it is and where its files lie."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path

from pydantic import BaseModel, ValidationError

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.interpreter import Interpreter
from mle_modernizer_server.domain.message import coded

_OLDEST = (3, 6)
_LIMIT = 30.0
_QUESTION = """
import json, sys
print(json.dumps({
    "executable": sys.executable,
    "version": list(sys.version_info[:3]),
    "directories": sorted({sys.prefix, sys.exec_prefix, getattr(sys, "base_prefix", sys.prefix),
                           getattr(sys, "base_exec_prefix", sys.exec_prefix)}),
}))
"""


class _Answer(BaseModel):
    executable: str
    version: tuple[int, int, int]
    directories: tuple[str, ...]


async def inspect_python(path: Path) -> Interpreter:
    """Ask a Python where its files lie. It is started outside of any sandbox, in isolated mode.

    Args:
        path: The interpreter, or the directory of its virtual environment.

    Raises:
        BadInput: It is no Python, one before 3.6, or one whose files lie where a sandbox would
            have to show all of the machine or of somebody's home.
    """
    return await asyncio.to_thread(_inspect, path)


def _inspect(path: Path) -> Interpreter:
    if path.is_dir():
        path = path / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not path.is_file():
        raise BadInput(coded("interpreter.missing", path=str(path)))
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(
            [str(path.absolute()), "-I", "-c", _QUESTION],
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT,
            check=True,
        )
        answer = _Answer.model_validate(json.loads(done.stdout))
    except (OSError, subprocess.SubprocessError, ValueError, ValidationError) as error:
        raise BadInput(
            coded("interpreter.silent", path=str(path), name=type(error).__name__)
        ) from error
    if answer.version[:2] < _OLDEST:
        found = ".".join(map(str, answer.version))
        raise BadInput(coded("interpreter.too-old", path=str(path), found=found))
    directories = tuple(Path(directory) for directory in answer.directories)
    for directory in directories:
        home = Path.home().resolve()
        if directory.resolve() in (home, *home.parents):
            raise BadInput(coded("interpreter.too-much", path=str(path), directory=str(directory)))
    return Interpreter(
        Path(answer.executable), tuple(item for item in directories if item.is_dir())
    )
