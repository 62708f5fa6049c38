"""Which of the files that were found a path may mean."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Sequence

from mle_modernizer_server.domain.files import FileOrigin, FoundFiles, KnownFile

_PACKED = re.compile(r"\.(?:gz|zip|bz2|xz|zst)$", re.IGNORECASE)
_COPY = re.compile(r"(?:[ _-]*\(\d+\)|[ _-]+copy)(?=\.|$)", re.IGNORECASE)


def candidates(path: str, found: FoundFiles, *, unpacks: bool) -> tuple[str, ...]:
    """Return the files a path may mean, as a notebook writes them; several if it is ambiguous.

    The name decides: the same one, else in another case, else packed otherwise, else written with
    other blanks and signs. Among several, the one in folders of the same names is preferred. Files
    with the
    same content are one; the one next to the notebook represents them.

    Args:
        path: With `/` between its parts; `*` for an unknown part.
        found: The files that were looked up.
        unpacks: Whether the code that reads it takes a packed file.
    """
    folder, _, name = path.rpartition("/")
    if "*" in folder or not name.strip("*."):
        return ()
    if "*" in name:
        return _of_pattern(folder, name, found.files)
    for alike in (_same, _other_case, _packed, _loosely):
        files = [
            file
            for file in found.files
            if alike(posixpath.basename(file.path), name)
            and (unpacks or _packing(file.path) == _packing(name))
            and (file.single or file.path.lower().endswith(".zip") == name.lower().endswith(".zip"))
        ]
        if files:
            return _nearest(path, files)
    return ()


def folder_candidates(path: str, found: FoundFiles) -> tuple[str, ...]:
    """Return the folders a path may mean, by the name of the folder."""
    name = path.rstrip("/").rpartition("/")[2].lower()
    alike = [one for one in found.folders if posixpath.basename(one).lower() == name]
    longest = max((_shared(path.rstrip("/"), one) for one in alike), default=0)
    return tuple(one for one in alike if _shared(path.rstrip("/"), one) == longest)


def _of_pattern(folder: str, name: str, files: Sequence[KnownFile]) -> tuple[str, ...]:
    """Return the folders with files that match a pattern, each joined with the pattern's name."""
    folders = dict.fromkeys(
        posixpath.dirname(file.path)
        for file in files
        if fnmatch.fnmatchcase(posixpath.basename(file.path), name)
    )
    longest = max((_shared(folder, one) for one in folders), default=0)
    near = [one for one in folders if _shared(folder, one) == longest]
    return tuple(posixpath.join(one, name) for one in near)


def _nearest(path: str, files: Sequence[KnownFile]) -> tuple[str, ...]:
    longest = max(_shared(path, file.path) for file in files)
    near = [file for file in files if _shared(path, file.path) == longest]
    near.sort(key=lambda file: (file.origin is not FileOrigin.BESIDE, file.path.count("/")))
    different: dict[str, str] = {}
    for file in near:
        different.setdefault(file.fingerprint, file.path)
    return tuple(different.values())


def _shared(one: str, other: str) -> int:
    """Return how many folders two paths share, from their ends; their last parts are not
    compared.
    """
    count = 0
    pairs = zip(
        reversed(one.lower().split("/")[:-1]), reversed(other.lower().split("/")[:-1]), strict=False
    )
    for mine, theirs in pairs:
        if mine != theirs:
            break
        count += 1
    return count


def _same(name: str, wanted: str) -> bool:
    return name == wanted


def _other_case(name: str, wanted: str) -> bool:
    return name.lower() == wanted.lower()


def _packed(name: str, wanted: str) -> bool:
    one, other = _PACKED.sub("", name).lower(), _PACKED.sub("", wanted).lower()
    if not _packing(name) and not _packing(wanted):
        return False
    return one == other or one == other.rpartition(".")[0] or other == one.rpartition(".")[0]


def _loosely(name: str, wanted: str) -> bool:
    return _letters(name) == _letters(wanted)


def _letters(name: str) -> str:
    stem, dot, suffix = _COPY.sub("", _PACKED.sub("", name.lower())).rpartition(".")
    return re.sub(r"[\s_.-]+", "", stem if dot else suffix) + (dot + suffix if dot else "")


def _packing(name: str) -> str:
    found = _PACKED.search(name)
    return found[0].lower() if found else ""
