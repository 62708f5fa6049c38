"""Whether scores on folds show a gain."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mle_modernizer_server.domain.improvement import Comparison, Gain
from mle_modernizer_server.improving.compare import gain_over, is_clearly_worse, verdict


def compared(candidate: list[float], baseline: list[float], **options: object) -> Gain:
    settings = {"higher_is_better": True, "held_out_ratio": 0.25, "tried": 1, **options}
    return gain_over(candidate, baseline, **settings)  # type: ignore[arg-type]


def test_the_interval_is_nadeau_and_bengios() -> None:
    candidate, baseline = [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.77, 0.80, 0.79, 0.80]
    gains = np.subtract(candidate, baseline)
    error = math.sqrt(gains.var(ddof=1) * (1 / 5 + 0.25))
    low, high = stats.t.interval(0.95, 4, loc=gains.mean(), scale=error)
    found = compared(candidate, baseline)
    assert (found.mean, found.low, found.high) == pytest.approx((gains.mean(), low, high))
    assert found.p == pytest.approx(2 * stats.t.sf(gains.mean() / error, 4))
    assert verdict(found) is Comparison.BETTER


def test_a_loss_is_a_gain_where_lower_is_better() -> None:
    lower = compared([1.0, 1.1, 0.9], [2.0, 2.2, 1.9], higher_is_better=False)
    assert lower.mean == pytest.approx(1.0333333)
    assert verdict(lower) is Comparison.BETTER
    assert verdict(compared([1.0, 1.1, 0.9], [2.0, 2.2, 1.9])) is Comparison.WORSE


def test_the_more_are_tried_the_wider_the_interval() -> None:
    candidate, baseline = [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.77, 0.80, 0.79, 0.80]
    assert verdict(compared(candidate, baseline, tried=1)) is Comparison.BETTER
    many = compared(candidate, baseline, tried=40)
    assert many.confidence == pytest.approx(1 - 0.05 / 40)
    assert verdict(many) is Comparison.UNDECIDED


def test_equal_scores_show_nothing_and_a_steady_gain_all() -> None:
    assert verdict(compared([0.5, 0.6], [0.5, 0.6])) is Comparison.UNDECIDED
    assert verdict(compared([0.6, 0.7], [0.5, 0.6])) is Comparison.BETTER


def test_one_fold_decides_nothing() -> None:
    assert verdict(compared([0.9], [0.1])) is Comparison.UNDECIDED
    with pytest.raises(ValueError, match="two scores"):
        compared([0.9], [0.1, 0.2])


def test_noise_is_rarely_called_better() -> None:
    """Candidates no better than the baseline, on folds whose training sets overlap."""
    random = np.random.default_rng(0)
    taken = 0
    for _ in range(400):
        shared = random.normal(0, 0.01)  # what all folds of one candidate have in common
        gains = shared + random.normal(0, 0.02, 5)
        found = compared(list(0.8 + gains), [0.8] * 5, tried=1)
        taken += verdict(found) is Comparison.BETTER
    assert taken / 400 < 0.04


def test_first_fold_drops_a_loss_beyond_the_spread_of_folds() -> None:
    baseline = [0.80, 0.82, 0.78]
    assert is_clearly_worse(0.70, baseline, 0, higher_is_better=True)
    assert not is_clearly_worse(0.77, baseline, 0, higher_is_better=True)
    assert not is_clearly_worse(0.95, baseline, 0, higher_is_better=True)
    assert is_clearly_worse(0.95, baseline, 0, higher_is_better=False)
    assert not is_clearly_worse(0.1, [0.8], 0, higher_is_better=True)
