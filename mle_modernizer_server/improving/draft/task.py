"""The task of a competition, inferred from its public files: tables, columns and target."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mle_modernizer_server.domain.competition import Competition, Metric, Task
from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.sampling.folders import File, files_below
from mle_modernizer_server.execution.sampling.making import survey_all
from mle_modernizer_server.execution.sampling.roles import Layout, roles
from mle_modernizer_server.execution.sampling.survey import Survey
from mle_modernizer_server.execution.sampling.watch import Watch
from mle_modernizer_server.grading.cells import MISSING, number
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.csv_table import Table, read_table
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.refusal import InvalidSubmission

_PUBLIC = "prepared/public/"
_MEDIA = {
    "images": frozenset({"jpg", "jpeg", "png", "tif", "tiff", "bmp", "gif", "dcm", "dicom"}),
    "sounds": frozenset({"wav", "mp3", "flac", "ogg", "aif", "aiff"}),
}
_FEW_FILES = 20
"""Most pictures and sounds that a task of tables may contain."""
_PROBABILITIES = frozenset(
    {Metric.ROC_AUC, Metric.GINI, Metric.AVERAGE_PRECISION, Metric.LOG_LOSS, Metric.BRIER}
)
"""Metrics that are best served by the probability of the second of two classes."""
_NUMBERS = frozenset(
    {
        *(Metric.RMSE, Metric.MSE, Metric.RMSLE, Metric.RMSPE, Metric.MAE, Metric.MAPE),
        *(Metric.MEDIAN_ABSOLUTE_ERROR, Metric.SMAPE, Metric.R2, Metric.PEARSON),
        Metric.SPEARMAN,
    }
)
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}/\d{1,2}/\d{4})"
    r"([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?"
)
_BOOLEAN = frozenset({"true", "false"})
_WORDS_OF_A_TEXT = 4.0
_MOSTLY = 0.95
_WORD = re.compile(r"\b\w\w+\b")
"""A word, as TF-IDF defines it."""
_VOCABULARY = 30
_TEXTS_OF_A_WORD = 5


class ColumnType(str, Enum):
    """The content of a column of features."""

    NUMBER = "number"
    CATEGORY = "category"
    DATE = "date"
    TEXT = "text"
    NAME = "name"
    """Nearly every row has another value: useless as a feature without processing."""
    EMPTY = "empty"


@dataclass(frozen=True)
class DraftTask:
    """The target and features of a task.

    Attributes:
        competition: Its slug.
        title: Its name.
        metric: The metric of submissions.
        train: The training table, below the public directory; so the others.
        test: The test table.
        sample: The sample submission.
        separators: Of these tables, if not a comma, by path.
        ids: Id columns of the sample.
        targets: Columns of the sample that are predicted.
        truths: Columns of the training table with the true values.
        class_names: By label: the column of the sample for its probability, if the columns have
            other names.
        kind: Kind of the target.
        probabilities: The submission needs probabilities, not labels.
        same_order: Test table and sample have the same rows in the same order.
        columns: Type of each feature.
        rows: Of the training table.
        smallest_class: Rows of the rarest class; 0 for numbers.
        lowest: The least value a prediction may have, if any.
        highest: The largest.
    """

    competition: str
    title: str
    metric: Metric
    train: str
    test: str
    sample: str
    separators: dict[str, str]
    ids: tuple[str, ...]
    targets: tuple[str, ...]
    truths: tuple[str, ...]
    class_names: dict[str, str]
    kind: Task
    probabilities: bool
    same_order: bool
    columns: dict[str, ColumnType]
    rows: int
    smallest_class: int
    lowest: float | None
    highest: float | None

    def of(self, kind: ColumnType) -> list[str]:
        """Return the features of one type."""
        return [name for name, found in self.columns.items() if found is kind]

    @property
    def class_columns(self) -> bool:
        """Return whether the sample has a column of probabilities for each class of one label."""
        return len(self.truths) == 1 and len(self.targets) > 1


def survey_task(competitions: Competitions, slug: str, watch: Watch) -> DraftTask:
    """Infer the task from the competition's public files.

    Raises:
        BadInput: It is a task of pictures or sounds, its tables cannot be identified or read, or
            only the ids distinguish rows; the message explains which.
        ModernizerError: The competition cannot be used.
        Stopped, TookTooLong: As `Watch.check`.
    """
    competition = competitions.get(slug)
    public = competitions.public_dir(slug)
    files = files_below(public, watch)
    layout = Layout(
        ids=competition.id_columns,
        targets=(*competition.target_columns, *competition.answer_columns),
        submission=competition.sample_submission.removeprefix(_PUBLIC),
    )
    found = roles(survey_all(files, layout, watch), layout)
    tables: dict[str, Survey] = {}
    for name, one in (("training", found.train), ("test", found.test), ("s", found.submission)):
        if one is None or not one.table.headed:
            _refuse_media(files)
            what = "a sample submission" if name == "s" else f"a table of {name} data"
            raise BadInput(coded("draft.no-table", what=what))
        tables[name] = one
    watch.check()
    train, test, sample = (_read(tables[name]) for name in ("training", "test", "s"))
    truths = _truths(competition, train)
    kind = _kind(competition, [train.columns[name] for name in truths])
    features = [
        name
        for name in test.header
        if name in train.columns and name not in (*competition.id_columns, *truths)
    ]
    columns = {name: _type(train.columns[name]) for name in features}
    useful = {ColumnType.NUMBER, ColumnType.CATEGORY, ColumnType.DATE, ColumnType.TEXT}
    if not useful & set(columns.values()):
        _refuse_media(files)
        raise BadInput(coded("draft.no-features", table=tables["training"].table.name))
    if len([file for file in files if _medium(file)]) > _FEW_FILES and len(columns) < 2:
        _refuse_media(files)
    probabilities = competition.metric in _PROBABILITIES
    labels = Counter(train.columns[truths[0]]) if kind is not Task.REGRESSION else Counter[str]()
    bounds = competition.value_range or (None, None)
    separators = {
        one.table.name: one.table.separator.decode()
        for one in tables.values()
        if one.table.separator != b","
    }
    return DraftTask(
        competition=slug,
        title=competition.name,
        metric=competition.metric,
        train=tables["training"].table.name,
        test=tables["test"].table.name,
        sample=tables["s"].table.name,
        separators=separators,
        ids=competition.id_columns,
        targets=competition.target_columns,
        truths=truths,
        class_names=dict(zip(competition.classes, competition.target_columns, strict=False)),
        kind=kind,
        probabilities=probabilities,
        same_order=_same_rows(competition, test, sample),
        columns=columns,
        rows=len(train),
        smallest_class=min(labels.values(), default=0),
        lowest=bounds[0],
        highest=bounds[1],
    )


def _medium(file: File) -> str:
    suffix = file.name.rpartition(".")[2].lower()
    return next((name for name, known in _MEDIA.items() if suffix in known), "")


def _refuse_media(files: Sequence[File]) -> None:
    """Refuse a task whose files are pictures or sounds.

    Raises:
        BadInput: Most of the data are.
    """
    media = Counter(name for file in files if (name := _medium(file)))
    for name, count in media.most_common(1):
        raise BadInput(coded("draft.media", what=name, count=count))


def _read(found: Survey) -> Table:
    """Read all columns of a table.

    Raises:
        BadInput: It is not separated by commas, or cannot be read.
    """
    path: Path = found.table.path
    if found.table.separator != b",":
        raise BadInput(
            coded("draft.unreadable", table=found.table.name, why=coded("draft.no-commas"))
        )
    try:
        return read_table(path)
    except InvalidSubmission as error:
        message = coded("draft.unreadable", table=found.table.name, why=error.message)
        raise BadInput(message) from error


def _truths(competition: Competition, train: Table) -> tuple[str, ...]:
    """Return the columns with the true values, in the order of the predicted ones.

    Raises:
        BadInput: The training table lacks them.
    """
    for names in (competition.answer_columns, competition.target_columns):
        if all(name in train.columns for name in names):
            return names
    wanted = ", ".join(competition.answer_columns)
    raise BadInput(coded("draft.no-target", columns=wanted))


def _kind(competition: Competition, cells: Sequence[Sequence[str]]) -> Task:
    """Return the kind of the target.

    Raises:
        BadInput: The metric does not apply to labels of a table's rows.
    """
    metric, labels = competition.metric, set(cells[0])
    if FACTS[metric].takes_labels and len(cells) == 1:
        return Task.BINARY if len(labels) == 2 else Task.MULTICLASS
    if metric is Metric.LOG_LOSS and len(cells) == 1 and len(competition.target_columns) > 1:
        return Task.MULTICLASS
    if metric in _PROBABILITIES and all(len(set(one)) == 2 for one in cells):
        return Task.BINARY
    if metric in _NUMBERS and all(number(text) is not None for one in cells for text in one):
        return Task.REGRESSION
    raise BadInput(coded("draft.metric", metric=FACTS[metric].title))


def _type(cells: Sequence[str]) -> ColumnType:
    known = [text for text in cells if text not in MISSING]
    if not known or len(set(known)) < 2:
        return ColumnType.EMPTY
    different = len(set(known)) / len(known)
    if {text.strip().lower() for text in known} <= _BOOLEAN:
        return ColumnType.CATEGORY
    if all(number(text) is not None for text in known):
        return ColumnType.NUMBER
    if sum(_DATE.fullmatch(text.strip()) is not None for text in known) >= _MOSTLY * len(known):
        return ColumnType.DATE
    words = sum(len(text.split()) for text in known) / len(known)
    if words >= _WORDS_OF_A_TEXT and different > 0.3 and _common_words(known) >= _VOCABULARY:
        return ColumnType.TEXT
    return ColumnType.NAME if different > 0.5 and len(known) > 20 else ColumnType.CATEGORY


def _common_words(texts: Sequence[str]) -> int:
    """Return the number of words that occur in at least five texts, so that every fold has them."""
    counts = Counter(word for text in texts for word in set(_WORD.findall(text.lower())))
    return sum(count >= _TEXTS_OF_A_WORD for count in counts.values())


def _same_rows(competition: Competition, test: Table, sample: Table) -> bool:
    """Return whether test table and sample have the same rows in the same order.

    Raises:
        BadInput: They cannot be matched by their ids.
    """
    ids = [name for name in competition.id_columns if name in test.columns]
    if ids and all(test.columns[name] == sample.columns.get(name) for name in ids):
        return True
    if len(ids) == len(competition.id_columns) == 1:
        known = test.columns[ids[0]]
        wanted = sample.columns.get(ids[0], [])
        if len(set(known)) == len(known) and wanted and set(wanted) <= set(known):
            return False
    if not ids and len(test) == len(sample):
        return True
    raise BadInput(coded("draft.ids"))
