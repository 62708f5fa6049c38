"""Looks up paths a run would not find: files of the same name in other places.

Places are the notebook's folder with what is next to it, and the competition's public files. The
same files are excluded as in `shown.py`: hidden files, links that lead outside, answers.
All walks are bounded.
"""

from __future__ import annotations

import fnmatch
import hashlib
import itertools
import os
import posixpath
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from mle_modernizer_server.code.named_paths import find_named
from mle_modernizer_server.code.paths import UNKNOWN
from mle_modernizer_server.domain.execution import FilesBeside
from mle_modernizer_server.domain.files import FileOrigin, FoundFiles, KnownFile
from mle_modernizer_server.domain.text import holds_none
from mle_modernizer_server.execution.notebook_folder.visible_files import (
    Beside,
    Search,
    may_hold_answers,
    project_root,
)
from mle_modernizer_server.execution.sandboxes.base import Reach
from mle_modernizer_server.execution.sandboxes.workspace import DataLayout
from mle_modernizer_server.untrusted.files import (
    is_file,
    is_folder,
    is_folder_entry,
    open_regular,
)

_MOST_ENTRIES = 200_000
"""Directory entries looked at in each place."""
_MOST_OF_A_FOLDER = 20_000
"""Of one folder: beyond it there are pictures, and the next folder is looked at."""
_MOST_FOUND = 200
_DEEPEST = 6
_MOST_OF_A_TABLE = 256 * 1024 * 1024
"""Bytes of a table that are searched."""
_PART = 4 * 1024 * 1024
_LONGEST_CELL = 16
_HEAD = 65_536
_PACKED = re.compile(r"\.(?:gz|zip|bz2|xz|zst)$")
_COPY = re.compile(r"(?:[ _-]*\(\d+\)|[ _-]+copy)$")
_END_OF_ZIP = b"PK\x05\x06"
_INPUT = re.compile(r"^(?:/kaggle/|(?:\.\./)+(?:kaggle/)?|)input/(?P<rest>.+)$")
_INPUT_FOLDER = frozenset({"/kaggle/input", "../input", "input"})


@dataclass(frozen=True)
class Places:
    """Folders to search.

    Attributes:
        beside: The notebook's folder; None if it is unsaved.
        competition: Slug of the competition.
        public: Its public files; None without a competition.
    """

    beside: Beside | None = None
    competition: str | None = None
    public: Path | None = None


def name_key(name: str) -> str:
    """Return a file's name without the differences that two copies of it may have.

    These are case, blanks, punctuation, compression, and the mark of a second download.
    """
    base = _PACKED.sub("", name.lower())
    stem, dot, suffix = base.rpartition(".")
    if not dot:
        stem, suffix = base, ""
    return re.sub(r"[\s_.-]+", "", _COPY.sub("", stem)) + dot + suffix


def look_up(paths: Iterable[str], places: Places) -> FoundFiles:
    """Find which paths exist for a run, and which files elsewhere have the names of the others.

    Args:
        paths: As code names them; `*` represents unknown parts. Relative ones are seen from
            the notebook's folder.
        places: Folders to search.
    """
    asked = list(dict.fromkeys(paths))
    search = _search(places)
    there = tuple(path for path in asked if _is_there(path, places, search))
    lost = [path for path in asked if path not in there]
    names = [re.split(r"[/\\]", path.rstrip("/\\"))[-1] for path in lost]
    keys = {key for name in names if (key := name_key(name)).strip("*.")}
    # `train.csv` may lie packed as `train.zip`, and the reverse
    keys |= {key.rpartition(".")[0] for key in keys if "." in key}
    outside = tuple(path for path in lost if _is_outside(path, places))
    if not keys:
        return FoundFiles(there=there, outside=outside)
    files: list[KnownFile] = []
    folders: dict[str, None] = {}
    for path, place, origin, folder in _all(places, search, keys):
        if folder:
            folders[path] = None
        elif len(files) < _MOST_FOUND and (known := _known(path, place, origin)) is not None:
            files.append(known)
    return FoundFiles(
        there=there, files=tuple(files), folders=tuple(folders)[:_MOST_FOUND], outside=outside
    )


