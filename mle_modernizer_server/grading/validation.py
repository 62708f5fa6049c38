"""A submission against the answers: is it valid, and what is it worth.

The rules are those of MLE-bench's graders (https://github.com/openai/mle-bench): the columns
must be there, the ids must be those of the answers (in any order), the values must be of the
metric's kind. Columns nobody asked for are overlooked.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mle_modernizer_server.domain.competition import Competition, Metric
from mle_modernizer_server.grading.cells import canonical_id, label_codes, numbers
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.metric_facts import FACTS
from mle_modernizer_server.grading.metrics import (
    Floats,
    Labels,
    multiclass_log_loss,
    score_labels,
    score_numbers,
)
from mle_modernizer_server.grading.refusal import (
    InvalidSubmission,
    Stage,
    UnusableAnswers,
    examples,
    shown,
)

# MLE-bench compares with numpy.isclose(sum, 1, atol=1e-6), whose relative part adds 1e-5.
_SUM_TOLERANCE = 1e-6

Key = tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """What a valid submission is worth, and what was overlooked in it."""

    score: float
    note: str = ""


def score_submission(submission: Table, answers: Table, competition: Competition) -> Result:
    """Validate a submission and score it.

    Args:
        submission: Its id and target columns.
        answers: The id and answer columns of the private answers.
        competition: Whose they are.

    Raises:
        InvalidSubmission: The submission breaks a rule; the message says which, and where.
        UnusableAnswers: The answers are at fault.
    """
    missing = [
        name
        for name in competition.id_columns + competition.answer_columns
        if name not in answers.columns
    ]
    if missing:
        raise UnusableAnswers(f"the column {shown(missing[0])} is missing")
    if not len(answers):
        raise UnusableAnswers("they have no rows")
    _check_columns(submission, competition)
    _check_rows(submission, answers)
    rows, ids_note = _aligned(submission, answers, competition.id_columns)
    score = _score(submission, answers, competition, rows)
    if not math.isfinite(score):
        raise InvalidSubmission(
            Stage.VALUES,
            f"Its {FACTS[competition.metric].title} is not a finite number: the values are too "
            "large, or the metric is not defined for them.",
        )
    notes = [ids_note, _extra_columns(submission, competition)]
    return Result(score, " ".join(note for note in notes if note))


def _check_columns(submission: Table, competition: Competition) -> None:
    wanted = competition.id_columns + competition.target_columns
    missing = [name for name in wanted if name not in submission.columns]
    if not missing:
        return
    by_lower = {name.lower(): name for name in reversed(submission.header)}
    near = difflib.get_close_matches(missing[0].lower(), list(by_lower), n=1, cutoff=0.6)
    noun = "column" if len(missing) == 1 else "columns"
    verb = "is" if len(missing) == 1 else "are"
    message = f"The {noun} {examples(missing, 5)} {verb} missing; "
    message += f"it has {examples(list(submission.header), 8)}."
    if near:
        message += f" Is {shown(by_lower[near[0]])} meant to be {shown(missing[0])}?"
    raise InvalidSubmission(Stage.COLUMNS, message)


def _check_rows(submission: Table, answers: Table) -> None:
    expected, found = len(answers), len(submission)
    if found == expected and not submission.more_rows:
        return
    if not found:
        raise InvalidSubmission(Stage.ROWS, f"It has a header but no rows; {expected:,} expected.")
    count = f"more than {found:,}" if submission.more_rows else f"{found:,}"
    rows = "row" if count == "1" else "rows"
    raise InvalidSubmission(Stage.ROWS, f"It has {count} {rows}; {expected:,} are expected.")


def _keys(table: Table, columns: Sequence[str], *, canonical: bool) -> list[Key]:
    cells = [table.columns[name] for name in columns]
    if canonical:
        return [tuple(canonical_id(text) for text in row) for row in zip(*cells, strict=True)]
    return list(zip(*cells, strict=True))


def _aligned(submission: Table, answers: Table, id_columns: Sequence[str]) -> tuple[list[int], str]:
    """For each row of the answers the submission's row of the same id, and a note."""
    note = ""
    given = _keys(submission, id_columns, canonical=False)
    expected = _keys(answers, id_columns, canonical=False)
    if set(given) != set(expected):
        even = _keys(answers, id_columns, canonical=True)
        if len(set(even)) == len(set(expected)):
            given, expected = _keys(submission, id_columns, canonical=True), even
            note = "Its ids are spelled otherwise than the answers' (such as 7 for 007)."
    if len(set(expected)) != len(expected):
        raise UnusableAnswers("an id occurs more than once")
    positions: dict[Key, int] = {}
    name = ", ".join(shown(column) for column in id_columns)
    for position, key in enumerate(given):
        if key in positions:
            raise InvalidSubmission(
                Stage.IDS,
                f"The id {_id(key)} occurs more than once in column {name} "
                f"(lines {submission.lines[positions[key]]} and {submission.lines[position]}).",
            )
        positions[key] = position
    missing = [_id(key)[1:-1] for key in expected if key not in positions]
    if missing:
        there = set(expected)
        unknown = [_id(key)[1:-1] for key in given if key not in there]
        raise InvalidSubmission(
            Stage.IDS,
            f"Its ids in column {name} are not the competition's: {len(missing):,} missing "
            f"({examples(missing)}), {len(unknown):,} unknown ({examples(unknown)}).",
        )
    return [positions[key] for key in expected], note


def _id(key: Key) -> str:
    return shown(", ".join(key))


