"""A plain local process: for machines without a better sandbox.

Not isolated: notebook code runs with the user's own rights. Kaggle's absolute paths do not exist,
so the executed copy's `/kaggle` is mapped to a directory laid out alike.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from mle_modernizer_server.execution.sandboxes.base import Availability, Command, Reach
from mle_modernizer_server.execution.sandboxes.environ import kernel_environ
from mle_modernizer_server.execution.sandboxes.local import Local, own_interpreter, user_packages
from mle_modernizer_server.execution.sandboxes.pip_settings import install_environ
from mle_modernizer_server.execution.sandboxes.workspace import (
    INPUT,
    PACKAGES,
    Mounts,
    flat_entries,
)

_KAGGLE = re.compile(r"(?<![\w.~/:-])/kaggle(?=/(?:input|working|temp)\b|/?(?![\w./-]))")
"""Kaggle's root as a path of its own: not within a longer path, a name or an address."""


class Process(Local):
    """Runs commands as plain children of the server."""

    name = "process"
    isolated = False
    reach = Reach.SCRATCH
    gives_network = True  # it has the machine's own
    gives_gpu = any(Path("/dev", name).exists() for name in ("nvidiactl", "dxg", "kfd"))

    def availability(self) -> Availability:
        """Return that it is available: a local process can always be started."""
        return Availability(True)

    def prepare(self, mounts: Mounts) -> None:
        """Lay out `<scratch>/kaggle/input` next to `working`, with links to the data."""
        data = _root(mounts) / "input"
        data.mkdir(exist_ok=True)
        _link(mounts.working / "input", data)
        if mounts.public is not None and mounts.data is not None:
            _mirror(mounts.public, data / PurePosixPath(mounts.data).relative_to(INPUT))
        for entry in flat_entries(mounts):
            _link(data / entry.name, entry)

    def wrap(self, argv: tuple[str, ...], mounts: Mounts, *, network: bool = False) -> Command:
        """Return the command itself, with its own environment and home directory."""
        interpreter = mounts.interpreter or own_interpreter()
        if argv[0] == "python":
            argv = (str(interpreter.python), *argv[1:])
        if os.name == "posix":
            argv = ("/bin/sh", "-c", 'ulimit -c 0; exec "$0" "$@"', *argv)
        packages = None if mounts.packages is None else str(mounts.packages)
        search = os.pathsep.join((str(interpreter.python.parent), os.environ.get("PATH", "")))
        environ = kernel_environ(home=str(mounts.runtime), path=search, packages=packages)
        environ |= user_packages(interpreter)
        if network:
            environ |= install_environ()
        elif packages is not None:
            # A pip call that was not found beforehand must not change the user's environment.
            environ["PIP_TARGET"] = packages
        return Command(argv=argv, env=environ, cwd=mounts.working)

    def localize(self, source: str, mounts: Mounts) -> str:
        """Replace `/kaggle/…` in a cell's source by the directory laid out like it."""
        root = _root(mounts).as_posix()
        return _KAGGLE.sub(lambda _: root, source)

    def delocalize(self, text: str, mounts: Mounts) -> str:
        """Replace the scratch and data directories by Kaggle's names."""
        text = text.replace(str(_root(mounts)), "/kaggle")
        if mounts.packages is not None:
            text = text.replace(str(mounts.packages), PACKAGES)
        if mounts.data is not None:
            text = text.replace(str(mounts.public), mounts.data)
        return text


def _root(mounts: Mounts) -> Path:
    return mounts.working.parent


_MOST_LINKS = 20_000
"""Of one run; a folder with which there were more is a link itself."""


def _mirror(source: Path, target: Path) -> None:
    """Make the folders of a directory, with links to its files: `os.walk` follows no link."""
    target.mkdir(exist_ok=True)
    left = _MOST_LINKS
    waiting = [(source, target)]
    while waiting:
        folder, mirrored = waiting.pop()
        entries = sorted(folder.iterdir())
        left -= len(entries)
        for entry in entries:
            place = mirrored / entry.name
            if entry.is_dir() and not entry.is_symlink() and left > 0:
                place.mkdir(exist_ok=True)
                waiting.append((entry, place))
            else:
                _link(place, entry)


def _link(link: Path, target: Path) -> None:
    if not link.is_symlink() and not link.exists():
        link.symlink_to(target, target_is_directory=target.is_dir())
