"""How far a score is from its target."""

from __future__ import annotations

import math
import sys

from mle_modernizer_server.domain.grade import DistanceMeasure, Grade
from mle_modernizer_server.domain.message import coded


def with_deviation(grade: Grade) -> Grade:
    """Return the grade with the distances of its score from its target, if it has both.

    The deviation is `|s_r - s_t| / |s_t|` (paper, section 2), for a target of 0 the absolute
    difference. Ten percent of an AUC of 0.5 or of a negative score mean little, so there is also
    `|s_r - s_t| / |s_t - floor|`: the share of the target's lead over a prediction without
    knowledge that was lost or won. The threshold is inclusive and applies to the one that `measure`
    selects; to the first if there is no second.

    A score that a constant prediction reaches is not within the threshold, however near it is. A
    score that is in doubt is neither within the threshold nor better than the target; its doubt
    states whether it would be within.

    Scores of different kinds (one graded, one printed by a cell) are not compared; the reason
    states this.
    """
    if grade.score is None or grade.target is None:
        return grade
    if grade.score_kind is not grade.target_kind:
        reason = coded(
            "grade.other-kind", score=grade.score_kind.value, target=grade.target_kind.value
        )
        return grade.model_copy(update={"reason": reason})
    difference = abs(grade.score - grade.target)
    absolute = grade.target == 0
    deviation = _finite(difference if absolute else difference / abs(grade.target))
    floor_deviation = _from_floor(grade, difference)
    measure = grade.measure if floor_deviation is not None else DistanceMeasure.TARGET
    decisive = deviation
    if measure is DistanceMeasure.FLOOR and floor_deviation is not None:
        decisive = floor_deviation
    # 1.1 is within 10 % of 1.0 although its floating point difference is 0.10000000000000009.
    within = decisive <= grade.threshold or math.isclose(decisive, grade.threshold, rel_tol=1e-9)
    better = grade.score > grade.target if grade.higher_is_better else grade.score < grade.target
    doubt = grade.doubt
    if doubt is not None:
        doubt = doubt.model_copy(update={"in_band": within})
        within = better = False
    elif grade.no_better_than_floor:
        within = False
    return grade.model_copy(
        update={
            "doubt": doubt,
            "deviation": deviation,
            "deviation_is_absolute": absolute,
            "floor_deviation": floor_deviation,
            "measure": measure,
            "within_threshold": within,
            "better_than_target": better,
        }
    )


def _from_floor(grade: Grade, difference: float) -> float | None:
    """Return the distance relative to the floor; None if the target is not above it."""
    if grade.floor is None or grade.target is None:
        return None
    gain = grade.target - grade.floor if grade.higher_is_better else grade.floor - grade.target
    return _finite(difference / gain) if gain > 0 else None


def _finite(value: float) -> float:
    """Return a quotient, or the largest number of JSON if a tiny target makes it overflow."""
    return value if math.isfinite(value) else sys.float_info.max
