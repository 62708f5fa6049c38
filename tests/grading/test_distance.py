"""How far a score is from its target, relative to the target and to the floor."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.grade import (
    DistanceMeasure,
    Doubt,
    Grade,
    OutputStatus,
    ScoreKind,
)
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.words import text


def graded(**fields: object) -> Grade:
    base = {"output_status": OutputStatus.WITH_CSV, "score": 0.55, "target": 0.6, "floor": 0.5}
    return with_deviation(Grade.model_validate({**base, **fields}))


def test_floor_distance_of_an_auc_exceeds_the_papers_measure() -> None:
    grade = graded()
    assert grade.deviation == pytest.approx(0.05 / 0.6)
    assert grade.floor_deviation == pytest.approx(0.5)
    assert grade.within_threshold
    assert grade.measure is DistanceMeasure.TARGET


def test_doubtful_score_is_neither_within_nor_better() -> None:
    grade = graded(score=0.65, doubt=Doubt(copy_of="old.csv"))
    assert not grade.within_threshold
    assert not grade.better_than_target
    assert grade.doubt is not None
    assert grade.doubt.in_band


def test_the_threshold_can_be_put_on_the_floor() -> None:
    grade = graded(measure=DistanceMeasure.FLOOR)
    assert grade.deviation == pytest.approx(0.05 / 0.6)
    assert not grade.within_threshold
    assert graded(measure=DistanceMeasure.FLOOR, score=0.595).within_threshold


def test_a_lower_score_is_above_the_floor_where_lower_is_better() -> None:
    grade = graded(score=1.1, target=1.0, floor=3.0, higher_is_better=False)
    assert grade.floor_deviation == pytest.approx(0.05)


@pytest.mark.parametrize("floor", [None, 0.6, 0.7])
def test_papers_measure_decides_without_a_floor_below_the_target(floor: float | None) -> None:
    grade = graded(floor=floor, measure=DistanceMeasure.FLOOR)
    assert grade.floor_deviation is None
    assert grade.measure is DistanceMeasure.TARGET
    assert grade.within_threshold


def test_scores_of_different_kinds_are_not_compared() -> None:
    grade = graded(score=0.6, score_kind=ScoreKind.PRINTED)
    assert grade.deviation is None
    assert not grade.within_threshold
    assert "not compared" in text(grade.reason)
    same = graded(score=0.6, score_kind=ScoreKind.PRINTED, target_kind=ScoreKind.PRINTED)
    assert same.within_threshold
