"""Tests whether a candidate's scores on folds are better than the baseline's.

Training sets of folds overlap, so that the plain paired t-test calls noise progress. The variance
is corrected as in Nadeau and Bengio, *Inference for the Generalization Error* (Machine Learning 52,
2003): with the ratio of held-out to training rows added to 1/k. The more candidates are tried, the
wider the interval (Bonferroni), since the best of many is the luckiest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mle_modernizer_server.domain.improvement import Comparison, Gain
from mle_modernizer_server.grading.student import probability_beyond, quantile

CONFIDENCE = 0.95
_ROUNDING = 1e-12


def gain_over(
    candidate: Sequence[float],
    baseline: Sequence[float],
    *,
    higher_is_better: bool,
    held_out_ratio: float,
    tried: int = 1,
) -> Gain:
    """Return the candidate's gain over the baseline, with its interval.

    Args:
        candidate: Its scores, one per fold.
        baseline: The baseline's, of the same folds.
        higher_is_better: The direction of the metric.
        held_out_ratio: Held-out rows of a fold by its training rows, on average.
        tried: Total number of candidates compared with the baseline.

    Raises:
        ValueError: There is no fold, or the two have not the same folds.
    """
    if not candidate or len(candidate) != len(baseline):
        raise ValueError("two scores for each fold are needed")
    sign = 1 if higher_is_better else -1
    gains = [sign * (new - old) for new, old in zip(candidate, baseline, strict=True)]
    count = len(gains)
    mean = math.fsum(gains) / count
    confidence = 1 - (1 - CONFIDENCE) / max(1, tried)
    if count == 1:
        return Gain(mean=mean, confidence=confidence)
    variance = math.fsum((gain - mean) ** 2 for gain in gains) / (count - 1)
    size = max(map(abs, (*candidate, *baseline)))
    if math.sqrt(variance) <= _ROUNDING * size:
        if abs(mean) <= _ROUNDING * size:
            return Gain(mean=0.0, low=0.0, high=0.0, p=1.0, confidence=confidence)
        return Gain(mean=mean, low=mean, high=mean, p=0.0, confidence=confidence)
    error = math.sqrt(variance * (1 / count + held_out_ratio))
    half = quantile((1 + confidence) / 2, count - 1) * error
    p = probability_beyond(mean / error, count - 1)
    return Gain(mean=mean, low=mean - half, high=mean + half, p=p, confidence=confidence)


def verdict(gain: Gain) -> Comparison:
    """Return the conclusion from a gain over all folds; a single fold decides nothing."""
    if gain.low is None or gain.high is None:
        return Comparison.UNDECIDED
    if gain.low > 0:
        return Comparison.BETTER
    return Comparison.WORSE if gain.high < 0 else Comparison.UNDECIDED


def is_clearly_worse(
    candidate: float, baseline: Sequence[float], fold: int, *, higher_is_better: bool
) -> bool:
    """Return whether one fold is enough to drop a candidate.

    It is if the candidate loses more than two standard deviations of the baseline's scores over the
    folds: the other folds would have to win that back.

    Args:
        candidate: Its score on the fold.
        baseline: The baseline's scores on all folds.
        fold: The fold's place among these, from 0.
        higher_is_better: The direction of the metric.
    """
    if len(baseline) < 2:
        return False
    mean = math.fsum(baseline) / len(baseline)
    deviation = math.sqrt(math.fsum((one - mean) ** 2 for one in baseline) / (len(baseline) - 1))
    sign = 1 if higher_is_better else -1
    lost = sign * (baseline[fold] - candidate)
    return lost > 2 * deviation and lost > _ROUNDING * max(map(abs, baseline))
