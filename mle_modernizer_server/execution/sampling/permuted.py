"""Copies of a competition's public data with the training labels, or the test rows, permuted.

A run on such a copy shows the source of a notebook's results. Unchanged files are linked,
never written; the copy is made again byte for byte from the same data and seed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.execution.sampling.folders import (
    File,
    Linker,
    files_below,
    open_folders,
    write_table,
)
from mle_modernizer_server.execution.sampling.making import refusals, survey_all
from mle_modernizer_server.execution.sampling.roles import Layout, Roles, roles
from mle_modernizer_server.execution.sampling.survey import Survey, rows_of
from mle_modernizer_server.execution.sampling.tables import NoTable, Table, closing_quote
from mle_modernizer_server.execution.sampling.watch import Watch
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_json

MOST_ROWS = 2_000_000
_MOST_BYTES = 512 * 2**20
"""Largest table that is permuted in memory; a larger one is sampled first."""
_JOIN = "\x1f"

Raw = tuple[bytes, ...]
"""Fields as in the file, including quotes."""


class CannotPermute(Exception):
    """No such copy can be made of these data; `message` has the reason, to follow a `because`."""

    def __init__(self, message: Messages) -> None:
        super().__init__(message)
        self.message = message


_refusals = refusals(CannotPermute, "not-permuted.too-long", "not-permuted.unreadable")


@dataclass(frozen=True)
class PermutedLabels:
    """A copy with permuted training labels.

    Attributes:
        table: The table, by its path below the public directory.
        columns: The columns whose values were permuted, row by row together.
        rows: How many rows it has.
    """

    table: str
    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class PermutedRows:
    """A copy with permuted test rows.

    Attributes:
        table: The table, by its path below the public directory.
        rows: How many rows it has.
        moved: By the id a row had, the id it has in the copy; several id columns are joined by
            the unit separator.
        ids_moved: Whether rows have other ids; otherwise only their order is another one, because
            other data are found by the ids.
    """

    table: str
    rows: int
    moved: dict[str, str] = field(repr=False)
    ids_moved: bool


@_refusals
def permute_labels(
    public: Path, target: Path, layout: Layout, seed: int, watch: Watch
) -> PermutedLabels:
    """Make a directory like a competition's public one in which the training labels are permuted.

    Args:
        public: The competition's public directory; it is not changed.
        target: The directory to make.
        layout: The competition's description of its files.
        seed: Of the permutation.
        watch: Ends it.

    Raises:
        CannotPermute: The labels are not in a table, or it is too large, or cannot be read.
        Stopped: It was cancelled.
    """
    files, found = _looked_at(public, layout, watch)
    train = found.train
    if train is None:
        raise CannotPermute(coded("no-table.training"))
    _check_size(train)
    columns = _label_columns(found, layout)
    if not columns:
        raise CannotPermute(coded("not-permuted.labels-unknown"))
    places = [train.column(name) for name in columns]
    labels = [_raw(train.table, record, places) for record in _records(train.table, watch)]
    order = list(range(len(labels)))
    random.Random(seed).shuffle(order)
    if all(labels[at] == labels[to] for at, to in enumerate(order)):
        raise CannotPermute(coded("not-permuted.one-label"))
    records = (
        _with(train.table, record, places, labels[to])
        for record, to in zip(_records(train.table, watch), order, strict=True)
    )
    _write(files, {train.table.name: (train.table, records)}, target, watch)
    return PermutedLabels(train.table.name, tuple(columns), len(labels))


@_refusals
def permute_rows(
    public: Path, target: Path, layout: Layout, seed: int, watch: Watch
) -> PermutedRows:
    """Make a directory like a competition's public one in which the test rows are permuted.

    The rows are in another order, and exchange their ids unless other data refer to
    these. The sample submission keeps to the order of the test data.

    Args, raises: As `permute_labels`.
    """
    files, found = _looked_at(public, layout, watch)
    test, sample = found.test, found.submission
    if test is None:
        raise CannotPermute(coded("no-table.test"))
    _check_size(test)
    records = list(_records(test.table, watch))
    shuffled = random.Random(seed)
    rows, named = list(range(len(records))), list(range(len(records)))
    shuffled.shuffle(rows)
    ids = [name for name in layout.ids if name in test.table.columns]
    places = [test.column(name) for name in ids]
    keys = [_raw(test.table, record, places) for record in records]
    # without other columns, the ids are the features
    free = len(test.table.columns) > len(ids) > 0 and len(set(keys)) == len(keys)
    free = free and not _found_by(keys, ids, files, found, watch)
    if free:
        shuffled.shuffle(named)
    else:
        named = rows
    changed = {test.table.name: (test.table, _moved(test.table, records, rows, named, places))}
    samples = [] if sample is None else _sample_keys(sample, layout, len(records), watch)
    if sample is not None and ids and samples == [_texts(key) for key in keys]:
        kept = list(_records(sample.table, watch))
        changed[sample.table.name] = (sample.table, iter([kept[at] for at in named]))
    _write(files, changed, target, watch)
    if ids:
        texts = [_texts(key) for key in keys]
        moved = {texts[row]: texts[to] for row, to in zip(rows, named, strict=True)}
    elif len(samples) == len(records):
        # the id of a prediction is its place, as the sample submission names it
        moved = {samples[row]: samples[at] for at, row in enumerate(rows)}
    else:
        raise CannotPermute(coded("not-permuted.no-ids"))
    return PermutedRows(test.table.name, len(records), moved, ids_moved=free)


def _looked_at(public: Path, layout: Layout, watch: Watch) -> tuple[list[File], Roles]:
    files = files_below(public, watch)
    return files, roles(survey_all(files, layout, watch), layout)


def _check_size(found: Survey) -> None:
    if found.rows > MOST_ROWS or found.table.size > _MOST_BYTES:
        raise CannotPermute(
            coded("not-permuted.too-large", table=found.table.name, rows=found.rows)
        )


def _label_columns(found: Roles, layout: Layout) -> list[str]:
    """Return the columns of the training data that test data lack, without ids."""
    train = found.train
    assert train is not None
    columns = train.table.columns
    named = [name for name in columns if name in layout.targets]
    other = found.features or found.test
    if other is None:
        return named
    only = [name for name in columns if name not in other.table.columns and name not in layout.ids]
    if len(only) > max(1, len(columns) // 2) and named:
        return named  # the test data have other columns altogether
    return list(dict.fromkeys((*named, *only)))


def _found_by(
    keys: Sequence[Raw], ids: Sequence[str], files: Sequence[File], found: Roles, watch: Watch
) -> bool:
    """Return whether a file or another table refers to the ids of the test rows."""
    texts = {_texts(key) for key in keys}
    for number, file in enumerate(files):
        if number % 1_000 == 0:
            watch.check()
        path = PurePosixPath(file.name)
        if path.stem in texts or path.name in texts:
            return True
    return any(
        other is not None and set(ids) <= set(other.table.columns) and _shares(other, ids, texts)
        for other in (found.train, found.features)
    )


def _shares(other: Survey, ids: Sequence[str], texts: Collection[str]) -> bool:
    places = [other.column(name) for name in ids]
    return any(
        _JOIN.join(fields[at].decode("utf-8", "replace") for at in places) in texts
        for fields in other.fields.values()
    )


def _sample_keys(sample: Survey, layout: Layout, rows: int, watch: Watch) -> list[str]:
    if sample.rows != rows:
        return []
    places = [sample.column(name) for name in layout.ids if name in sample.table.columns]
    table = sample.table
    return [_texts(_raw(table, record, places)) for record in _records(table, watch)]


def _moved(
    table: Table,
    records: Sequence[bytes],
    rows: Sequence[int],
    named: Sequence[int],
    places: Sequence[int],
) -> Iterator[bytes]:
    for row, to in zip(rows, named, strict=True):
        if row == to:
            yield _ended(records[row])
        else:
            yield _with(table, records[row], places, _raw(table, records[to], places))


def _records(table: Table, watch: Watch) -> Iterator[bytes]:
    return (record for _, record in rows_of(table, watch))


def _raw(table: Table, record: bytes, places: Sequence[int]) -> Raw:
    """Return some fields of a record unchanged."""
    if not table.headed:
        values = _members(record)
        return tuple(json.dumps(values.get(table.columns[at])).encode() for at in places)
    fields = split_raw(record, table.separator)
    return tuple(fields[at] if at < len(fields) else b"" for at in places)


def _members(record: bytes) -> dict[str, Any]:
    """Return the object of a record in JSON lines.

    Raises:
        NoTable: It is none.
    """
    try:
        value = read_json(record)
    except UnreadableText as error:
        raise NoTable(str(error)) from error
    if not isinstance(value, dict):
        raise NoTable("a line is no object")
    return value


def _with(table: Table, record: bytes, places: Sequence[int], values: Raw) -> bytes:
    """Return a record with other values in some places, the rest unchanged byte for byte."""
    if not table.headed:
        found = _members(record)
        for at, value in zip(places, values, strict=True):
            found[table.columns[at]] = json.loads(value)
        return json.dumps(found).encode() + b"\n"
    fields = split_raw(record, table.separator)
    fields += [b""] * (len(table.columns) - len(fields))
    for at, value in zip(places, values, strict=True):
        fields[at] = value
    return table.separator.join(fields) + b"\n"


def split_raw(record: bytes, separator: bytes) -> list[bytes]:
    """Return the fields of a record unchanged, with their quotes, without the line's end."""
    record = record.rstrip(b"\r\n")
    if b'"' not in record:
        return record.split(separator)
    fields: list[bytes] = []
    start = at = 0
    while True:
        if record[at : at + 1] == b'"':
            at = max(closing_quote(record, at), at) + 1
        at = record.find(separator, at)
        if at < 0:
            fields.append(record[start:])
            return fields
        fields.append(record[start:at])
        at += 1
        start = at


def _texts(key: Raw) -> str:
    parts = (part.strip().strip(b'"').decode("utf-8", "replace").strip() for part in key)
    return _JOIN.join(parts)


def _ended(record: bytes) -> bytes:
    return record.rstrip(b"\r\n") + b"\n"


def _write(
    files: Sequence[File],
    changed: dict[str, tuple[Table, Iterator[bytes]]],
    target: Path,
    watch: Watch,
) -> None:
    target.mkdir(parents=True)
    linker = Linker(target)
    for file in files:
        watch.check()
        if file.name not in changed:
            linker.add(file)
            continue
        table, records = changed[file.name]
        records = chain(map(_ended, table.header()), records)
        write_table(table, records, target / file.name)
    open_folders(target)
