"""Run pip so that no code of a package runs with it.

This file's text runs inside the sandbox, in an isolated interpreter (`-I`): syntax of Python 3.6,
the standard library, nothing of ours.
"""

import os
import runpy
import site
import subprocess
import sys
from importlib.machinery import FileFinder
from typing import Any

NO_PROCESS = "pip starts no program here, and would have to"
"""Part of the error if pip wants to build a package or to call git."""


class _NoProcess(subprocess.Popen):  # type: ignore[type-arg]  # not generic in Python 3.6
    def __init__(self, *arguments: Any, **named: Any) -> None:
        raise OSError(NO_PROCESS)


def main() -> None:
    """Run pip with this process's arguments.

    If only wheels are installed, pip cannot start a program: it builds packages in others, also
    those that a file or a requirement of a wheel names.
    """
    _see_installed()
    if os.environ.get("PIP_ONLY_BINARY") == ":all:" and not os.environ.get("PIP_NO_BINARY"):
        subprocess.Popen = _NoProcess  # type: ignore[misc]
    sys.argv[0] = "pip"
    runpy.run_module("pip", run_name="__main__", alter_sys=True)


def _see_installed() -> None:
    """Let pip see the packages of the user and of earlier install lines.

    Nothing is imported from the latter: a finder without loaders knows no module.
    """
    if os.environ.get("PYTHONUSERBASE"):
        before = list(sys.path)
        site.addsitedir(site.getusersitepackages())
        added = [path for path in sys.path if path not in before]
        places = [place for place, path in enumerate(before) if path.endswith("-packages")]
        first = places[0] if places else len(before)
        sys.path[:] = before[:first] + added + before[first:]
    for path in reversed(os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        if path:
            sys.path_importer_cache[path] = FileFinder(path)
            sys.path.insert(0, path)
