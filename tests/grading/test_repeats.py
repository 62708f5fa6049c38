"""The statistics of repeated scores, against figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.grading.repeats import (
    consistency,
    graded_as,
    prediction_interval,
    same_score,
    spread_of,
)

SCORES = (0.80, 0.82, 0.84)
# mean 0.82, squares 2 * 0.02^2 = 0.0008, variance 0.0008 / 2, standard deviation 0.02
T_2 = 4.302652729911275
"""97.5 % quantile of Student's t with two degrees of freedom, from a table."""


def test_a_spread_is_that_of_a_sample() -> None:
    spread = spread_of(SCORES)
    assert spread.mean == pytest.approx(0.82)
    assert spread.deviation == pytest.approx(0.02)
    assert (spread.least, spread.greatest, spread.count) == (0.80, 0.84, 3)
    half = T_2 * 0.02 / math.sqrt(3)
    assert spread.low == pytest.approx(0.82 - half) and spread.high == pytest.approx(0.82 + half)
    assert not spread.steady


def test_p_is_that_of_the_two_sided_test_by_hand() -> None:
    # t = (0.82 - 0.85) / (0.02 / sqrt 3); with two degrees of freedom the distribution function
    # is 1/2 + t / (2 sqrt(2 + t^2)), so p = 1 - |t| / sqrt(2 + t^2)
    t = 0.03 / (0.02 / math.sqrt(3))
    assert consistency(SCORES, 0.85) == pytest.approx(1 - t / math.sqrt(2 + t * t))
    assert consistency(SCORES, 0.82) == pytest.approx(1.0)


def test_interval_of_one_more_score_is_wider_than_of_the_mean() -> None:
    low, high = prediction_interval(spread_of(SCORES)) or (0.0, 0.0)
    half = T_2 * 0.02 * math.sqrt(4 / 3)
    assert (low, high) == (pytest.approx(0.82 - half), pytest.approx(0.82 + half))


def test_equal_scores_and_single_ones_have_no_test() -> None:
    assert consistency((0.8, 0.8, 0.8), 0.8) is None
    assert consistency((0.1 + 0.2, 0.3), 0.3) is None, "they differ by rounding only"
    assert consistency((0.8,), 0.8) is None
    assert spread_of((0.1 + 0.2, 0.3)).deviation == 0.0
    single = spread_of((0.8,))
    assert (single.deviation, single.low, prediction_interval(single)) == (None, None, None)
    with pytest.raises(ValueError, match="no scores"):
        spread_of(())


def test_scores_are_the_same_but_for_rounding() -> None:
    assert same_score(0.3, 0.1 + 0.2) and same_score(0.0, 0.0) and same_score(-1e6, -1e6 - 1e-5)
    assert not same_score(0.3, 0.3000001) and not same_score(0.0, 1e-9)


def test_a_grade_can_be_asked_about_another_score() -> None:
    grade = Grade(output_status=OutputStatus.WITH_CSV, score=0.5, target=1.0)
    mean = graded_as(grade, 0.95)
    assert mean.within_threshold and mean.deviation == pytest.approx(0.05)
    assert not graded_as(mean, 0.5).within_threshold
    assert graded_as(mean, 1.5).better_than_target