def _score(submission: Table, answers: Table, competition: Competition, rows: list[int]) -> float:
    metric = competition.metric
    if FACTS[metric].takes_labels:
        return _score_of_labels(submission, answers, competition, rows)
    predicted = np.column_stack(
        [
            numbers(submission.columns[name], submission.lines, name)
            for name in competition.target_columns
        ]
    )
    _check_range(predicted, submission, competition)
    if metric is Metric.LOG_LOSS and predicted.shape[1] > 1:
        _check_sums(predicted, submission)
        classes = _true_classes(answers, competition)
        return multiclass_log_loss(classes, predicted[rows])
    truth = _answer_numbers(answers, competition)
    return score_numbers(metric, truth, predicted[rows])


def _score_of_labels(
    submission: Table, answers: Table, competition: Competition, rows: list[int]
) -> float:
    truths, predictions = [], []
    lines = [submission.lines[row] for row in rows]
    for target, answer in zip(competition.target_columns, competition.answer_columns, strict=True):
        cells = submission.columns[target]
        truth_cells = answers.columns[answer]
        if any(not text.strip() for text in truth_cells):
            raise UnusableAnswers(f"a label in column {shown(answer)} is empty")
        if competition.metric is Metric.QUADRATIC_WEIGHTED_KAPPA and not competition.classes:
            try:
                numbers(truth_cells, answers.lines, answer)
            except InvalidSubmission as error:
                raise UnusableAnswers(
                    "quadratic weighted kappa needs numbers, or `classes` that give the order"
                ) from error
        try:
            truth, predicted = label_codes(
                truth_cells, [cells[row] for row in rows], lines, target, competition.classes
            )
        except KeyError as error:
            raise UnusableAnswers(
                f"the label {shown(str(error.args[0]))} is none of `classes`"
            ) from error
        truths.append(truth)
        predictions.append(predicted)
    return score_labels(
        competition.metric,
        np.column_stack(truths),
        np.column_stack(predictions),
        len(competition.classes) or None,
    )


def _check_range(predicted: Floats, submission: Table, competition: Competition) -> None:
    low, high, kind = -math.inf, math.inf, ""
    if competition.probability or competition.metric is Metric.LOG_LOSS:
        low, high, kind = 0.0, 1.0, "a probability between 0 and 1"
    elif competition.metric is Metric.RMSLE:
        low, kind = 0.0, "a value of at least 0 (RMSLE takes logarithms)"
    outside = np.argwhere((predicted < low) | (predicted > high))
    if len(outside):
        row, column = (int(part) for part in outside[0])
        name = competition.target_columns[column]
        raise InvalidSubmission(
            Stage.VALUES,
            f"Line {submission.lines[row]}, column {shown(name)} is "
            f"{shown(submission.columns[name][row])}; {kind} is expected"
            + (f" (and {len(outside) - 1:,} more)." if len(outside) > 1 else "."),
        )


def _check_sums(predicted: Floats, submission: Table) -> None:
    sums = predicted.sum(axis=1)
    wrong = np.flatnonzero(~np.isclose(sums, 1.0, atol=_SUM_TOLERANCE))
    if len(wrong):
        row = int(wrong[0])
        raise InvalidSubmission(
            Stage.VALUES,
            f"The probabilities in line {submission.lines[row]} sum to {sums[row]:.6g}; each row "
            f"must sum to 1 ({len(wrong):,} of {len(sums):,} rows do not).",
        )


def _answer_numbers(answers: Table, competition: Competition) -> Floats:
    metric = competition.metric
    columns = []
    for name in competition.answer_columns:
        try:
            column = numbers(answers.columns[name], answers.lines, name)
        except InvalidSubmission as error:
            raise UnusableAnswers(error.message.rstrip(".")) from error
        if metric in (Metric.ROC_AUC, Metric.LOG_LOSS):
            values = set(np.unique(column).tolist())
            if not values <= {0.0, 1.0}:
                raise UnusableAnswers(f"column {shown(name)} must hold 0 and 1 only")
            if metric is Metric.ROC_AUC and len(values) < 2:
                raise UnusableAnswers(
                    f"column {shown(name)} holds one value only, and ROC AUC needs both 0 and 1"
                )
        if metric is Metric.RMSLE and bool((column < 0).any()):
            raise UnusableAnswers(f"column {shown(name)} has values below 0")
        columns.append(column)
    return np.column_stack(columns)


def _true_classes(answers: Table, competition: Competition) -> Labels:
    """Position of each row's class among the target columns (multi-class log loss)."""
    if len(competition.answer_columns) > 1:
        table = _answer_numbers(answers, competition)
        if not bool((table.sum(axis=1) == 1).all()):
            raise UnusableAnswers("each row must mark exactly one class with 1")
        return np.asarray(table.argmax(axis=1), dtype=np.int64)
    labels = competition.classes or competition.target_columns
    positions = {canonical_id(label): position for position, label in enumerate(labels)}
    try:
        cells = answers.columns[competition.answer_columns[0]]
        return np.array([positions[canonical_id(text)] for text in cells], dtype=np.int64)
    except KeyError as error:
        raise UnusableAnswers(
            f"the label {shown(str(error.args[0]))} belongs to none of the target columns"
        ) from error


def _extra_columns(submission: Table, competition: Competition) -> str:
    wanted = competition.id_columns + competition.target_columns
    extra = [name for name in submission.header if name not in wanted]
    if not extra:
        return ""
    if set(extra) <= {"", "Unnamed: 0"}:
        return "The index column was overlooked (write the CSV with index=False)."
    return f"Columns nobody asked for were overlooked: {examples(extra)}."