def data_layout(sources: Sequence[str], competition: str | None, public: Path | None) -> DataLayout:
    """Return the folder in `/kaggle/input` from which code reads the data.

    Listing that folder alone does not count: `os.walk('/kaggle/input')`.

    Args:
        sources: Of the notebook's code cells.
        competition: Slug of the competition.
        public: Its public files; None without a competition.
    """
    if competition is None or public is None:
        return DataLayout.SLUG
    named = find_named(sources)
    bases = {posixpath.normpath(base) for base in named.bases}
    paths = [*(posixpath.normpath(path) for path in named.paths), *bases]
    inside = [match["rest"].split("/") for path in paths if (match := _INPUT.match(path))]
    reads_slug = any(parts[0] == competition for parts in inside)
    flat = not _INPUT_FOLDER.isdisjoint(bases) or any(
        _is_flat(path, sources, competition, public) for path in paths
    )
    if not flat and not reads_slug and not _INPUT_FOLDER.isdisjoint(paths):
        # A function may get the folder as an argument and join a name to it.
        tails = (path.removeprefix(f"{UNKNOWN}/") for path in paths if path not in _INPUT_FOLDER)
        flat = any(_below(public, tail.split("/")) for tail in tails if tail.strip("*./"))
    if not flat:
        return DataLayout.SLUG
    # The slug's folder may also be put together: `f'../input/{slug}/train.csv'`.
    named_slug = any(competition in path.split("/") for path in paths)
    unknown = any(
        UNKNOWN in parts[0] and _below(public, parts[1:]) for parts in inside if parts[1:]
    )
    return DataLayout.BOTH if named_slug or unknown else DataLayout.FLAT


def _is_flat(path: str, sources: Sequence[str], competition: str, public: Path) -> bool:
    """Return whether a path leads to data directly in the folder `input`."""
    inside = _INPUT.match(path)
    parts = inside["rest"].split("/") if inside is not None else [competition]
    if parts[0] == competition:
        return False
    if parts == [UNKNOWN]:  # a name that is not known, if it is no pattern that only lists
        return not any("input/*" in source for source in sources)
    return _below(public, parts) or (len(parts) == 1 and "." in parts[0])


def files_of(paths: Iterable[str], beside: Beside) -> tuple[Path, ...]:
    """Return the files next to a notebook that match paths, or that have their names.

    Args:
        paths: As code names them.
        beside: The notebook's folder.
    """
    places = Places(beside)
    found = look_up(paths, places)
    search = _search(places)
    if search is None:
        return ()
    for path in (*found.there, *(file.path for file in found.files)):
        search.add(posixpath.normpath(path))
    return tuple(dict.fromkeys(real for real, _ in search.found.values() if is_file(real)))


def with_none_texts(paths: Iterable[str], places: Places) -> frozenset[str]:
    """Return the paths of tables that hold the text None as a cell. Blocks.

    Args:
        paths: As code names them, without patterns.
        places: Folders to search.
    """
    search = _search(places)
    return frozenset(
        path
        for path in dict.fromkeys(paths)
        if any(map(_holds_none, _files_at(path, places, search)))
    )


def _files_at(path: str, places: Places, search: Search | None) -> Iterator[Path]:
    """Yield the files that a run finds at a path."""
    normal = posixpath.normpath(path)
    if places.beside is not None and normal in places.beside.given:
        yield places.beside.given[normal]
    elif (below := _in_data(normal, places)) is not None:
        yield below
    elif search is not None:
        before = set(search.found)
        search.add(normal)
        yield from (search.found[one][0] for one in search.found if one not in before)


