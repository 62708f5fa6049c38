"""The files that are no tables: those that the sampled rows name, else a few."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mle_modernizer_server.execution.sampling.choose import spread
from mle_modernizer_server.execution.sampling.roles import beginnings
from mle_modernizer_server.execution.sampling.tables import Table
from mle_modernizer_server.execution.sampling.watch import Watch
from mle_modernizer_server.untrusted.files import copy_regular, is_file, resolved
from mle_modernizer_server.untrusted.packed import write_like

_ALL_UP_TO = 200
"""Up to so many files are all kept."""
_PER_DIRECTORY = 10
_MOST_DIRECTORIES = 1_000
_FILES_OF_A_ROW = 10
READABLE = 0o644
"""File mode: a container's user differs from the owner of these files."""
_MOST_COPIED = 500 * 2**20
_EVERY = 1_024


@dataclass(frozen=True)
class File:
    """A file of the public data.

    Attributes:
        path: Its path; never outside the public directory.
        name: Its path below that, `/` as separator.
        size: Bytes.
        changed: Time of the last write, in nanoseconds.
    """

    path: Path
    name: str
    size: int
    changed: int


def files_below(public: Path, watch: Watch) -> list[File]:
    """Return all files of a directory by name, without links that lead out of it.

    Raises:
        OSError: The directory cannot be read.
        Stopped, TookTooLong: As `Watch.check`.
    """
    return sorted(_walk(public, public.resolve(), watch), key=lambda file: file.name)


def _walk(public: Path, inside: Path, watch: Watch) -> Iterator[File]:
    waiting = [public]
    count = 0
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                count += 1
                if count % _EVERY == 0:
                    watch.check()
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                    continue
                path = Path(entry.path)
                if entry.is_symlink():
                    target = resolved(path)
                    if target is None or not target.is_relative_to(inside):
                        continue
                    path = target
                if is_file(path):
                    state = path.stat()
                    name = Path(entry.path).relative_to(public).as_posix()
                    yield File(path, name, state.st_size, state.st_mtime_ns)


def files_to_keep(files: Collection[File], ids: Collection[bytes], rows: int) -> list[File]:
    """Return the files that go into the sample.

    Args:
        files: All that are no tables.
        ids: The identifiers of the sampled rows.
        rows: About how many rows a table has there.
    """
    if len(files) <= _ALL_UP_TO:
        return list(files)
    groups: dict[str, list[File]] = {}
    for file in files:
        first, slash, _ = file.name.partition("/")
        groups.setdefault(first if slash else "", []).append(file)
    kept: list[File] = []
    for group in groups.values():
        if len(group) <= _ALL_UP_TO // 4:
            kept += group
            continue
        named = [file for file in group if _is_named(file.name, ids)]
        if named:
            places = spread(range(len(named)), rows * _FILES_OF_A_ROW)
            kept += [named[at] for at in places]
        else:
            kept += _a_few(group, rows)
    return kept


def _is_named(name: str, ids: Collection[bytes]) -> bool:
    """Return whether an identifier is a file's name, its beginning, or one of its directories."""
    path = PurePosixPath(name)
    if os.fsencode(path.name) in ids:
        return True
    if any(part in ids for part in beginnings(os.fsencode(path.stem))):
        return True
    return any(os.fsencode(part) in ids for part in path.parts[1:-1])


def _a_few(group: list[File], rows: int) -> list[File]:
    """Return some files of every directory: directories are often classes."""
    by_directory: dict[str, list[File]] = {}
    for file in group:
        by_directory.setdefault(file.name.rpartition("/")[0], []).append(file)
    directories = list(by_directory)
    chosen = spread(range(len(directories)), _MOST_DIRECTORIES)
    each = max(_PER_DIRECTORY, rows // len(chosen))
    return [
        files[at]
        for number in chosen
        for files in (by_directory[directories[number]],)
        for at in spread(range(len(files)), each)
    ]


class Linker:
    """Puts files into the sample as hard links, or as copies if links are impossible.

    A symbolic link would lead nowhere within a sandbox.

    Attributes:
        left_out: Names of the files that were too much to copy.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._copied = 0
        self.left_out: list[str] = []

    def add(self, file: File) -> None:
        """Add a file.

        Raises:
            OSError: It cannot be read or written.
        """
        place = self._target / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file.path, place)
        except OSError:  # another file system, another owner, too many links
            if self._copied + file.size > _MOST_COPIED:
                self.left_out.append(file.name)
                return
            self._copied += file.size
            copy_regular(file.path, place)
            place.chmod(READABLE)


def write_table(table: Table, records: Iterable[bytes], place: Path) -> None:
    """Write records, the header among them, packed like a table.

    Raises:
        OSError: It cannot be read or written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    write_like(table.path, place, records)
    place.chmod(READABLE)


def open_folders(target: Path) -> None:
    """Let all users read the folders of a copy: a container's user is another one."""
    for directory, _, _ in os.walk(target):
        Path(directory).chmod(0o755)
