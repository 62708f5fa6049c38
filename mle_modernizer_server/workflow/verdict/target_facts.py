"""Evidence against a target score, inferred from the grade alone."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.grade import FloorKind, Grade
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.metric_facts import FACTS

_CLOSE = 0.01
"""Maximum distance of a score on another scale, relative to the target, to count as explained."""
_SAME = 1e-4
"""Maximum distance of a target typed with a few digits from its original."""


def mismatch(grade: Grade) -> Messages:
    """Return why score and target differ in kind, direction or scale; else empty."""
    score, target = grade.score, grade.target
    if target is None:
        return ()
    if score is not None and grade.score_kind is not grade.target_kind:
        return grade.reason or coded(
            "target.other-kind", score=grade.score_kind.value, target=grade.target_kind.value
        )
    if score is None or grade.metric is None or grade.within_threshold:
        return ()
    for trap in grade.traps:
        if trap.corrected is not None and _near(trap.corrected, target):
            return coded("target.trap", trap=trap.what)
    facts = FACTS[grade.metric]
    if facts.highest == 1.0 and 1.0 < target <= 100.0 and _is_percentage(score, target):
        return coded("target.percentage", target=target, metric=facts.title, corrected=target / 100)
    for value, scale in _other_scales(grade.metric, score):
        if _near(value, target):
            return coded("target.other-scale", target=target, scale=scale, metric=facts.title)
    return ()


def unreachable(grade: Grade) -> Messages:
    """Return why the metric can never equal the target; else empty."""
    if grade.target is None or grade.metric is None:
        return ()
    facts = FACTS[grade.metric]
    if facts.lowest <= grade.target <= facts.highest:
        return ()
    return coded(
        "target.unreachable",
        target=grade.target,
        metric=facts.title,
        low=facts.lowest,
        high=facts.highest,
    )


def without_knowledge(grade: Grade) -> Messages:
    """Return the prediction without knowledge that scores the target; else empty."""
    if grade.target is None or grade.within_threshold or grade.score_kind is not grade.target_kind:
        return ()
    if grade.baseline is not None and _same(grade.baseline, grade.target):
        return coded("target.sample-submission", target=grade.target)
    if grade.floor is not None and _same(grade.floor, grade.target):
        if grade.floor_kind is FloorKind.SAMPLE:
            return coded("target.sample-submission", target=grade.target)
        return coded("target.constant", target=grade.target)
    return ()


def _other_scales(metric: Metric, score: float) -> Iterator[tuple[float, Messages]]:
    """Yield the score on the scales of other graders or notebooks."""
    facts = FACTS[metric]
    yield -score, coded("scale.other-sign")
    if facts.lowest == 0.0 and facts.highest == 1.0:
        yield 1.0 - score, coded("scale.other-direction")
    if metric is Metric.RMSE:
        yield score * score, coded("scale.mse")
    if metric is Metric.MSE and score >= 0:
        yield math.sqrt(score), coded("scale.rmse")
    if metric is Metric.ROC_AUC:
        yield 2 * score - 1, coded("scale.gini")
    if metric is Metric.GINI:
        yield (score + 1) / 2, coded("scale.roc-auc")
    if metric is Metric.MAPE:
        yield 100 * score, coded("scale.percentage")


def _is_percentage(score: float, target: float) -> bool:
    return target >= 10 or math.isclose(target / 100, score, rel_tol=0.5)


def _near(value: float, target: float) -> bool:
    return target != 0 and math.isclose(value, target, rel_tol=_CLOSE)


def _same(value: float, target: float) -> bool:
    return math.isclose(value, target, rel_tol=_SAME, abs_tol=1e-9)
