"""Peculiarities of a grader that decided about a score, and the score without them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from mle_modernizer_server.domain.competition import ColumnRule, Competition, Matching, Metric
from mle_modernizer_server.domain.grade import Trap
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.metrics import probabilities
from mle_modernizer_server.grading.pairs import Pair
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.grading.scoring import column_wise, compute, true_classes, true_numbers
from mle_modernizer_server.grading.validation import paired

_OPTIONS = {
    "binarize": "MLE-bench's grader makes 0 and 1 of the predictions (from 0.5 on) before it "
    "computes the AUCs; Kaggle did not.",
    "round": "MLE-bench's grader rounds this score to a whole number.",
    "empty_is_full": "MLE-bench's grader takes an empty mask for one of the whole image where "
    "there is something to find.",
    "corners_as_sizes": "MLE-bench's grader takes the far corner of a box for its width and "
    "height.",
    "zero_is_none": "MLE-bench's grader numbers the boxes from 0, which the COCO tools take for "
    "no box: a hit of the first true box counts as a miss.",
}


def find_traps(pair: Pair, submission: Table, score: float) -> tuple[Trap, ...]:
    """The traps this submission stepped into: those that make a difference to its score.

    Args:
        pair: What was scored.
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
            found.append(Trap(what=f"{what} Taken by id it would be refused: {error.message}"))
            continue
        if math.isfinite(value) and not math.isclose(value, score, rel_tol=1e-9, abs_tol=1e-12):
            found.append(Trap(what=what, corrected=value))
    return tuple(found)


def _variants(competition: Competition) -> Iterator[tuple[str, Competition]]:
    """The competition without each of its peculiarities."""
    by_id = {
        Matching.POSITION: "MLE-bench's grader takes the rows as they stand and does not look "
        "at the ids.",
        Matching.SORTED: "MLE-bench's grader sorts both files by id but does not compare the ids.",
    }
    if competition.matching in by_id and len(competition.id_columns) == 1:
        changed = competition.model_copy(update={"matching": Matching.ID})
        yield by_id[competition.matching], changed
    if competition.scored_by_position:
        yield (
            "MLE-bench's grader chooses the scored rows by where they stand in the file, so that "
            "rows in another order than the answers' are compared with the wrong ones.",
            competition.model_copy(update={"scored_by_position": False}),
        )
    if competition.columns is ColumnRule.BY_POSITION:
        yield (
            "MLE-bench's grader takes the columns as they stand, whatever their names.",
            competition.model_copy(update={"columns": ColumnRule.EXACT}),
        )
    for option, what in _OPTIONS.items():
        if competition.options.get(option):
            options = {**competition.options, option: 0.0}
            yield what, competition.model_copy(update={"options": options})


def _clipping(pair: Pair, score: float) -> list[Trap]:
    """Log loss of predictions of exactly 0 or 1, with Kaggle's clipping."""
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
    what = "Predictions of exactly 0 or 1: scikit-learn cuts them at 2e-16, Kaggle did at 1e-15."
    return [Trap(what=what, corrected=value)]
