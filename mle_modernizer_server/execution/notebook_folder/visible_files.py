"""Choose the files next to a notebook that its run can see, and how they are provided.

A file is visible if the code names it and it exists below the project's root. Hidden files,
targets of symbolic links outside the root, and the answers of competitions are never visible.
Small files are copied, so that the notebook may write to them; larger ones are mounted read-only
if the sandbox can mount, and copied if it cannot. All walks are bounded.
"""

from __future__ import annotations

import fnmatch
import itertools
import os
import posixpath
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mle_modernizer_server.code.named_paths import Named, find_named
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.execution import FileAccess, FilesBeside, ShownFile
from mle_modernizer_server.domain.files import HelperReading, HelperSource
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sandboxes.base import Reach
from mle_modernizer_server.untrusted.files import (
    exists,
    is_file,
    is_folder,
    is_folder_entry,
    read_regular,
)

COPIED_AT_MOST = 50 * 2**20
"""Limit of the copied bytes if larger files can be mounted."""
_COPIED_WITHOUT_MOUNTS = 2 * 2**30
"""Limit of the copied bytes if no file can be mounted."""
_MOST_COPIES = 2_000
_MOST_MOUNTS = 500
_MOST_ENTRIES = 500_000
"""Directory entries looked at for one run."""
_MOST_SOURCES = 50
_LONGEST_SOURCE = 1_000_000
_MOST_LISTED = 200
_HIGHEST = 2
"""Folders above the notebook's that a relative path may lead to: `../../data`."""
_ROOT_MARKS = (
    *(".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"),
    *("environment.yml", "environment.yaml"),
)
_ARCHIVE_MARKS = (
    *(".gitignore", ".gitattributes", ".github", "CITATION.cff"),
    *("LICENSE", "LICENSE.md", "LICENSE.txt"),
)
"""Marks of a repository downloaded as an archive; a folder within one may have them too."""
_READ_ME = ("README.md", "README.rst", "README.txt", "README")
_CODE_FOLDERS = frozenset(
    {
        *("notebooks", "notebook", "nbs", "code", "codes", "src", "scripts", "kernels"),
        *("analysis", "jupyter", "examples", "tutorials", "labs", "exercises"),
    }
)
_DATA_FOLDERS = ("data", "input", "dataset", "datasets", "Data", "Dataset", "Datasets")
"""`data` next to `notebooks` makes a project of the folder they lie in."""
ReadHelpers = Callable[[tuple[HelperSource, ...]], tuple[HelperReading, ...]]
"""Function from Python modules to the copies whose content must differ from their files."""

_WILD = re.compile(r"[*?\[]")
_LITERAL = re.compile(r"[A-Za-z0-9_]{2,}")
_OURS = frozenset({"input", "working", "temp", "packages"})
"""Folders next to the working directory of a run."""
_SYSTEM = frozenset(
    {
        *("bin", "boot", "dev", "etc", "home", "kaggle", "lib", "lib32", "lib64", "nix", "opt"),
        *("packages", "proc", "root", "run", "runtime", "sbin", "sys", "tmp", "usr", "var"),
    }
)
_HOME = {Reach.MOUNTS: "/tmp", Reach.SCRATCH: "../../runtime"}
"""A run's home directory, relative to its working directory, if files can be put there."""
_SKIPPED = frozenset({"__pycache__", "node_modules"})


@dataclass(frozen=True)
class Beside:
    """The notebook's folder and the files a run may see.

    Attributes:
        folder: The notebook's folder.
        mode: Which files are visible.
        data_root: Directory of the competitions, whose answers are never visible.
        given: Files that the user supplies for paths of the notebook, checked (`given.py`), and
            fetched files; in the paths of the latter, `~` is the run's home directory.
        read: Returns the copies of Python modules whose content must differ from their files.
        reduce: Returns fewer of the visible files, for a rehearsal.
        caches: Folders of the user's downloads, by their paths in the run's home directory (`~`).
    """

    folder: Path
    mode: FilesBeside = FilesBeside.NAMED
    data_root: Path | None = None
    read: ReadHelpers = lambda files: ()
    given: Mapping[str, Path] = field(default_factory=dict)
    reduce: Callable[[Shown], Shown] = lambda shown: shown
    caches: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """A file or folder to provide to a run.

    Attributes:
        source: Its path on the host, symbolic links followed.
        at: Its path for the notebook: relative to its working directory, or absolute.
        size: Bytes; of a mounted folder 0, for it is not counted.
        access: Copied, mounted, or the reason for neither.
        named: The path to list it under: the one in the code.
        is_folder: Whether a whole folder is mounted.
    """

    source: Path
    at: str
    size: int
    access: FileAccess
    named: str
    is_folder: bool = False


