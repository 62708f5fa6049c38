"""Finds and starts programs of this machine, never by way of the current folder.

The current folder may be a stranger's. Programs look there for settings, Python looks there for
modules, and a relative entry of PATH leads there.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

_OF_THE_SYSTEM = ("SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT")
"""Python needs these on Windows; they contain no secrets."""


def neutral_folder() -> Path:
    """Return the folder to start programs in: the root of the file system."""
    return Path(Path(sys.executable).anchor)


def minimal_environ() -> dict[str, str]:
    """Return the environment variables of a program that needs none of the user's."""
    kept = {name: os.environ[name] for name in _OF_THE_SYSTEM if name in os.environ}
    return kept | {"PATH": os.defpath, "LANG": "C.UTF-8"}


def path_folders() -> Iterator[Path]:
    """Yield the absolute folders of PATH, in order; relative entries are ignored."""
    for entry in os.get_exec_path():
        if (folder := Path(entry)).is_absolute():
            yield folder


def program_on_path(name: str) -> str | None:
    """Return the absolute path of a program, or None if PATH has none of that name."""
    if os.path.dirname(name):  # noqa: PTH120  # a name with a folder is a path
        return shutil.which(name)
    return shutil.which(name, path=os.pathsep.join(map(str, path_folders())))
