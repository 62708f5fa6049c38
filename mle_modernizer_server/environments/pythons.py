"""Find a Python on this machine to make an environment from, or have uv fetch one."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from mle_modernizer_server.domain.environment import (
    EnvironmentRemark,
    MakingProblem,
    RemarkCode,
)
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.environments.interpreter import OLDEST, InterpreterAnswer, ask_base
from mle_modernizer_server.environments.listed import ListedPythons, base_pythons, pythons_in
from mle_modernizer_server.environments.uv import Uv

Minor = tuple[int, int]
_SETTLED_MONTHS = 9
"""So long after a Python came out, most people's notebooks and most wheels had moved to it."""
_DOWNLOAD_LIMIT = 300.0


@dataclass(frozen=True)
class BasePython:
    """A Python that environments can be made from."""

    interpreter: Path
    version: tuple[int, int, int]
    directories: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return its version, as people write it."""
        return ".".join(map(str, self.version))


def python_of_date(day: date, releases: Mapping[str, str]) -> str:
    """Return the Python that most notebooks of a day ran on, by the months of the releases.

    Args:
        day: Of the notebook.
        releases: Month (`2018-06`) by version (`3.7`).
    """
    month = day.year * 12 + day.month - 1 - _SETTLED_MONTHS
    settled = [
        version
        for version, text in releases.items()
        if version.startswith("3.") and int(text[:4]) * 12 + int(text[5:7]) - 1 <= month
    ]
    return max(settled, key=_minor, default="3.5")


def base_python(
    wanted: str,
    uv: Uv,
    downloads: Path,
    *,
    folder: Path | None = None,
    download: bool = True,
    cancel: threading.Event | None = None,
) -> tuple[BasePython, tuple[EnvironmentRemark, ...]]:
    """Return the Python for an environment: of the requested minor version, else the nearest.

    Args:
        wanted: `3.7`, a full version, or "" for the server's own.
        uv: Fetches one if `download` is set.
        downloads: Folder of fetched Pythons.
        folder: The notebook's folder.
        download: Whether one may be fetched.
        cancel: When set, fetching ends.

    Raises:
        EnvironmentUnavailable: There is none from 3.6 on, or it was cancelled.
    """
    if not wanted:
        found = _described(Path(sys.executable).resolve()) or _described(Path(sys.executable))
        if found is None:
            raise _none()
        return found, ()
    minor = _minor(wanted)
    there = {item.version[:2]: item for item in installed(downloads, folder)}
    if minor not in there and minor >= OLDEST and download:
        _fetch(wanted, uv, downloads, cancel)
        there = {item.version[:2]: item for item in installed(downloads, folder)}
    if minor in there:
        return there[minor], ()
    if not there:
        raise _none()
    older = [item for item in there if item < minor]
    nearest = there[max(older) if older else min(there)]
    code = RemarkCode.PYTHON_2 if minor < (3, 0) else RemarkCode.PYTHON_NEAREST
    return nearest, (EnvironmentRemark(code=code, wanted=wanted, used=nearest.text),)


def installed(downloads: Path, folder: Path | None = None) -> list[BasePython]:
    """Return the Pythons from 3.6 on of this machine, one of each minor version, oldest first.

    Args:
        downloads: Folder of the Pythons that uv fetched.
        folder: The notebook's folder; no Python in it is started.
    """
    listed = ListedPythons(folder)
    found: dict[Minor, BasePython] = {}
    seen = set()
    for path in (*pythons_in(downloads), *base_pythons()):
        real = path.resolve()
        if real in seen or listed.is_in_download(path):
            continue
        seen.add(real)
        item = _described(real)
        if item is not None and found.get(item.version[:2], item).version <= item.version:
            found[item.version[:2]] = item
    return [found[minor] for minor in sorted(found)]


def _described(path: Path) -> BasePython | None:
    answer = ask_base(path)
    if not isinstance(answer, InterpreterAnswer):
        return None
    return BasePython(Path(answer.executable), answer.version, answer.directories)


def _fetch(wanted: str, uv: Uv, downloads: Path, cancel: threading.Event | None) -> None:
    """Have uv fetch a Python; if it cannot, the nearest one is used, with a remark."""
    downloads.mkdir(parents=True, exist_ok=True)
    command = ("python", "install", "--no-bin", "--install-dir", str(downloads), wanted)
    try:
        uv.run(command, limit=_DOWNLOAD_LIMIT, cancel=cancel)
    except EnvironmentUnavailable as error:
        if error.problem is not MakingProblem.TOO_LONG:
            raise


def _minor(version: str) -> Minor:
    match = re.match(r"(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else (3, 0)


def _none() -> EnvironmentUnavailable:
    return EnvironmentUnavailable(coded("environment.no-python"), MakingProblem.NO_PYTHON)
