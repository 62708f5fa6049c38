"""Statistics of repeated scores: their spread, and whether a target is one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mle_modernizer_server.domain.grade import Grade
from mle_modernizer_server.domain.verification import Spread
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.grading.student import probability_beyond, quantile

_ROUNDING = 1e-9
_CONFIDENCE = 0.95


def same_score(one: float, other: float) -> bool:
    """Return whether two scores differ by rounding at most (1e-9 of their size)."""
    return math.isclose(one, other, rel_tol=_ROUNDING, abs_tol=1e-15)


def spread_of(scores: Sequence[float]) -> Spread:
    """Return mean, standard deviation, range, and the mean's 95 % confidence interval.

    Raises:
        ValueError: There are no scores.
    """
    if not scores:
        raise ValueError("no scores")
    count, mean = len(scores), math.fsum(scores) / len(scores)
    steady = all(same_score(score, scores[0]) for score in scores)
    deviation = low = high = None
    if count > 1:
        squares = math.fsum((score - mean) ** 2 for score in scores)
        deviation = 0.0 if steady else math.sqrt(squares / (count - 1))
        half = quantile((1 + _CONFIDENCE) / 2, count - 1) * deviation / math.sqrt(count)
        low, high = mean - half, mean + half
    return Spread(
        count=count,
        mean=mean,
        deviation=deviation,
        least=min(scores),
        greatest=max(scores),
        low=low,
        high=high,
        steady=steady,
    )


def consistency(scores: Sequence[float], target: float) -> float | None:
    """Return how well scores and target fit: p of the two-sided one-sample t-test.

    None if the test is not defined: fewer than two scores, or scores that are all the same.
    https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.ttest_1samp.html
    """
    spread = spread_of(scores)
    if not spread.deviation:
        return None
    error = spread.deviation / math.sqrt(spread.count)
    return probability_beyond((spread.mean - target) / error, spread.count - 1)


def prediction_interval(spread: Spread) -> tuple[float, float] | None:
    """Return the interval of one more score of the same kind with 95 % probability.

    mean ± t · s · √(1 + 1/n), with Student's t of n - 1 degrees of freedom
    (https://en.wikipedia.org/wiki/Prediction_interval). None for a single score.
    """
    if spread.deviation is None:
        return None
    student = quantile((1 + _CONFIDENCE) / 2, spread.count - 1)
    half = student * spread.deviation * math.sqrt(1 + 1 / spread.count)
    return spread.mean - half, spread.mean + half


def graded_as(grade: Grade, score: float) -> Grade:
    """Return the grade as it would be for another score: deviation, band and side of the target."""
    cleared = {"score": score, "deviation": None, "floor_deviation": None}
    return with_deviation(
        grade.model_copy(update={**cleared, "within_threshold": False, "better_than_target": False})
    )