@dataclass(frozen=True)
class Shown:
    """The visible files of a run.

    Attributes:
        items: Files and folders.
        folders: Folders below the working directory to make, for the notebook writes into them.
    """

    items: tuple[Item, ...] = ()
    folders: tuple[str, ...] = ()

    def mounted(self) -> tuple[Item, ...]:
        """Return the mounted files and folders."""
        return tuple(item for item in self.items if item.access is FileAccess.READ_ONLY)

    def without_mounts_but(self, earlier: Shown) -> Shown:
        """Return these items for a running kernel: those it has no mount for are out of reach."""
        there = {item.at for item in earlier.mounted()}
        items = tuple(
            replace(item, access=FileAccess.OUT_OF_REACH)
            if item.access is FileAccess.READ_ONLY and item.at not in there
            else item
            for item in self.items
        )
        return replace(self, items=items)

    def listed(self) -> tuple[ShownFile, ...]:
        """Return the items for display: each named path once, with its number of files."""
        by_name: dict[tuple[str, FileAccess], list[Item]] = {}
        for item in self.items:
            by_name.setdefault((item.named, item.access), []).append(item)
        found = [
            ShownFile(
                path=named,
                access=access,
                size=sum(item.size for item in items),
                files=len(items),
            )
            for (named, access), items in by_name.items()
        ]
        return tuple(sorted(found, key=lambda file: file.path)[:_MOST_LISTED])


def choose_shown(
    sources: Iterable[str], beside: Beside, *, reach: Reach, public: Path | None
) -> Shown:
    """Choose the files of a notebook's folder that its run can see.

    Args:
        sources: The notebook's code cells.
        beside: Its folder, and the files that may be visible.
        reach: Places into which the sandbox can put files.
        public: The competition's public files, which come first below `input`; None without.
    """
    folder = _real(beside.folder)
    if folder is None or not is_folder(folder):
        return Shown()
    search = Search(folder, project_root(folder), beside, public, reach)
    search.take_given()
    if beside.mode is FilesBeside.NONE:
        return Shown((*_plan(search, reach), *_caches(search)))
    named = search.collect(list(sources))
    if beside.mode is FilesBeside.FOLDER:
        for entry in search.entries(folder):
            search.add(entry.name)
    items = (*_plan(search, reach), *_caches(search))
    places = {item.at for item in items}
    # one that is there is made, too: of its files a run has only those that the code names
    folders = tuple(
        name
        for name in named.folders
        if not os.path.lexists(folder / name) or (name not in places and is_folder(folder / name))
    )
    return Shown(items, folders)


def project_root(folder: Path) -> Path:
    """Return the folder up to which `..` leads: the nearest one with a project's marks.

    At most two folders up, and neither the user's home nor above it; else the folder itself.
    """
    home = _real(Path.home())
    candidates: list[Path] = []
    for candidate in (folder, *folder.parents)[: _HIGHEST + 1]:
        if home is not None and (candidate == home or candidate in home.parents):
            break
        candidates.append(candidate)
        of_code = candidate == folder.parent and folder.name.lower() in _CODE_FOLDERS
        if _has(candidate, _ROOT_MARKS) or (of_code and _has(candidate, _DATA_FOLDERS)):
            return candidate
    for candidate in candidates:
        described = _has(candidate, _READ_ME) and _has(candidate, _DATA_FOLDERS)
        if described or _has(candidate, _ARCHIVE_MARKS):
            return candidate
    return folder


