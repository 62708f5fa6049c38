"""Read `competition.yaml`: a competition as data."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from pydantic import ConfigDict, Field, ValidationError

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.competition import (
    ColumnRule,
    Competition,
    LabelRule,
    Matching,
    Metric,
    RowSums,
)
from mle_modernizer_server.domain.errors import BadCompetition
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.metric_facts import FACTS, OPTIONAL_ROLES, Takes
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.untrusted.files import FileTooLarge, read_regular
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_yaml

FILE_NAME = "competition.yaml"
_MOST_BYTES = 1_000_000
_AS_WRITTEN = {
    *("classes", "matching", "columns", "required_columns", "row_sums", "label_rule"),
    *("value_range", "empty_as", "scored_where", "scored_by_position", "support", "options"),
    *("sample_submission", "answers", "description"),
}


class _Description(Value):
    """The fields of `Competition`; those that follow from the rest may be absent."""

    model_config = ConfigDict(coerce_numbers_to_str=True)  # so that `classes: [0, 1]` is fine

    id: str | None = None
    name: str | None = None
    metric: Metric
    higher_is_better: bool | None = None
    id_columns: tuple[str, ...]
    target_columns: tuple[str, ...] = ()
    """Left out: all columns of the sample submission but the id columns."""
    answer_columns: tuple[str, ...] = ()
    """Left out: the target columns."""
    classes: tuple[str, ...] = ()
    probability: bool | None = None
    """Left out: true for log loss."""
    matching: Matching = Matching.ID
    columns: ColumnRule = ColumnRule.ANY
    required_columns: tuple[str, ...] = ()
    row_sums: RowSums = RowSums.CLOSE
    label_rule: LabelRule = LabelRule.EXACT
    value_range: tuple[float, float] | None = None
    empty_as: dict[str, str] = Field(default_factory=dict)
    scored_where: dict[str, str] = Field(default_factory=dict)
    scored_by_position: bool = False
    support: dict[str, str] = Field(default_factory=dict)
    options: dict[str, float] = Field(default_factory=dict)
    sample_submission: str = Competition.model_fields["sample_submission"].default
    answers: str = Competition.model_fields["answers"].default
    description: str = Competition.model_fields["description"].default


def read_description(file: Path, folder: Path) -> Competition:
    """Read a competition's description.

    Args:
        file: Its YAML.
        folder: The competition's folder, `<root>/<slug>`.

    Raises:
        BadCompetition: A sentence that names the file, the field and the fault.
    """
    label = f"{folder.name}/{file.name}"
    try:
        raw = read_yaml(read_regular(file, _MOST_BYTES))
    except FileTooLarge as error:
        raise BadCompetition(coded("competition.too-large", label=label)) from error
    except OSError as error:
        what = str(error.strerror)
        raise BadCompetition(coded("competition.no-yaml", label=label, what=what)) from error
    except UnreadableText as error:
        what = f"line {error.line}: {error}"
        raise BadCompetition(coded("competition.no-yaml", label=label, what=what)) from error
    if not isinstance(raw, dict):
        raise BadCompetition(coded("competition.no-mapping", label=label))
    try:
        written = _Description.model_validate(raw)
    except ValidationError as error:
        raise BadCompetition(
            coded("competition.wrong", label=label, error=_first_problems(error))
        ) from error
    return _complete(written, folder, label, own=file.parent == folder)


def _first_problems(error: ValidationError) -> str:
    problems = []
    for item in error.errors()[:3]:
        field = ".".join(str(part) for part in item["loc"]) or "the whole"
        if item["type"] == "missing":
            problems.append(f"the field `{field}` is missing")
        elif item["type"] == "extra_forbidden":
            problems.append(f"the field `{field}` is not known")
        else:
            message = item["msg"]
            problems.append(f"the field `{field}` is wrong: {message[:1].lower()}{message[1:]}")
    return "; ".join(problems) + "."


def _complete(written: _Description, folder: Path, label: str, *, own: bool) -> Competition:
    facts = FACTS[written.metric]
    metric = written.metric.value
    for field in ("sample_submission", "answers", "description"):
        path = getattr(written, field)
        _check_path(field, path, label)
        # MLE-bench stores some sample submissions there; other descriptions must not: that folder
        # is never visible, and a sample is.
        private = PurePosixPath(path).parts[:2] == ("prepared", "private")
        if private and (field == "description" or (field == "sample_submission" and own)):
            raise BadCompetition(coded("competition.in-private", label=label, field=field))
    if not written.answers.startswith("prepared/private/"):
        raise BadCompetition(coded("competition.answers-public", label=label))
    if written.id is not None and written.id != folder.name:
        raise BadCompetition(
            coded(
                "competition.other-id",
                label=label,
                written=repr(written.id),
                folder=repr(folder.name),
            )
        )
    if written.higher_is_better not in (None, facts.higher_is_better):
        direction = "higher" if facts.higher_is_better else "lower"
        raise BadCompetition(
            coded("competition.direction", label=label, metric=metric, direction=direction)
        )
    targets = written.target_columns or _sample_targets(written, folder, label)
    answers = written.answer_columns or targets
    if not written.id_columns:
        raise BadCompetition(coded("competition.no-id-column", label=label))
    both = sorted(set(written.id_columns) & set(targets))
    if both:
        raise BadCompetition(coded("competition.both-columns", label=label, both=repr(both[0])))
    for field, columns in (("target_columns", targets), ("id_columns", written.id_columns)):
        if len(set(columns)) != len(columns):
            raise BadCompetition(coded("competition.column-twice", label=label, field=field))
    _check_shapes(written, targets, answers, label)
    probability = written.probability
    return Competition(
        id=folder.name,
        name=written.name or folder.name,
        metric=written.metric,
        higher_is_better=facts.higher_is_better,
        id_columns=written.id_columns,
        target_columns=targets,
        answer_columns=answers,
        probability=written.metric is Metric.LOG_LOSS if probability is None else probability,
        **written.model_dump(include=_AS_WRITTEN),
    )


def _check_path(field: str, path: str, label: str) -> None:
    parts = PurePosixPath(path)
    if not path or parts.is_absolute() or ".." in parts.parts or "\\" in path or ":" in path:
        raise BadCompetition(
            coded("competition.path-outside", label=label, field=field, path=repr(path))
        )


def _check_shapes(
    written: _Description, targets: tuple[str, ...], answers: tuple[str, ...], label: str
) -> None:
    multiclass = written.metric is Metric.LOG_LOSS and len(targets) > 1
    if multiclass and len(answers) == 1:
        if written.classes and len(written.classes) != len(targets):
            raise BadCompetition(
                coded(
                    "competition.classes-count",
                    label=label,
                    count=len(written.classes),
                    count2=len(targets),
                )
            )
    elif written.metric is Metric.LAPLACE_LOG_LIKELIHOOD:
        if (len(targets), len(answers)) != (2, 1):
            raise BadCompetition(
                coded("competition.with-confidence", label=label, metric=written.metric.value)
            )
    elif len(answers) != len(targets):
        raise BadCompetition(
            coded(
                "competition.answer-columns", label=label, count=len(answers), count2=len(targets)
            )
        )
    _check_options(written, label)
    if FACTS[written.metric].takes is Takes.TEXTS and len(targets) > 1:
        raise BadCompetition(
            coded(
                "competition.one-target",
                label=label,
                metric=written.metric.value,
                count=len(targets),
            )
        )
    if len(set(written.classes)) != len(written.classes):
        raise BadCompetition(coded("competition.class-twice", label=label))


def _check_options(written: _Description, label: str) -> None:
    facts = FACTS[written.metric]
    metric = written.metric.value
    for name in written.options:
        if name not in facts.options:
            there = f"it has {', '.join(facts.options)}" if facts.options else "it has none"
            raise BadCompetition(
                coded(
                    "competition.no-option",
                    label=label,
                    metric=metric,
                    name=repr(name),
                    there=there,
                )
            )
    for role in facts.roles:
        if role not in written.support and role not in OPTIONAL_ROLES:
            raise BadCompetition(
                coded("competition.no-support", label=label, metric=metric, role=role)
            )


def _sample_targets(written: _Description, folder: Path, label: str) -> tuple[str, ...]:
    try:
        sample = read_table(folder / written.sample_submission, (), most_rows=0)
    except InvalidSubmission as error:
        raise BadCompetition(
            coded(
                "competition.sample-unusable",
                label=label,
                sample_submission=written.sample_submission,
                message=error.message,
            )
        ) from error
    targets = tuple(name for name in sample.header if name and name not in written.id_columns)
    if not targets:
        raise BadCompetition(coded("competition.sample-ids-only", label=label))
    return targets
