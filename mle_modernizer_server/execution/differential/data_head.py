"""A copy of a competition's files in which every table has its first rows only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.untrusted.archives import UNREADABLE, is_of_content
from mle_modernizer_server.untrusted.files import (
    copy_regular,
    is_file,
    is_within,
)
from mle_modernizer_server.untrusted.packed import (
    PACKED,
    bare_name,
    only_member,
    opened,
    write_like,
)

_TABLES = (".csv", ".tsv")
_SMALL = 1_000_000
_LARGEST_HEAD = 50_000_000
_MOST_FILES = 2_000


def copy_head(public: Path, target: Path, rows: int) -> Messages:
    """Copy a competition's public files, its CSVs cut to their first rows.

    Other files are copied if they are small; the result has one message per omitted file.

    Args:
        public: The directory to copy; it is not changed.
        target: The directory to make.
        rows: Rows to keep, without the header.

    Raises:
        OSError: A file cannot be read or written.
    """
    target.mkdir(parents=True)
    left: Messages = ()
    files = [path for path in public.rglob("*") if is_file(path) and is_within(path, public)]
    files.sort(key=lambda path: (path.suffix.lower() not in (*_TABLES, *PACKED), path))
    for number, source in enumerate(files):
        if number >= _MOST_FILES:
            left += coded("data-head.files", files=_MOST_FILES)
            break
        name = source.relative_to(public)
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        try:
            is_table = _copy_table(source, copy, rows)
        except (OSError, *UNREADABLE) as error:
            if isinstance(error, OSError) and not is_of_content(error):
                raise
            copy.unlink(missing_ok=True)
            left += coded("data-head.packed", file=str(name))
            continue
        if not is_table:
            if source.stat().st_size > _SMALL:
                left += coded("data-head.large", file=str(name))
            else:
                copy_regular(source, copy)
    return left


def _copy_table(source: Path, copy: Path, rows: int) -> bool:
    """Write the head of a table; return False if it cannot be cut."""
    zipped = source.suffix.lower() == ".zip"
    name = only_member(source) if zipped else bare_name(source.name)
    if name is None or not name.lower().endswith(_TABLES):
        return False
    with opened(source) as lines:
        write_like(source, copy, _head(lines, rows))
    return True


def _head(table: IO[bytes], rows: int) -> Iterator[bytes]:
    """Yield the header and the first rows; a line break within quotes ends no row."""
    ended = size = 0
    quoted = False
    while line := table.readline(_LARGEST_HEAD):
        yield line
        size += len(line)
        quoted ^= line.count(b'"') % 2 == 1
        ended += not quoted
        if ended > rows or size > _LARGEST_HEAD:
            return
