"""Tables as text: records cut out byte for byte, their fields parsed on demand."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mle_modernizer_server.untrusted.archives import UNREADABLE
from mle_modernizer_server.untrusted.packed import (
    bare_name,
    only_member,
    opened,
)
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_json

_SEPARATED = (".csv", ".tsv")
_OBJECTS = (".jsonl", ".ndjson", ".json")
_SEPARATORS = b",;\t|"
_LONGEST_LINE = 2**24
_LONGEST_RECORD = 2**20
_NOT_OURS = (b"\xff\xfe", b"\xfe\xff")
"""The marks of UTF-16, whose line breaks are no single bytes."""

Fields = tuple[bytes, ...]


class NoTable(ValueError):
    """The file cannot be cut by records."""


@dataclass(frozen=True)
class Table:
    """A file of records.

    Attributes:
        path: Its path.
        name: Its path below the public directory, `/` as separator.
        columns: Names of its columns.
        separator: Between two fields; empty if every record is a JSON object.
        size: Bytes on disk.
    """

    path: Path
    name: str
    columns: tuple[str, ...]
    separator: bytes
    size: int

    @property
    def headed(self) -> bool:
        """Return whether the first record is the header."""
        return bool(self.separator)

    def records(self) -> Iterator[bytes]:
        """Yield all records unchanged, the header first if there is one.

        Raises:
            NoTable: A line is too long to be one of a table.
            OSError, EOFError, RuntimeError, BadZipFile, zlib.error, LZMAError: It cannot be read.
        """
        with opened(self.path) as stream:
            yield from _records(stream, self.separator)

    def header(self) -> list[bytes]:
        """Return the header as a record, if there is one; raise as `records`."""
        return [next(self.records())] if self.headed else []

    def value(self, record: bytes, at: int) -> bytes:
        """Return one value of a record; much faster than all of them if it has no quotes."""
        if not self.headed or b'"' in record:
            return self.fields(record)[at]
        if at == len(self.columns) - 1 > 0:
            return record.rsplit(self.separator, 1)[-1].strip()
        values = record.split(self.separator, at + 1)
        return values[at].strip() if at < len(values) else b""

    def fields(self, record: bytes) -> Fields:
        """Return the values of a record, unquoted, one a column; missing ones are empty."""
        values = _split(record, self.separator) if self.headed else _members(record, self.columns)
        return (*values, *[b""] * (len(self.columns) - len(values)))[: len(self.columns)]


def read_table(path: Path, name: str) -> Table | None:
    """Return the table in a file; None if its format is unknown."""
    bare = bare_name(path.name)
    if path.suffix.lower() == ".zip":
        member = only_member(path)
        if member is None:
            return None
        bare = member.lower()
    try:
        if bare.endswith(_SEPARATED):
            return _separated(path, name)
        if bare.endswith(_OBJECTS):
            return _objects(path, name)
    except (OSError, NoTable, *UNREADABLE):
        return None
    return None


def _separated(path: Path, name: str) -> Table | None:
    with opened(path) as stream:
        head = next(_records(stream, b","), b"")
    if not head.strip() or head.startswith(_NOT_OURS) or b"\0" in head:
        return None
    separator = _separator(head)
    with opened(path) as stream:  # again: the separator decides which quotes begin a field
        head = next(_records(stream, separator))
    columns = tuple(_text(value) for value in _split(head.removeprefix(b"\xef\xbb\xbf"), separator))
    return Table(path, name, columns, separator, path.stat().st_size)


def _objects(path: Path, name: str) -> Table | None:
    with opened(path) as stream:
        head = stream.readline(_LONGEST_LINE)
        second = stream.readline(_LONGEST_LINE)
    if not second.strip():
        return None  # a single document
    try:
        first, following = read_json(head), read_json(second)
    except UnreadableText:
        return None
    if not isinstance(first, dict) or not isinstance(following, dict):
        return None
    return Table(path, name, tuple(map(str, first)), b"", path.stat().st_size)


def _separator(head: bytes) -> bytes:
    """Return the separator that splits a header best; a comma for a single column."""
    outside = b"".join(head.split(b'"')[::2])
    counts = [(outside.count(sign), -at, bytes([sign])) for at, sign in enumerate(_SEPARATORS)]
    count, _, sign = max(counts)
    return sign if count else b","


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8").strip()
    except UnicodeDecodeError:
        return value.decode("latin-1").strip()


def _records(stream: IO[bytes], separator: bytes) -> Iterator[bytes]:
    """Yield the records of a stream; a line break within quotes ends none."""
    held: list[bytes] = []
    while True:
        line = held.pop(0) if held else stream.readline(_LONGEST_LINE)
        if not line:
            return
        if len(line) >= _LONGEST_LINE:
            raise NoTable("a line is too long")
        if not separator or b'"' not in line or not _ends_within(line, separator):
            yield line
            continue
        record, taken = line, [line]
        while _ends_within(record, separator):
            following = held.pop(0) if held else stream.readline(_LONGEST_LINE)
            if not following or len(record) > _LONGEST_RECORD:
                # A quote that nothing closes is a sign like any other.
                held = [*taken[1:], *([following] if following else []), *held]
                record = line
                break
            record += following
            taken.append(following)
            while b'"' not in following and following and len(record) <= _LONGEST_RECORD:
                following = held.pop(0) if held else stream.readline(_LONGEST_LINE)
                record += following
                if following:
                    taken.append(following)
        yield record


def _ends_within(record: bytes, separator: bytes) -> bool:
    """Return whether a record ends in a quoted field: a quote opens one only at its beginning."""
    at = 0
    while True:
        if record[at : at + 1] == b'"':
            at = closing_quote(record, at)
            if at < 0:
                return True
        at = record.find(separator, at)
        if at < 0:
            return False
        at += 1


def closing_quote(record: bytes, at: int) -> int:
    """Return the place of the quote that closes the field beginning at `at`; -1 if none does."""
    end = record.find(b'"', at + 1)
    while end >= 0 and record[end + 1 : end + 2] == b'"':
        end = record.find(b'"', end + 2)
    return end


def _split(record: bytes, separator: bytes) -> list[bytes]:
    record = record.rstrip(b"\r\n")
    if b'"' not in record:
        return [value.strip() for value in record.split(separator)]
    text = io.StringIO(record.decode("latin-1"), newline="")
    try:
        values = next(csv.reader(text, delimiter=separator.decode()), [])
    except csv.Error:
        return [value.strip() for value in record.split(separator)]
    return [value.strip().encode("latin-1") for value in values]


def _members(record: bytes, columns: tuple[str, ...]) -> list[bytes]:
    try:
        value = read_json(record)
    except UnreadableText:
        return []
    if not isinstance(value, dict):
        return []
    return [str(value.get(column, "")).encode("utf-8", "replace") for column in columns]
