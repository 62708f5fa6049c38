"""Compute the score of a prediction without knowledge."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from mle_modernizer_server.domain.competition import Competition, Metric
from mle_modernizer_server.domain.grade import FloorKind
from mle_modernizer_server.grading.cells import MISSING, canonical_label
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.metric_facts import FACTS, Takes
from mle_modernizer_server.grading.pairs import Pair
from mle_modernizer_server.grading.refusal import InvalidSubmission, UnusableAnswers
from mle_modernizer_server.grading.scoring import compute
from mle_modernizer_server.grading.validation import paired

_WITHOUT_CORRELATION = (Metric.PEARSON, Metric.SPEARMAN, Metric.GINI)
"""Not defined for a constant, which has no information: worth 0."""
Floor = tuple[float, FloorKind]


def constant_floor(answers: Table, competition: Competition) -> Floor | None:
    """Return the score of the best of a few constant predictions; None if there is none.

    The constants are the mean and the median of numbers, the shares of the classes, the most
    frequent label or text.
    """
    scores = []
    for cells in _constants(answers, competition):
        try:
            value = compute(_pair(cells, answers, competition))[0]
        except (InvalidSubmission, UnusableAnswers):
            continue  # e.g. a mean outside the competition's range: another constant may do
        if math.isnan(value) and competition.metric in _WITHOUT_CORRELATION:
            value = 0.0
        if math.isfinite(value):
            scores.append(value)
    if not scores:
        return None
    best = max(scores) if competition.higher_is_better else min(scores)
    return best, FloorKind.CONSTANT


def _constants(answers: Table, competition: Competition) -> Iterator[list[str]]:
    """Yield constant predictions: one cell for each target column."""
    targets, truths = competition.target_columns, competition.answer_columns
    if FACTS[competition.metric].takes is not Takes.NUMBERS:
        yield [_most_frequent(answers.columns[name]) for name in truths]
        return
    if competition.metric is Metric.LOG_LOSS and len(targets) > 1 and len(truths) == 1:
        names = [canonical_label(name) for name in competition.classes or targets]
        counts = Counter(canonical_label(text) for text in answers.columns[truths[0]])
        yield [repr(counts[name] / len(answers)) for name in names]
        return
    try:
        rows = paired(_same_ids([["0"]] * len(targets), answers, competition), answers, competition)
        truth = rows[0].true_numbers()
    except (InvalidSubmission, UnusableAnswers):
        return
    if competition.metric is Metric.KL_DIVERGENCE:
        truth = truth / truth.sum(axis=1, keepdims=True)
    spare = ["100"] * (len(targets) - len(truths))
    for values in (truth.mean(axis=0), np.median(truth, axis=0)):
        yield [repr(float(value)) for value in values] + spare


def _most_frequent(cells: list[str]) -> str:
    counts = Counter(text for text in cells if text not in MISSING)
    return counts.most_common(1)[0][0] if counts else ""


def _pair(cells: list[str], answers: Table, competition: Competition) -> Pair:
    table = _same_ids([[cell] for cell in cells], answers, competition)
    return paired(table, answers, competition)[0]


def _same_ids(cells: list[list[str]], answers: Table, competition: Competition) -> Table:
    """Return a submission with the answers' ids and the same cells in every row."""
    count = len(answers)
    columns = {name: answers.columns[name] for name in competition.id_columns}
    for name, cell in zip(competition.target_columns, cells, strict=True):
        columns[name] = cell * count
    for name in competition.required_columns:
        columns[name] = ["0"] * count
    return Table(tuple(columns), columns, range(2, count + 2))
