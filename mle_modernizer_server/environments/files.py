"""Read an environment from its files alone, so that an interpreter nobody vouches for never runs.

That is one in a notebook's folder (it may have come with a download) and one made for a notebook
(a wheel may bring a `.pth` file, which runs code when its interpreter starts).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from packaging.utils import canonicalize_name

from mle_modernizer_server.environments.inspect_python import described, read_text
from mle_modernizer_server.untrusted.files import is_file, is_folder

_MOST_CONFIG = 20_000
_MOST_PYTHONS = 20
_MOST_ENTRIES = 50_000
_FOLDER = re.compile(r"^python(?P<version>3\.\d+)$")


@dataclass(frozen=True)
class EnvironmentFiles:
    """An environment, read from its files.

    Attributes:
        folder: Its folder.
        interpreter: `bin/python`, not started.
        python: Version, as exact as the files have it.
        versions: Version by distribution, names normalized.
        tops: Version by top-level import name.
    """

    folder: Path
    interpreter: Path
    python: str
    versions: dict[str, str]
    tops: dict[str, str]

    def packages(self, names: Iterable[str]) -> dict[str, str]:
        """Return those top-level import names that it has, with their versions if known."""
        return {
            name: self.tops.get(name, "")
            for name in names
            if name in self.tops or _has_module(self.folder, name)
        }


def read_environment(folder: Path) -> EnvironmentFiles | None:
    """Return the packages of a virtual or conda environment, or None if the folder is none."""
    config = _config(folder / "pyvenv.cfg")
    conda = is_folder(folder / "conda-meta")
    interpreter = _interpreter(folder)
    if interpreter is None or not (config or conda):
        return None
    places = site_packages(folder)
    version = config.get("version_info") or config.get("version", "")
    if not re.fullmatch(r"\d+(\.\d+){1,3}.*", version):
        version = _version_of_folder(places)
    versions: dict[str, str] = {}
    tops: dict[str, str] = {}
    for place in places:
        for name, number, names in described(str(place)):
            versions.setdefault(canonicalize_name(name), number)
            for top in names:
                tops.setdefault(top, number)
    return EnvironmentFiles(folder, interpreter, version, versions, tops)


def _has_module(folder: Path, name: str) -> bool:
    """Return whether a top-level name is in an environment's site-packages."""
    return any(
        is_folder(place / name) or is_file(place / f"{name}.py") or any(place.glob(f"{name}.*so"))
        for place in site_packages(folder)
    )


def site_packages(folder: Path) -> list[Path]:
    """Return the site-packages folders of an environment (several Pythons' are possible)."""
    found = [folder / "Lib" / "site-packages"]
    for lib in ("lib", "lib64"):
        try:
            entries = sorted(islice((folder / lib).iterdir(), _MOST_ENTRIES))
        except OSError:
            continue
        pythons = [entry for entry in entries if _FOLDER.match(entry.name)]
        found += [entry / "site-packages" for entry in pythons[:_MOST_PYTHONS]]
    return [place for place in dict.fromkeys(found) if is_folder(place)]


def _interpreter(folder: Path) -> Path | None:
    for place in ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if is_file(folder / place):
            return folder / place
    return None


def _config(path: Path) -> dict[str, str]:
    rows = (row.partition("=") for row in read_text(path, _MOST_CONFIG).splitlines())
    return {key.strip().lower(): value.strip() for key, sign, value in rows if sign}


def _version_of_folder(places: list[Path]) -> str:
    matches = (_FOLDER.match(place.parent.name) for place in places)
    return next((match["version"] for match in matches if match), "")
