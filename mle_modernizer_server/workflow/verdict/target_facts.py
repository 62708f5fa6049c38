"""What speaks against a target score: told from the grade alone."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.grade import FloorKind, Grade
from mle_modernizer_server.grading.metric_facts import FACTS

_CLOSE = 0.01
"""How near, relative to the target, a score must come under another scale to count as explained."""
_SAME = 1e-4
"""How near a target typed with a few digits is to the figure it was copied from."""


def mismatch(grade: Grade) -> str:
    """Why score and target are of another kind, direction or scale, as a sentence; else empty."""
    score, target = grade.score, grade.target
    if target is None:
        return ""
    if score is not None and grade.score_kind is not grade.target_kind:
        return grade.reason or (
            f"The score was {grade.score_kind.value}, the target was {grade.target_kind.value}."
        )
    if score is None or grade.metric is None or grade.within_threshold:
        return ""
    for trap in grade.traps:
        if trap.corrected is not None and _near(trap.corrected, target):
            return f"The target is reached without a peculiarity of the grader. {trap.what}"
    facts = FACTS[grade.metric]
    if facts.highest == 1.0 and 1.0 < target <= 100.0 and _is_percentage(score, target):
        return (
            f"The target {target:g} looks like a percentage; {facts.title} is at most 1. "
            f"Set the target to {target / 100:g}."
        )
    for value, words in _other_scales(grade.metric, score):
        if _near(value, target):
            return f"The target {target:g} fits {words}, not the {facts.title} that is computed."
    return ""


def unreachable(grade: Grade) -> str:
    """Why the metric can never be the target, as a sentence; else empty."""
    if grade.target is None or grade.metric is None:
        return ""
    facts = FACTS[grade.metric]
    if facts.lowest <= grade.target <= facts.highest:
        return ""
    low, high = f"{facts.lowest:.5g}", f"{facts.highest:.5g}"
    return (
        f"The target {grade.target:g} is no value of the metric: {facts.title} lies between "
        f"{low} and {high}."
    )


def without_knowledge(grade: Grade) -> str:
    """Which prediction without knowledge scores the target, as a sentence; else empty."""
    if grade.target is None or grade.within_threshold or grade.score_kind is not grade.target_kind:
        return ""
    if grade.baseline is not None and _same(grade.baseline, grade.target):
        return f"The target {grade.target:g} is the score of the sample submission."
    if grade.floor is not None and _same(grade.floor, grade.target):
        words = (
            "the sample submission"
            if grade.floor_kind is FloorKind.SAMPLE
            else "a constant prediction"
        )
        return f"The target {grade.target:g} is the score of {words}."
    return ""


def _other_scales(metric: Metric, score: float) -> Iterator[tuple[float, str]]:
    """The score as other graders or notebooks may have told it."""
    facts = FACTS[metric]
    yield -score, "the score with the other sign"
    if facts.lowest == 0.0 and facts.highest == 1.0:
        yield 1.0 - score, "1 minus the score (the other direction)"
    if metric is Metric.RMSE:
        yield score * score, "the mean squared error"
    if metric is Metric.MSE and score >= 0:
        yield math.sqrt(score), "the RMSE"
    if metric is Metric.ROC_AUC:
        yield 2 * score - 1, "the Gini coefficient"
    if metric is Metric.GINI:
        yield (score + 1) / 2, "the ROC AUC"
    if metric is Metric.MAPE:
        yield 100 * score, "the percentage"


def _is_percentage(score: float, target: float) -> bool:
    return target >= 10 or math.isclose(target / 100, score, rel_tol=0.5)


def _near(value: float, target: float) -> bool:
    return target != 0 and math.isclose(value, target, rel_tol=_CLOSE)


def _same(value: float, target: float) -> bool:
    return math.isclose(value, target, rel_tol=_SAME, abs_tol=1e-9)
