"""Validation folds: competitions made of a competition's public training data.

Each has the layout and the name of the original competition, so that the notebook runs on it
unchanged; the held-out rows are its test data, their labels its sealed answers. The
competition's own answers are not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mle_modernizer_server.domain.competition import Competition, SplitKind
from mle_modernizer_server.domain.improvement import DEFAULT_FOLDS, FoldPlan
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sampling.folders import (
    READABLE,
    File,
    Linker,
    files_below,
)
from mle_modernizer_server.execution.sampling.making import survey_all
from mle_modernizer_server.execution.sampling.permuted import split_raw
from mle_modernizer_server.execution.sampling.roles import Layout, Roles, roles
from mle_modernizer_server.execution.sampling.survey import Survey
from mle_modernizer_server.execution.sampling.tables import NoTable, Table
from mle_modernizer_server.execution.sampling.watch import TookTooLong, Watch
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.description import FILE_NAME
from mle_modernizer_server.improving.fold_split import (
    CannotFold,
    Choice,
    choose_split,
    half_of,
    held_out_rows,
)
from mle_modernizer_server.untrusted.archives import UNREADABLE
from mle_modernizer_server.untrusted.files import copy_regular, is_file
from mle_modernizer_server.untrusted.packed import write_like

_PUBLIC = "prepared/public/"
_MOST_BYTES = 512 * 2**20
_MOST_NAMED = 20
_LONGEST_LABEL = 100
_MANY_COPIES = 0.01
"""Share of the held-out rows from which copies are reported."""


@dataclass(frozen=True)
class Fold:
    """One validation fold.

    Attributes:
        root: A data root that holds this fold only, under the competition's name.
        trained_on: Rows of its training data.
        held_out: Rows of its test data.
        half: The same fold with half of its test rows; None for all but the last fold.
    """

    root: Path
    trained_on: int
    held_out: int
    half: Fold | None = None

    @property
    def competitions(self) -> Competitions:
        """Return the fold as a competition that a run can be graded by."""
        return Competitions(self.root)


def make_folds(
    competitions: Competitions,
    slug: str,
    target: Path,
    watch: Watch,
    *,
    count: int = DEFAULT_FOLDS,
    choice: Choice | None = None,
    seed: int = 0,
) -> tuple[FoldPlan, list[Fold]]:
    """Make validation folds in a directory that the caller must remove.

    Args:
        competitions: The data root of the competition.
        slug: The competition; its files are only read.
        target: An empty directory.
        watch: Ends it.
        count: Number of folds.
        choice: Assignment of rows; None infers the competition's own kind of split.
        seed: The same seed gives the same folds.

    Raises:
        CannotFold: The data do not allow it; `message` is the reason.
        ModernizerError: The competition cannot be used.
        Stopped: It was cancelled.
    """
    competition = competitions.get(slug)
    public = competitions.public_dir(slug)
    own = competitions.root / slug / FILE_NAME
    try:
        return _make(competition, public, own, target, watch, count, choice, seed)
    except TookTooLong as error:
        raise CannotFold(coded("not-folded.too-long")) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotFold(coded("not-folded.unreadable", reason=reason)) from error
    except (NoTable, *UNREADABLE) as error:
        raise CannotFold(coded("no-sample.packed", reason=str(error))) from error


def _make(
    competition: Competition,
    public: Path,
    own: Path,
    target: Path,
    watch: Watch,
    count: int,
    choice: Choice | None,
    seed: int,
) -> tuple[FoldPlan, list[Fold]]:
    files = files_below(public, watch)
    layout = Layout(
        ids=competition.id_columns,
        targets=(*competition.target_columns, *competition.answer_columns),
        submission=competition.sample_submission.removeprefix(_PUBLIC),
    )
    found = roles(survey_all(files, layout, watch), layout)
    train, test, sample = _tables(found, competition)
    rows = [split_raw(record, train.separator) for record in _records(train, watch)]
    columns = _Columns(train, rows)
    labels = _labels(columns, competition)
    if choice is None:
        tests = [split_raw(record, test.separator) for record in _records(test, watch)]
        there = _Columns(test, tests)
        shared = [name for name in train.columns if name in test.columns]
        known = {name: columns.texts(name) for name in shared}
        asked = {name: there.texts(name) for name in shared}
        choice = choose_split(labels, known, asked, competition.id_columns)
    cells: Sequence[str] = ()
    if choice.split is SplitKind.STRATIFIED:
        cells = labels
    elif choice.column is not None:
        if choice.column not in train.columns:
            raise CannotFold(coded("not-folded.no-column", column=str(choice.column)))
        cells = columns.texts(choice.column)
    pairs = held_out_rows(choice, cells, len(rows), count, seed)
    filler = next(iter(_records(sample, watch)), None)
    if filler is None:
        raise CannotFold(coded("not-folded.empty-sample"))

    def fold(name: str, kept: Sequence[int], held: Sequence[int]) -> Fold:
        watch.check()
        root = target / name
        _write_fold(
            root / competition.id,
            competition,
            files,
            _Tables(train, test, sample),
            columns,
            split_raw(filler, sample.separator),
            kept,
            held,
        )
        if is_file(own):
            copy_regular(own, root / competition.id / FILE_NAME)
        return Fold(root, len(kept), len(held))

    folds = [
        fold(f"fold{number}", kept.tolist(), held.tolist())
        for number, (kept, held) in enumerate(pairs, start=1)
    ]
    kept, held = (part.tolist() for part in pairs[-1])
    folds[-1] = replace(folds[-1], half=fold("half", kept, half_of(choice, cells, held)))
    plan = FoldPlan(
        count=count,
        split=choice.split,
        column=choice.column,
        seed=seed,
        reason=choice.reason,
        table=train.name,
        rows=len(rows),
        held_out=tuple(fold.held_out for fold in folds),
        classes=_classes(labels),
        copies=_copies(columns, competition.id_columns, kept, held),
    )
    return plan, folds


@dataclass(frozen=True)
class _Tables:
    train: Table
    test: Table
    sample: Table


@dataclass(frozen=True)
class _Columns:
    """A table in memory: fields as in the file, with their quotes."""

    table: Table
    rows: Sequence[Sequence[bytes]]

    def raw(self, row: int, name: str) -> bytes:
        at = self.table.columns.index(name)
        fields = self.rows[row]
        return fields[at] if at < len(fields) else b""

    def texts(self, name: str) -> list[str]:
        """Return the values of a column, without quotes."""
        return [
            self.raw(row, name).strip().strip(b'"').decode("utf-8", "replace")
            for row in range(len(self.rows))
        ]


def _tables(found: Roles, competition: Competition) -> tuple[Table, Table, Table]:
    """Return training data, test data and sample submission.

    Raises:
        CannotFold: One is missing, no table of fields, too large, or has not the columns needed.
    """
    named: dict[str, Survey | None] = {
        "no-table.training": found.train,
        "no-table.test": found.test,
        "no-table.sample": found.submission,
    }
    for code, survey in named.items():
        if survey is None:
            raise CannotFold(coded(code))
        if not survey.table.headed:
            raise CannotFold(coded("not-folded.no-csv", table=survey.table.name))
        if survey.table.size > _MOST_BYTES:
            raise CannotFold(coded("not-folded.too-large", table=survey.table.name))
    assert found.train is not None and found.test is not None and found.submission is not None
    train = found.train.table
    if found.features is not None:
        raise CannotFold(coded("not-folded.two-tables", table=train.name))
    needed = (
        *competition.answer_columns,
        *competition.support.values(),
        *competition.scored_where,
    )
    absent = [name for name in needed if name not in train.columns]
    if absent:
        raise CannotFold(
            coded("not-folded.columns-missing", table=train.name, columns=", ".join(absent))
        )
    absent = [
        name
        for name in found.test.table.columns
        if name not in train.columns and name not in competition.id_columns
    ]
    if absent:
        raise CannotFold(coded("not-folded.other-columns", table=train.name, column=absent[0]))
    return train, found.test.table, found.submission.table


def _labels(columns: _Columns, competition: Competition) -> list[str]:
    """Return the label of each training row; empty if there are several columns of them."""
    names = competition.answer_columns
    return columns.texts(names[0]) if len(names) == 1 else []


def _classes(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels in order; none if there are many, or long ones."""
    found = sorted(set(labels))
    few = len(found) <= _MOST_NAMED and all(len(label) <= _LONGEST_LABEL for label in found)
    return tuple(found) if few else ()