def _has(folder: Path, names: Sequence[str]) -> bool:
    return any(exists(folder / name) for name in names)


def may_hold_answers(real: Path, data_root: Path | None) -> bool:
    """Return whether a path is in `prepared/private`, or in the data root and not public.

    Args:
        real: The path, links followed.
        data_root: The same of the directory of the competitions; None if there is none.
    """
    if ("prepared", "private") in itertools.pairwise(real.parts):
        return True
    if data_root is None or not real.is_relative_to(data_root):
        return False
    return real.relative_to(data_root).parts[1:3] != ("prepared", "public")


@dataclass
class Search:
    """Looks up names in a folder and stores the matches."""

    folder: Path
    root: Path
    beside: Beside
    public: Path | None
    reach: Reach
    found: dict[str, tuple[Path, str]] = field(default_factory=dict)
    """By path in the run: the path on the host, and the path in the code."""
    looked_at: int = 0

    def take_given(self) -> None:
        """Add the files that the user supplied.

        Raises:
            BadInput: A path is already used by another file of a run.
        """
        for path, file in self.beside.given.items():
            if path.startswith("~/"):
                home = _HOME.get(self.reach)
                if home is not None:
                    self.found[f"{home}{path[1:]}"] = (file, path)
                continue
            absolute = path.startswith("/")
            if self._is_taken(path) or (absolute and self.reach is Reach.SCRATCH):
                raise BadInput(coded("given.no-place", path=path, file=str(file)))
            self.found[_in_run(path)] = (file, path)

    def collect(self, sources: list[str]) -> Named:
        """Find the paths in the sources, and those in their modules next to the notebook."""
        named = find_named(sources)
        read: set[Path] = set()
        waiting = [named]
        places = dict.fromkeys(["", *named.places])
        while waiting:
            one = waiting.pop()
            bases = ["", *one.bases]
            for base in bases:
                for path in (*one.paths, *one.bases):
                    self.add(path, base)
            for module in one.modules:
                files = [file for file in self._module(module, places) if file not in read]
                files = files[: _MOST_SOURCES - len(read)]
                read.update(files)
                texts = [text for file in files if (text := _source(file))]
                if texts:
                    waiting.append(find_named(texts))
        return named

    def add(self, text: str, base: str = "") -> None:
        """Add a path or pattern if it matches a file that may be visible."""
        if "\\" in text or text.startswith("~"):
            return
        joined = posixpath.normpath(posixpath.join(base, text))
        if joined in (".", "..", "/") or joined == "../..":
            return
        if not _WILD.search(joined):
            self._note(joined, joined)
        elif "**" not in joined and _LITERAL.search(_WILD.sub(" ", joined)):
            matches = self._matches(joined)
            folders = dict.fromkeys(posixpath.dirname(match) for match in matches)
            if len(matches) > _MOST_COPIES and "" not in folders:
                matches = list(folders)
            for match in matches[:_MOST_COPIES]:
                self._note(match, joined)

    def entries(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        """Yield the entries of a folder that are not hidden, sorted, up to the bound on entries."""
        try:
            with os.scandir(folder) as listing:
                found = []
                for entry in listing:
                    self.looked_at += 1
                    if self.looked_at > _MOST_ENTRIES:
                        break
                    found.append(entry)
        except OSError:
            return  # no right to read it: then the notebook's author has none either
        for entry in sorted(found, key=lambda entry: entry.name):
            if not entry.name.startswith(".") and entry.name not in _SKIPPED:
                yield entry

    def _module(self, name: str, places: Iterable[str]) -> list[Path]:
        """Return the Python files of one of the notebook's own modules, and add them.

        Args:
            name: A top-level name that is imported.
            places: The folders Python looks into, relative to the notebook's; the first counts.
        """
        for place in places:
            path = posixpath.normpath(posixpath.join(place, name))
            package = self._place(path)
            if package is None:
                continue
            if is_file(package.with_name(f"{name}.py")):
                self._note(f"{path}.py", f"{path}.py")
                return [package.with_name(f"{name}.py")]
            if is_folder(package):
                files = [file for file, _ in walk(self, package).files if file.suffix == ".py"]
                if files:
                    self._note(path, path)
                    return files
        return []

    def _matches(self, pattern: str) -> list[str]:
        """Return the paths that match a pattern, `*` within one part only."""
        start = "/" if pattern.startswith("/") else ""
        paths = [start]
        for part in [part for part in pattern.split("/") if part]:
            if not _WILD.search(part):
                paths = [f"{path}{part}/" for path in paths]
                continue
            wider = []
            for path in paths:
                place = self._place(path.rstrip("/") or ".")
                listed = self.entries(place) if place is not None and is_folder(place) else ()
                found = fnmatch.filter([entry.name for entry in listed], part)[: _MOST_COPIES + 1]
                wider += [f"{path}{name}/" for name in found]
            paths = wider[: _MOST_COPIES + 1]
        return [path.rstrip("/") for path in paths]

    def _place(self, path: str) -> Path | None:
        """Return the host path of a normalized path without following links; None if too far up."""
        place = Path(os.path.normpath(self.folder / path))
        return place if place == self.root or place.is_relative_to(self.root) else None

    def _note(self, path: str, named: str) -> None:
        place = self._place(path)
        if place is None or _in_run(path) in self.found or self._is_taken(path):
            return
        if path.startswith("/") and self.reach is Reach.SCRATCH:
            return  # nothing is isolated: it is there
        real = self.allowed(place)
        if real is not None:
            self.found[_in_run(path)] = (real, named)

    def _is_taken(self, path: str) -> bool:
        """Return whether the path in a run belongs to a file of ours or of the system."""
        if path.startswith("/"):
            return path.split("/")[1] in _SYSTEM - {"home", "root", "tmp", "opt", "var"}
        parts = path.split("/")
        ups = parts.count("..")
        rest = parts[ups:]
        if ups > _HIGHEST or not rest:
            return True
        if (ups == 1 and rest[0] == "input") or (ups == 0 and rest[0] == "input"):
            # The competition's data are there, and also flat, as before 2019.
            if len(rest) == 1:
                return True
            return self.public is not None and os.path.lexists(self.public / rest[1])
        if ups == 1:
            return rest[0] in _OURS
        return ups == _HIGHEST and rest[0] in _SYSTEM

    def shows(self, path: str) -> bool:
        """Return whether a normalized path leads to a file that a run may see there."""
        place = self._place(path)
        return place is not None and not self._is_taken(path) and self.allowed(place) is not None

    def allowed(self, place: Path) -> Path | None:
        """Return the target of a path if it may be visible: no link that leads outside."""
        real = _real(place)
        if real is None or not (real == self.root or real.is_relative_to(self.root)):
            return None
        for path in (place, real):
            if any(part.startswith(".") for part in path.relative_to(self.root).parts):
                return None
        return None if self.is_answer(real) else real

    def is_answer(self, real: Path) -> bool:
        """Return whether a path may lead to answers; the data root is none around the notebook."""
        data_root = None if self.beside.data_root is None else _real(self.beside.data_root)
        if data_root is not None and data_root in (self.folder, *self.folder.parents):
            data_root = None
        return may_hold_answers(real, data_root)


@dataclass
class Walk:
    """Content of a folder.

    Attributes:
        files: Its files with their sizes; a bounded number.
        further: How many more there are.
        whole: Whether all of it may be visible and was listed.
    """

    files: list[tuple[Path, int]] = field(default_factory=list)
    further: int = 0
    whole: bool = True


def walk(search: Search, folder: Path) -> Walk:
    """Return the files below a folder that may be visible; links to folders are not followed."""
    found = Walk()
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        before = search.looked_at
        kept = 0
        for entry in search.entries(place):
            kept += 1
            path = Path(entry.path)
            folder_below = is_folder_entry(entry)
            if len(found.files) >= _MOST_COPIES and not folder_below and not entry.is_symlink():
                found.further += 1
                continue
            if entry.is_symlink() and (folder_below or search.allowed(path) is None):
                found.whole = False
            elif folder_below:
                if search.is_answer(path):
                    found.whole = False
                else:
                    waiting.append(path)
            else:
                status = entry.stat()
                if stat.S_ISREG(status.st_mode):
                    found.files.append((path, status.st_size))
                else:
                    found.whole = False
        if kept < search.looked_at - before or search.looked_at > _MOST_ENTRIES:
            found.whole = False  # something hidden is in it, or not all was seen
    return found


def _plan(search: Search, reach: Reach) -> Iterator[Item]:
    """Decide which files are copied and which are mounted, the small first."""
    budget = _Budget(COPIED_AT_MOST if reach is Reach.MOUNTS else _COPIED_WITHOUT_MOUNTS, reach)
    folders: list[tuple[str, Path, str, Walk]] = []
    files: list[tuple[int, str, Path, str]] = []
    for at, (real, named) in search.found.items():
        try:
            status = real.stat()
        except OSError:
            continue  # removed meanwhile
        if stat.S_ISDIR(status.st_mode):
            folders.append((at, real, named, walk(search, real)))
        elif stat.S_ISREG(status.st_mode):
            files.append((status.st_size, at, real, named))
    done: set[str] = set()
    for size, at, real, named in sorted(files):
        done.add(at)
        yield Item(real, at, size, budget.access(real, at, size), named)
    for at, real, named, inside in sorted(folders, key=lambda one: len(one[3].files)):
        within = [
            (f"{at}/{path.relative_to(real).as_posix()}", path, size) for path, size in inside.files
        ]
        within = [one for one in within if one[0] not in done]
        total = sum(size for _, _, size in within)
        fits = not inside.further and budget.takes(total, len(within))
        outside = at.startswith(("/", ".."))
        if inside.whole and reach is Reach.MOUNTS and (outside or not fits):
            yield Item(real, at, 0, FileAccess.READ_ONLY, named, is_folder=True)
            continue
        for place, path, size in within:
            done.add(place)
            access = budget.access(path, place, size)
            source = (search.allowed(path) if path.is_symlink() else None) or path
            yield Item(source, place, size, access, named)
        if inside.further:
            yield Item(real, at, 0, FileAccess.TOO_LARGE, named, is_folder=True)


def _caches(search: Search) -> Iterator[Item]:
    """Yield the user's caches, mounted read-only; without mounts there are none.

    A cache in which the run gets a file of another origin stays out: it cannot be put there.
    """
    home = _HOME.get(search.reach)
    if home is None or search.reach is not Reach.MOUNTS:
        return
    for path, folder in search.beside.caches.items():
        at = f"{home}{path[1:]}"
        if not any(taken == at or taken.startswith(f"{at}/") for taken in search.found):
            yield Item(folder, at, 0, FileAccess.READ_ONLY, path, is_folder=True)


@dataclass
class _Budget:
    """How much may still be copied and mounted."""

    size: int
    reach: Reach
    copies: int = _MOST_COPIES
    mounted: int = _MOST_MOUNTS

    def takes(self, size: int, count: int) -> bool:
        return size <= self.size and count <= self.copies

    def access(self, path: Path, at: str, size: int) -> FileAccess:
        if not os.access(path, os.R_OK):
            return FileAccess.UNREADABLE
        mounts = self.reach is Reach.MOUNTS
        outside = at.startswith(("/", ".."))
        if outside and self.reach is Reach.WORKING:
            return FileAccess.OUT_OF_REACH
        if self.takes(size, 1) and not (outside and mounts):
            self.size -= size
            self.copies -= 1
            return FileAccess.COPY
        if mounts and self.mounted > 0:
            self.mounted -= 1
            return FileAccess.READ_ONLY
        return FileAccess.TOO_LARGE


def _in_run(path: str) -> str:
    """Return a path as the run sees it: `input` is next to its working directory."""
    return f"../{path}" if path.startswith("input/") else path


def _real(path: Path) -> Path | None:
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # not there, a loop of links, too long a name
        return None


def _source(file: Path) -> str:
    try:
        return read_regular(file, _LONGEST_SOURCE).decode("utf-8", "replace")
    except OSError:
        return ""  # it cannot be read: it names nothing
