"""One pass over a table: its number of rows, and rows spread over it to choose from.

The stored rows are bounded: the rows' places are spread by the golden ratio
(multiplicative hashing, Knuth, The Art of Computer Programming 3, 6.4), evenly and without a
period, and every second one is dropped if there are too many.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from mle_modernizer_server.execution.sampling.tables import Fields, Table
from mle_modernizer_server.execution.sampling.watch import Watch

MOST_ROWS = 50_000
_MOST_BYTES = 64 * 2**20
_MOST_VALUES = 2_000_000
"""Fields of all stored rows."""
_MIX = 2_654_435_761
_ALL = 2**32
_MOST_CLASSES = 1_000
PER_CLASS = 10
"""Stored rows of every class: a stratified split into ten parts needs as many."""
_CLASSES_WITHIN = 3_000_000
"""Rows among which rare classes are looked for."""
_EVERY = 4_096

Rows = dict[int, bytes]
"""Records by their place among the rows of a table, from 0."""


@dataclass(frozen=True)
class Survey:
    """Result of a pass over a table.

    Attributes:
        table: The table.
        rows: Its number of rows.
        kept: Some of them, or all.
        classes: Of the target columns: the first rows of every value, if there are few values.
    """

    table: Table
    rows: int
    kept: Rows
    classes: dict[int, dict[bytes, list[int]]] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Return whether all rows were stored."""
        return len(self.kept) == self.rows

    @cached_property
    def fields(self) -> dict[int, Fields]:
        """Return the fields of the stored rows."""
        return {at: self.table.fields(record) for at, record in self.kept.items()}

    def column(self, name: str) -> int:
        """Return the position of a column."""
        return self.table.columns.index(name)

    def values(self, name: str) -> frozenset[bytes]:
        """Return the values of a column in the stored rows."""
        if name not in self._values:
            at = self.column(name)
            self._values[name] = frozenset(fields[at] for fields in self.fields.values())
        return self._values[name]

    @cached_property
    def _values(self) -> dict[str, frozenset[bytes]]:
        return {}


def survey(table: Table, targets: Collection[str], watch: Watch) -> Survey:
    """Look at a table once, from its beginning to its end.

    Args:
        table: The table.
        targets: Columns whose values are classes; of each the first rows are stored.
        watch: Ends it.

    Raises:
        NoTable, OSError, EOFError, RuntimeError, BadZipFile, zlib.error, LZMAError: It cannot be
            read.
        Stopped, TookTooLong: As `Watch.check`.
    """
    kept: Rows = {}
    pinned: Rows = {}
    classes: dict[int, dict[bytes, list[int]]] = {
        at: {} for at, name in enumerate(table.columns) if name in targets
    }
    most = max(1_000, min(MOST_ROWS, _MOST_VALUES // max(1, len(table.columns))))
    below, size, row = _ALL, 0, -1
    for row, record in rows_of(table, watch):
        if (row * _MIX) % _ALL < below:
            kept[row] = record
            size += len(record)
            if len(kept) > most or size > _MOST_BYTES:
                below //= 2
                kept = {at: one for at, one in kept.items() if (at * _MIX) % _ALL < below}
                size = sum(map(len, kept.values()))
        if classes and row < _CLASSES_WITHIN:
            _note_classes(classes, table, row, record, pinned)
    wanted = {at for found in classes.values() for rows in found.values() for at in rows}
    kept |= {at: record for at, record in pinned.items() if at in wanted}
    return Survey(table, row + 1, dict(sorted(kept.items())), classes)


def _note_classes(
    classes: dict[int, dict[bytes, list[int]]],
    table: Table,
    row: int,
    record: bytes,
    pinned: Rows,
) -> None:
    for at in list(classes):
        found = classes[at].setdefault(table.value(record, at), [])
        if len(found) < PER_CLASS:
            found.append(row)
            pinned[row] = record
        if len(classes[at]) > _MOST_CLASSES:
            del classes[at]  # a number or a text, no class
            if not classes:
                pinned.clear()


def scan(
    table: Table,
    key: Callable[[bytes], Collection[bytes]],
    wanted: Collection[bytes],
    *,
    each: int,
    watch: Watch,
    most: int = 200_000,
) -> tuple[Rows, dict[bytes, list[int]]]:
    """Return all rows of a table that belong to one of the requested keys.

    Args:
        table: The table.
        key: The keys of a record.
        wanted: The requested keys.
        each: Limit of rows of the same key, the first ones.
        watch: Ends it.
        most: Limit of all rows.

    Returns:
        The rows, and by key their places in order.

    Raises:
        As `survey`.
    """
    rows: Rows = {}
    found: dict[bytes, list[int]] = {}
    for row, record in rows_of(table, watch):
        for one in key(record):
            if one not in wanted:
                continue
            places = found.setdefault(one, [])
            if len(places) < each and len(rows) < most:
                places.append(row)
                rows[row] = record
            break
    return rows, found


def pick(table: Table, places: Collection[int], watch: Watch) -> Rows:
    """Return the rows at some places.

    Raises:
        As `survey`.
    """
    return {row: record for row, record in rows_of(table, watch) if row in places}


def rows_of(table: Table, watch: Watch) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of a table with their places, without header and empty lines.

    Raises:
        As `survey`.
    """
    records = table.records()
    if table.headed:
        next(records, None)
    row = 0
    for record in records:
        if row % _EVERY == 0:
            watch.check()
        if record.isspace():
            continue
        yield row, record
        row += 1
