"""Make a custom competition from labelled data."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from mle_modernizer_server.domain.competition import Metric, Split, SplitKind, Task
from mle_modernizer_server.domain.errors import BadCompetition
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.grading.cells import MISSING, number
from mle_modernizer_server.grading.csv_table import MOST_BYTES, Table, read_table
from mle_modernizer_server.grading.description import FILE_NAME, read_description
from mle_modernizer_server.grading.metric_facts import FACTS, Takes
from mle_modernizer_server.grading.refusal import InvalidSubmission, examples, shown
from mle_modernizer_server.untrusted.files import exists, is_file, is_folder

_CSV = re.compile(r"\.csv(\.(gz|zip|bz2|xz))?$", re.IGNORECASE)
_ID = re.compile(r"^(id|.*_id|.*Id|.*ID|key|index)$")
_TARGET = re.compile(r"^(target|label|y|class|score|outcome)$", re.IGNORECASE)
_MOST_CLASSES = 50
ROW_ID = "row_id"
"""Name of the id column that is added if the data has none."""


_METRICS = {
    Task.BINARY: (Metric.ROC_AUC, Metric.ACCURACY, Metric.LOG_LOSS, Metric.MCC, Metric.GINI),
    Task.MULTICLASS: (
        *(Metric.ACCURACY, Metric.MACRO_F1, Metric.MICRO_F1, Metric.BALANCED_ACCURACY),
        *(Metric.QUADRATIC_WEIGHTED_KAPPA, Metric.MCC),
    ),
    Task.REGRESSION: (Metric.RMSE, Metric.MAE, Metric.RMSLE, Metric.R2, Metric.SPEARMAN),
}


@dataclass(frozen=True)
class Found:
    """Data files of a folder, and their inferred roles.

    Attributes:
        train: The labelled data.
        test: Unlabelled data, if any.
        sample: A sample submission, if any.
        columns: Columns of the labelled data.
        id_column: The column that names a row; None: none does, and one is added.
        target_columns: The columns to predict.
        task: Its kind.
        metrics: Metrics that fit, the likeliest first.
    """

    train: Path
    test: Path | None
    sample: Path | None
    columns: tuple[str, ...]
    id_column: str | None
    target_columns: tuple[str, ...]
    task: Task
    metrics: tuple[Metric, ...]


@dataclass(frozen=True)
class Plan:
    """Options of a new competition.

    Attributes:
        id_column: None: an id column is added.
        target_columns: The columns to predict.
        metric: Its metric.
        split: How the answers are held out.
        name: Name of the competition.
    """

    id_column: str | None
    target_columns: tuple[str, ...]
    metric: Metric
    split: Split
    name: str


def csv_files(folder: Path) -> list[Path]:
    """Return the CSVs in a folder, packed ones too, by name.

    Raises:
        OSError: It cannot be read.
    """
    return sorted(path for path in folder.iterdir() if is_file(path) and _CSV.search(path.name))


def usual_split(found: Found, metric: Metric | None) -> SplitKind:
    """Return the usual way to hold out answers for such a task."""
    of_labels = metric is not None and FACTS[metric].takes is Takes.LABELS
    classes = found.task is not Task.REGRESSION or of_labels
    return SplitKind.STRATIFIED if classes else SplitKind.RANDOM


_OF_ZERO_AND_ONE = frozenset({Metric.ROC_AUC, Metric.LOG_LOSS, Metric.GINI})
"""Metrics of one column of probabilities."""


def look_at(
    folder: Path,
    *,
    train: Path | None = None,
    targets: tuple[str, ...] = (),
    id_column: str | None = None,
    most_bytes: int = MOST_BYTES,
) -> Found:
    """Inspect a folder; the caller's values replace inferred ones.

    Args:
        folder: Folder of the data.
        train: The labelled data.
        targets: The target columns.
        id_column: The id column.
        most_bytes: Bound on the size of a file, unpacked.

    Raises:
        BadCompetition: There is no labelled data, or a column that was named is not there.
    """
    if not is_folder(folder):
        raise BadCompetition(coded("own-competition.no-directory", folder=str(folder)))
    files = csv_files(folder)
    sample = _named(files, r"sample.*|.*submission.*")
    test = _named(files, r"test.*")
    others = [path for path in files if path not in (sample, test)]
    chosen = train or _named(others, r"train.*") or (others[0] if len(others) == 1 else None)
    if chosen is None:
        names = ", ".join(path.name for path in files) or "no CSV"
        raise BadCompetition(
            coded("own-competition.several-files", folder=str(folder), names=names)
        )
    table = _read(chosen, most_bytes=most_bytes)
    for name in (*targets, *([id_column] if id_column else [])):
        if name not in table.header:
            there = examples(list(table.header), 8)
            raise BadCompetition(
                coded(
                    "own-competition.no-column", chosen=chosen.name, name=shown(name), there=there
                )
            )
    in_sample = _read(sample, ()).header if sample else ()
    in_test = _read(test, ()).header if test else ()
    key = id_column or _guess_id(table, in_sample)
    wanted = targets or _guess_targets(table, in_sample, in_test, key)
    task = _task(table.columns[wanted[0]])
    return Found(
        train=chosen,
        test=test,
        sample=sample,
        columns=table.header,
        id_column=key,
        target_columns=wanted,
        task=task,
        metrics=_fitting(task, [table.columns[name] for name in wanted]),
    )


def make_competition(
    folder: Path,
    found: Found,
    plan: Plan,
    *,
    force: bool = False,
    most_bytes: int = MOST_BYTES,
) -> list[Path]:
    """Write a competition into a folder, usually that of the data; return the files.

    The labelled data is split: most of it becomes the public training data, the held-out rows the
    public test data without and the private answers with their targets.

    Raises:
        BadCompetition: A file is there already (and `force` is not set), a link leads out of the
            folder, or the plan does not fit the data.
    """
    public, private = folder / "prepared" / "public", folder / "prepared" / "private"
    files = {
        "train": public / "train.csv",
        "test": public / "test.csv",
        "sample": public / "sample_submission.csv",
        "description": public / "description.md",
        "answers": private / "answers.csv",
        "yaml": folder / FILE_NAME,
    }
    there = [path for path in files.values() if exists(path)]
    if there and not force:
        names = ", ".join(str(path.relative_to(folder)) for path in there)
        raise BadCompetition(coded("own-competition.exists", folder=str(folder), names=names))
    _stay_in(folder, (public, private))
    table = _read(found.train, most_bytes=most_bytes)
    _check(plan, table)
    from mle_modernizer_server.grading.holdout import held_out  # loads NumPy

    mask = held_out(plan.split, len(table), _split_cells(plan, table))
    key = plan.id_column or ROW_ID
    columns = dict(table.columns)
    header = list(table.header)
    if plan.id_column is None:
        columns[ROW_ID] = [str(row) for row in range(len(table))]
        header = [ROW_ID, *header]
    targets = list(plan.target_columns)
    rows = mask.nonzero()[0].tolist()
    public.mkdir(parents=True, exist_ok=True)
    private.mkdir(parents=True, exist_ok=True)
    for path in files.values():
        path.unlink(missing_ok=True)  # a link in a file's place is never written through
    _write(files["train"], columns, header, (~mask).nonzero()[0].tolist())
    _write(files["test"], columns, [name for name in header if name not in targets], rows)
    _write(files["answers"], columns, [key, *targets], rows)
    sample = {key: columns[key], **{name: _constant(columns[name]) for name in targets}}
    _write(files["sample"], sample, [key, *targets], rows)
    files["description"].write_text(_description(plan, found, key, len(table), len(rows)), "utf-8")
    content = {
        "name": plan.name,
        "metric": plan.metric.value,
        "id_columns": [key],
        "target_columns": targets,
    }
    files["yaml"].write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), "utf-8")
    read_description(files["yaml"], folder)
    return list(files.values())


def _stay_in(folder: Path, directories: Iterable[Path]) -> None:
    home = folder.resolve()
    for directory in directories:
        if not directory.resolve().is_relative_to(home):
            name = directory.relative_to(folder)
            raise BadCompetition(
                coded("own-competition.leads-out", name=str(name), folder=str(folder))
            )


def _named(files: Sequence[Path], pattern: str) -> Path | None:
    return next((path for path in files if re.match(pattern, path.name, re.IGNORECASE)), None)


def _read(
    path: Path, wanted: Sequence[str] | None = None, *, most_bytes: int = MOST_BYTES
) -> Table:
    most_rows = None if wanted is None else 0
    try:
        return read_table(path, wanted, most_rows=most_rows, most_bytes=most_bytes)
    except InvalidSubmission as error:
        raise BadCompetition(
            coded("own-competition.unusable", path=path.name, message=error.message)
        ) from error


def _guess_id(table: Table, in_sample: Sequence[str]) -> str | None:
    likely = [name for name in in_sample[:1] if name in table.header]
    likely += [name for name in table.header if _ID.match(name)]
    for name in likely:
        if len(set(table.columns[name])) == len(table):
            return name
    return None


def _guess_targets(
    table: Table, in_sample: Sequence[str], in_test: Sequence[str], key: str | None
) -> tuple[str, ...]:
    from_sample = tuple(name for name in in_sample if name in table.header and name != key)
    from_test = tuple(name for name in table.header if in_test and name not in in_test)
    by_name = tuple(name for name in table.header if _TARGET.match(name))
    return from_sample or from_test or by_name[:1] or table.header[-1:]


def _task(cells: Sequence[str]) -> Task:
    there = {text for text in cells if text not in MISSING}
    values = [number(text) for text in there]
    whole = all(value is not None and value.is_integer() for value in values)
    if len(there) == 2 and (whole or None in values):
        return Task.BINARY
    if None in values or (whole and len(there) <= _MOST_CLASSES):
        return Task.MULTICLASS
    return Task.REGRESSION


def _fitting(task: Task, targets: Sequence[Sequence[str]]) -> tuple[Metric, ...]:
    values = [number(text) for cells in targets for text in cells]
    numeric = None not in values
    known = [value for value in values if value is not None]
    left_out: set[Metric] = set()
    if not numeric or not set(known) <= {0.0, 1.0}:
        left_out |= _OF_ZERO_AND_ONE
    if not numeric:
        left_out.add(Metric.QUADRATIC_WEIGHTED_KAPPA)
    if known and min(known) < 0:
        left_out.add(Metric.RMSLE)
    return tuple(metric for metric in _METRICS[task] if metric not in left_out)


def _check(plan: Plan, table: Table) -> None:
    facts = FACTS[plan.metric]
    for name in plan.target_columns:
        cells = table.columns[name]
        empty = next((row for row, text in enumerate(cells) if text in MISSING), None)
        if empty is not None:
            raise BadCompetition(
                coded("own-competition.no-target", lines=table.lines[empty], name=shown(name))
            )
        if facts.takes is Takes.NUMBERS and any(number(text) is None for text in set(cells)):
            raise BadCompetition(
                coded("own-competition.needs-numbers", metric=plan.metric.value, name=shown(name))
            )
        if plan.metric in _OF_ZERO_AND_ONE and {number(text) for text in set(cells)} - {0.0, 1.0}:
            fitting = ", ".join(metric.value for metric in _fitting(_task(cells), [cells]))
            raise BadCompetition(
                coded(
                    "own-competition.needs-two",
                    metric=plan.metric.value,
                    name=shown(name),
                    fitting=fitting,
                )
            )
    if plan.id_column is not None and len(set(table.columns[plan.id_column])) < len(table):
        raise BadCompetition(coded("own-competition.id-twice", id_column=shown(plan.id_column)))
    if plan.id_column is None and ROW_ID in table.header:
        raise BadCompetition(coded("own-competition.row-column", row_id=repr(ROW_ID)))
    column = plan.split.column
    if plan.split.kind in (SplitKind.GROUP, SplitKind.TIME) and column not in table.columns:
        there = examples(list(table.header), 8)
        raise BadCompetition(
            coded("own-competition.no-split-column", column=repr(column), there=there)
        )


def _split_cells(plan: Plan, table: Table) -> Sequence[str]:
    if plan.split.kind is SplitKind.STRATIFIED:
        return table.columns[plan.target_columns[0]]
    return table.columns[plan.split.column] if plan.split.column else ()


def _constant(cells: Sequence[str]) -> list[str]:
    """Return a sample submission's cells: one value that is valid and knows nothing."""
    values = [number(text) for text in cells]
    constant = cells[0] if None in values else "0"
    return [constant] * len(cells)


def _write(
    file: Path, columns: dict[str, list[str]], header: Sequence[str], rows: Iterable[int]
) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([columns[name][row] for name in header] for row in rows)


def _description(plan: Plan, found: Found, key: str, rows: int, held: int) -> str:
    facts = FACTS[plan.metric]
    better = "higher" if facts.higher_is_better else "lower"
    targets = ", ".join(f"`{name}`" for name in plan.target_columns)
    return f"""# {plan.name}

Predict {targets} ({found.task.value}) for each row of `test.csv`.

## Data

- `train.csv`: {rows - held:,} labelled rows
- `test.csv`: {held:,} rows without {targets}
- `sample_submission.csv`: the form of a submission

## Evaluation

{facts.title} ({better} is better).

## Submission

A CSV with the columns `{key}` and {targets}, one row for each `{key}` of `test.csv`.
"""
