"""Peculiarities of a grader that decided about a score, and the score without them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mle_modernizer_server.domain.competition import ColumnRule, Competition, Matching, Metric
from mle_modernizer_server.domain.grade import Trap
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.metrics import probabilities
from mle_modernizer_server.grading.pairs import Pair
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.grading.scoring import column_wise, compute, true_classes, true_numbers
from mle_modernizer_server.grading.validation import paired

_OPTIONS = {
    "binarize": coded("trap.binarize"),
    "round": coded("trap.round"),
    "empty_is_full": coded("trap.empty-is-full"),
    "corners_as_sizes": coded("trap.corners-as-sizes"),
    "zero_is_none": coded("trap.zero-is-none"),
}


def find_traps(pair: Pair, submission: Table, score: float) -> tuple[Trap, ...]:
    """Return the peculiarities of the grader that make a difference to this submission's score.

    Args:
        pair: The scored pair.
        submission: The submission as it was read.
        score: Its score.
    """
    found = []
    if pair.competition.metric is Metric.LOG_LOSS:
        found += _clipping(pair, score)
    for what, corrected in _variants(pair.competition):
        try:
            value = compute(paired(submission, pair.answers, corrected)[0])[0]
        except InvalidSubmission as error:
            refused = coded("trap.refused-by-id", why=error.message)
            found.append(Trap(what=what + refused))
            continue
        if math.isfinite(value) and not math.isclose(value, score, rel_tol=1e-9, abs_tol=1e-12):
            found.append(Trap(what=what, corrected=value))
    return tuple(found)


def _variants(competition: Competition) -> Iterator[tuple[Messages, Competition]]:
    """Yield the competition without each of its peculiarities."""
    by_id = {
        Matching.POSITION: coded("trap.position"),
        Matching.SORTED: coded("trap.sorted"),
    }
    if competition.matching in by_id and len(competition.id_columns) == 1:
        changed = competition.model_copy(update={"matching": Matching.ID})
        yield by_id[competition.matching], changed
    if competition.scored_by_position:
        yield (
            coded("trap.scored-by-position"),
            competition.model_copy(update={"scored_by_position": False}),
        )
    if competition.columns is ColumnRule.BY_POSITION:
        yield (
            coded("trap.columns-by-position"),
            competition.model_copy(update={"columns": ColumnRule.EXACT}),
        )
    for option, what in _OPTIONS.items():
        if competition.options.get(option):
            options = {**competition.options, option: 0.0}
            yield what, competition.model_copy(update={"options": options})


def _clipping(pair: Pair, score: float) -> list[Trap]:
    """Return the trap of predictions of exactly 0 or 1: the log loss with Kaggle's clipping."""
    clip = probabilities.KAGGLE_CLIP
    predicted = pair.predicted_numbers()
    if predicted.min() >= clip and predicted.max() <= 1 - clip:
        return []
    cut = np.clip(predicted, clip, 1 - clip)
    if predicted.shape[1] > 1:
        value = probabilities.multiclass_log_loss(true_classes(pair), cut)
    else:
        value = column_wise(Metric.LOG_LOSS, true_numbers(pair), cut)
    if math.isclose(value, score, rel_tol=1e-6):
        return []
    return [Trap(what=coded("trap.clipping"), corrected=value)]