def _holds_none(file: Path) -> bool:
    """Return whether the beginning of a file holds the text None as a cell."""
    try:
        with open_regular(file) as stream:
            rest = b""
            for _ in range(_MOST_OF_A_TABLE // _PART):
                part = stream.read(_PART)
                if holds_none(rest + part):
                    return True
                if not part:
                    return False
                rest = part[-_LONGEST_CELL:]
    except OSError:
        return False  # it is not there for a run either
    return False


def _fits(key: str, keys: set[str]) -> bool:
    if key in keys or key.rpartition(".")[0] in keys:
        return True
    return any("*" in wanted and fnmatch.fnmatch(key, wanted) for wanted in keys)


def _search(places: Places) -> Search | None:
    if places.beside is None or places.beside.mode is FilesBeside.NONE:
        return None
    try:
        folder = places.beside.folder.resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    if not is_folder(folder):
        return None
    return Search(folder, project_root(folder), places.beside, places.public, Reach.MOUNTS)


def _is_there(path: str, places: Places, search: Search | None) -> bool:
    """Return whether a run finds a path, or a file that matches a pattern."""
    normal = posixpath.normpath(path)
    if places.beside is not None and normal in places.beside.given:
        return True
    if normal in (".", "/kaggle/working", "/tmp") or normal in _INPUT_FOLDER:
        return True
    if _in_data(normal, places) is not None:
        return True
    if search is None:
        return False
    before = len(search.found)
    search.add(normal)
    return len(search.found) > before or normal in search.found


def _is_outside(path: str, places: Places) -> bool:
    """Return whether a path that a run does not find exists above the notebook's project."""
    normal = posixpath.normpath(path)
    hidden = any(part.startswith(".") and part != ".." for part in normal.split("/"))
    if places.beside is None or not normal.startswith("../") or hidden or UNKNOWN in normal:
        return False
    file, root = places.beside.folder / normal, places.beside.data_root
    root = None if root is None else root.resolve()
    return is_file(file) and not may_hold_answers(file.resolve(), root)


def _in_data(normal: str, places: Places) -> Path | None:
    """Return the public file, or pattern of files, that a path leads to; None if there is none."""
    inside = _INPUT.match(normal)
    if inside is None or places.public is None:
        return None
    parts = inside["rest"].split("/")
    if parts[0] == places.competition:
        parts = parts[1:]
    return places.public.joinpath(*parts) if _below(places.public, parts) else None


def _below(public: Path, parts: list[str]) -> bool:
    """Return whether a path, or a pattern's first match, exists below a directory.

    Links that lead out of the directory do not count.
    """
    places = [public]
    for part in parts:
        if part in ("..", "."):
            return False
        if "*" in part:
            places = [
                Path(entry.path)
                for place in places[:10]
                if is_folder(place)
                for entry in _entries(place)
                if fnmatch.fnmatch(entry.name, part)
            ]
        else:
            places = [place / part for place in places if os.path.lexists(place / part)]
    return bool(places)


def _all(
    places: Places, search: Search | None, keys: set[str]
) -> Iterator[tuple[str, Path, FileOrigin, bool]]:
    """Yield files and folders with these names: path in the notebook, path, origin, is folder."""
    if search is not None:
        seen: set[Path] = set()
        for root in dict.fromkeys((search.folder, search.root)):
            for place, is_folder in _tree(root, search):
                if place in seen or not _fits(name_key(place.name), keys):
                    continue
                seen.add(place)
                path = os.path.relpath(place, search.folder).replace(os.sep, "/")
                if search.shows(path):
                    yield path, place, FileOrigin.BESIDE, is_folder
    if places.public is not None and places.competition is not None:
        for place, is_folder in _tree(places.public, None):
            if _fits(name_key(place.name), keys):
                below = place.relative_to(places.public).as_posix()
                path = f"../input/{places.competition}/{below}"
                yield path, place, FileOrigin.COMPETITION, is_folder


def _tree(root: Path, search: Search | None) -> Iterator[tuple[Path, bool]]:
    """Yield the files and folders below one, the near ones first; links are not followed."""
    waiting = [(root, 0)]
    looked_at = 0
    while waiting and looked_at < _MOST_ENTRIES:
        folder, depth = waiting.pop(0)
        entries = _entries(folder) if search is None else search.entries(folder)
        for entry in itertools.islice(entries, _MOST_OF_A_FOLDER):
            looked_at += 1
            place = Path(entry.path)
            folder_below = is_folder_entry(entry)
            if entry.is_symlink() and (search is None or folder_below):
                continue
            if not folder_below:
                yield place, False
            elif search is None or not search.is_answer(place):
                yield place, True
                if depth < _DEEPEST:
                    waiting.append((place, depth + 1))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            found = [entry for entry, _ in zip(listing, range(_MOST_ENTRIES), strict=False)]
    except OSError:
        return []
    return sorted(
        (entry for entry in found if not entry.name.startswith(".")), key=lambda one: one.name
    )


def _known(path: str, place: Path, origin: FileOrigin) -> KnownFile | None:
    try:
        with open_regular(place) as stream:
            status = os.fstat(stream.fileno())
            head = stream.read(_HEAD)
            single = not path.lower().endswith(".zip") or _holds_one(stream, status.st_size)
    except OSError:
        return None
    digest = hashlib.sha256(status.st_size.to_bytes(8, "big") + head).hexdigest()[:16]
    return KnownFile(
        path=path, origin=origin, size=status.st_size, fingerprint=digest, single=single
    )


def _holds_one(stream: BinaryIO, size: int) -> bool:
    """Return whether a zip archive has exactly one file, by the number in its last record."""
    stream.seek(max(0, size - _HEAD))
    tail = stream.read(_HEAD)
    at = tail.rfind(_END_OF_ZIP)
    if at < 0 or len(tail) < at + 12:
        return False
    (entries,) = struct.unpack_from("<H", tail, at + 10)
    return bool(entries == 1)
