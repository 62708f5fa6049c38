"""Data and weights for libraries: nltk's archives unpacked, and the user's caches.

nltk opens some of its data as folders only. Of the user's caches, a run sees folders with
downloaded files, never the libraries' settings or access tokens.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from mle_modernizer_server.untrusted.archives import UNREADABLE
from mle_modernizer_server.untrusted.files import is_folder, open_regular

_NLTK = re.compile(r"~/nltk_data/([\w.-]+)/([\w.-]+)\.zip")
_MOST_BYTES = 1_000_000_000
_MOST_FILES = 50_000
_BLOCK = 2**20
CACHES = (
    *("~/.keras/datasets", "~/.keras/models", "~/.cache/torch/hub", "~/nltk_data"),
    *("~/.cache/huggingface/hub", "~/.cache/huggingface/datasets", "~/seaborn-data"),
    *("~/.fastai/data", "~/.fastai/archive"),
)
"""Folders of downloaded files; access tokens are next to them, not in them."""


def user_caches(home: Path | None = None) -> dict[str, Path]:
    """Return the folders of `CACHES` that exist, by their paths in a run.

    A folder that is a link, or below one that leads out of the home directory, is left out.

    Args:
        home: The user's home directory; None for the one of this process.
    """
    home = Path.home() if home is None else home
    found = {}
    for path in CACHES:
        place = home / path.removeprefix("~/")
        if is_folder(place) and place.resolve() == home.resolve() / path.removeprefix("~/"):
            found[path] = place
    return found


def has_nltk_archive(given: Mapping[str, Path]) -> bool:
    """Return whether an archive of nltk is among files by their paths in a run."""
    return any(map(_NLTK.fullmatch, given))


def with_nltk_folders(given: Mapping[str, Path], target: Path) -> dict[str, Path]:
    """Return files by their paths in a run, and the folders of nltk's archives among them.

    An archive that is damaged, or too large unpacked, stays as it is: the notebook meets it so.

    Args:
        given: Files by path; `~` is the run's home directory.
        target: Directory for the unpacked files; it must exist as long as the run.

    Raises:
        OSError: The directory cannot be written.
    """
    found = dict(given)
    for path, file in given.items():
        match = _NLTK.fullmatch(path)
        if match is None or path.removesuffix(".zip") in given:
            continue
        category, name = match.groups()
        place = target / "nltk_data" / category
        place.mkdir(parents=True, exist_ok=True)
        if _unpack(file, place, name):
            found[path.removesuffix(".zip")] = place / name
    return found


def _unpack(file: Path, place: Path, name: str) -> bool:
    """Unpack the folder of an archive that has its name; whether there is one."""
    try:
        with open_regular(file) as stream, zipfile.ZipFile(stream) as archive:
            members = [one for one in archive.infolist() if _is_below(one.filename, name)]
            size = sum(member.file_size for member in members)
            if not members or len(members) > _MOST_FILES or size > _MOST_BYTES:
                return False
            for member in members:
                inside = place / member.filename
                inside.parent.mkdir(parents=True, exist_ok=True)
                if not member.is_dir():
                    with archive.open(member) as content, inside.open("wb") as copy:
                        shutil.copyfileobj(content, copy, _BLOCK)
    except (*UNREADABLE, FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError):
        shutil.rmtree(place / name, ignore_errors=True)
        return False
    for folder, _, files in os.walk(place / name):
        Path(folder).chmod(0o755)  # a container's user is another one
        for one in files:
            (Path(folder) / one).chmod(0o644)
    return True


def _is_below(member: str, name: str) -> bool:
    return posixpath.normpath(member).startswith(f"{name}/") and ".." not in member.split("/")