def _copies(columns: _Columns, ids: Sequence[str], kept: Sequence[int], held: Sequence[int]) -> int:
    """Return the number of held-out rows that are training rows too, ids ignored; 0 for a few."""
    places = [at for at, name in enumerate(columns.table.columns) if name not in ids]

    def content(row: int) -> tuple[bytes, ...]:
        fields = columns.rows[row]
        return tuple(fields[at].strip() for at in places if at < len(fields))

    known = {content(row) for row in kept}
    found = sum(content(row) in known for row in held)
    return found if found > _MANY_COPIES * len(held) else 0


def _write_fold(
    folder: Path,
    competition: Competition,
    files: Sequence[File],
    tables: _Tables,
    columns: _Columns,
    filler: Sequence[bytes],
    kept: Sequence[int],
    held: Sequence[int],
) -> None:
    public = folder / _PUBLIC
    public.mkdir(parents=True)
    ids = competition.id_columns

    def value(row: int, name: str) -> bytes:
        if name in tables.train.columns:
            return columns.raw(row, name)
        return b"%d" % row  # an id that the training data do not have

    def fields(row: int, table: Table) -> list[bytes]:
        return [value(row, name) for name in table.columns]

    def asked(row: int) -> list[bytes]:
        return [
            value(row, name) if name in ids else filler[at] if at < len(filler) else b""
            for at, name in enumerate(tables.sample.columns)
        ]

    written: dict[str, tuple[Table, Iterable[Sequence[bytes]]]] = {
        tables.train.name: (tables.train, (columns.rows[row] for row in kept)),
        tables.test.name: (tables.test, (fields(row, tables.test) for row in held)),
        tables.sample.name: (tables.sample, (asked(row) for row in held)),
    }
    linker = Linker(public)
    for file in files:
        if file.name not in written:
            linker.add(file)
            continue
        table, records = written[file.name]
        place = public / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        write_like(table.path, place, _lines(table, records))
        place.chmod(READABLE)
    names = dict.fromkeys(
        (
            *ids,
            *competition.answer_columns,
            *competition.support.values(),
            *competition.scored_where,
        )
    )
    answers = folder / competition.answers
    answers.parent.mkdir(parents=True, exist_ok=True)
    with answers.open("wb") as stream:
        stream.write(",".join(map(_quoted, names)).encode() + b"\n")
        for row in held:
            stream.write(b",".join(_comma(value(row, name)) for name in names) + b"\n")
    for directory in [public, *(path for path in public.rglob("*") if path.is_dir())]:
        directory.chmod(0o755)


def _lines(table: Table, records: Iterable[Sequence[bytes]]) -> Iterator[bytes]:
    yield next(table.records()).rstrip(b"\r\n") + b"\n"
    for record in records:
        yield table.separator.join(record) + b"\n"


def _records(table: Table, watch: Watch) -> Iterator[bytes]:
    records = table.records()
    next(records, None)
    for number, record in enumerate(record for record in records if not record.isspace()):
        if number % 4_096 == 0:
            watch.check()
        yield record


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if set(name) & set(',"\n') else name


def _comma(raw: bytes) -> bytes:
    """Return a field quoted for a comma-separated file, whatever its own separator."""
    if b"," in raw and not raw.lstrip().startswith(b'"'):
        return b'"' + raw.replace(b'"', b'""') + b'"'
    return raw
