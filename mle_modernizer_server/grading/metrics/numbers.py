"""Metrics on numbers: errors, and correlations of one column with another."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.grading.metrics.lazily import scipy_stats

Floats = npt.NDArray[np.float64]
_EPSILON = float(np.finfo(np.float64).eps)


def mse(truth: Floats, predicted: Floats) -> float:
    """Return the mean squared error.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-error
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.mean((truth - predicted) ** 2))


def rmse(truth: Floats, predicted: Floats) -> float:
    """Return the root of the mean squared error.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-error
    """
    return float(np.sqrt(mse(truth, predicted)))


def rmsle(truth: Floats, predicted: Floats) -> float:
    """Return the root of the mean squared difference of `log(1 + x)`; all values must be at least
    0.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-log-error
    """
    return rmse(np.log1p(truth), np.log1p(predicted))


def rmspe(truth: Floats, predicted: Floats) -> float:
    """Return the root of the mean squared error relative to the truth; rows with a truth of 0 are
    left out.

    Source: https://www.kaggle.com/competitions/rossmann-store-sales/overview/evaluation
    """
    there = truth != 0
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.sqrt(np.mean(((truth[there] - predicted[there]) / truth[there]) ** 2)))


def mae(truth: Floats, predicted: Floats) -> float:
    """Return the mean absolute error.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#mean-absolute-error
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.mean(np.abs(truth - predicted)))


def median_absolute_error(truth: Floats, predicted: Floats) -> float:
    """Return the median of the absolute errors.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#median-absolute-error
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.median(np.abs(truth - predicted)))


def mape(truth: Floats, predicted: Floats) -> float:
    """Return the mean absolute error relative to the truth (0.1 is ten percent).

    Source: scikit-learn's user guide, "Mean absolute percentage error".
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.mean(np.abs(truth - predicted) / np.maximum(np.abs(truth), _EPSILON)))


def smape(truth: Floats, predicted: Floats) -> float:
    """Return the symmetric mean absolute percentage error, 0 to 200; 0 if both values are 0.

    Source: https://www.kaggle.com/competitions/web-traffic-time-series-forecasting/overview
    """
    both = (np.abs(truth) + np.abs(predicted)) / 2
    safe = np.where(both == 0, 1.0, both)
    with np.errstate(over="ignore", invalid="ignore"):
        return float(100 * np.mean(np.abs(truth - predicted) / safe))


def r2(truth: Floats, predicted: Floats) -> float:
    """Return the coefficient of determination.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#r2-score
    """
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(np.sum((truth - truth.mean()) ** 2))
        lost = float(np.sum((truth - predicted) ** 2))
    if not spread:  # as scikit-learn has it
        return 0.0 if lost else 1.0
    return 1 - lost / spread


def pearson(truth: Floats, predicted: Floats) -> float:
    """Return the Pearson correlation; NaN for a constant side.

    Source: https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.pearsonr.html
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a constant side: NaN, which the caller explains
        return float(scipy_stats().pearsonr(truth, predicted)[0])


def spearman(truth: Floats, predicted: Floats) -> float:
    """Return the Spearman rank correlation; NaN for a constant side.

    Source: https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.spearmanr.html
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # a constant side: NaN, which the caller explains
        return float(scipy_stats().spearmanr(predicted, truth)[0])


def gini(truth: Floats, predicted: Floats) -> float:
    """Return the normalised Gini coefficient; for a truth of 0 and 1 without ties it is 2 AUC - 1.

    Equal predictions keep the order of the rows, as in Kaggle's own code.

    Source: https://www.kaggle.com/competitions/ClaimPredictionChallenge/discussion/703
    """

    def raw(by: Floats) -> float:
        order = np.lexsort((np.arange(len(truth)), -by))
        total = float(truth.sum())
        count = len(truth)
        lorentz = float(truth[order].cumsum().sum()) / total
        return (lorentz - (count + 1) / 2) / count

    with np.errstate(all="ignore"):
        best = raw(truth) if truth.sum() else float("nan")
        return raw(predicted) / best if best else float("nan")


def concordance(truth: Floats, predicted: Floats, event: Floats | None = None) -> float:
    """Return Harrell's concordance index: the share of comparable pairs that are in the right
    order.

    A pair is comparable if the smaller time is an event (all are, if `event` is None). Equal
    predictions count half. Predicted times: larger means later.

    Source: Harrell et al., "Evaluating the yield of medical tests", JAMA 247 (1982).
    """
    happened = np.ones(len(truth), dtype=bool) if event is None else event > 0
    order = np.argsort(truth, kind="stable")
    times, values, seen = truth[order], predicted[order], happened[order]
    ranks = np.unique(values, return_inverse=True)[1].reshape(-1) + 1
    tree = [0] * (int(ranks.max(initial=0)) + 1)
    right = ties = pairs = later = 0.0
    index = len(times) - 1
    while index >= 0:  # from the latest to the earliest, equal times together
        first = index
        while first > 0 and times[first - 1] == times[index]:
            first -= 1
        for row in range(first, index + 1):
            if seen[row]:
                below, equal = _counts(tree, int(ranks[row]))
                pairs += later
                ties += equal
                right += later - below - equal
        for row in range(first, index + 1):
            _add(tree, int(ranks[row]))
        later += index + 1 - first
        index = first - 1
    return (right + ties / 2) / pairs if pairs else float("nan")


def _add(tree: list[int], rank: int) -> None:
    while rank < len(tree):
        tree[rank] += 1
        rank += rank & -rank


def _counts(tree: list[int], rank: int) -> tuple[int, int]:
    """Return how many added ranks are below a rank, and how many are equal to it."""

    def up_to(position: int) -> int:
        total = 0
        while position > 0:
            total += tree[position]
            position -= position & -position
        return total

    below = up_to(rank - 1)
    return below, up_to(rank) - below


def group_log_mae(truth: Floats, predicted: Floats, groups: Sequence[str]) -> float:
    """Return the mean over groups of the logarithm of their mean absolute error.

    Source: https://www.kaggle.com/competitions/champs-scalar-coupling/overview/evaluation
    """
    codes = np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
    sums = np.bincount(codes, weights=np.abs(truth - predicted))
    with np.errstate(divide="ignore"):
        return float(np.mean(np.log(sums / np.bincount(codes))))


def laplace_log_likelihood(
    truth: Floats,
    predicted: Floats,
    confidence: Floats,
    smallest_confidence: float = 70.0,
    largest_error: float = 1000.0,
) -> float:
    """Return the modified Laplace log likelihood.

    Source: https://www.kaggle.com/competitions/osic-pulmonary-fibrosis-progression/overview/evaluation
    """
    spread = np.maximum(confidence, smallest_confidence)
    error = np.minimum(np.abs(truth - predicted), largest_error)
    return float(np.mean(-np.sqrt(2) * error / spread - np.log(np.sqrt(2) * spread)))


def angular_error(truth: Floats, predicted: Floats) -> float:
    """Return the mean angle in radians between directions of azimuth and zenith (two columns).

    Source: https://www.kaggle.com/code/sohier/mean-angular-error
    """

    def vectors(angles: Floats) -> Floats:
        azimuth, zenith = angles[:, 0], angles[:, 1]
        sine = np.sin(zenith)
        return np.column_stack([sine * np.cos(azimuth), sine * np.sin(azimuth), np.cos(zenith)])

    cosines = np.clip((vectors(truth) * vectors(predicted)).sum(axis=1), -1, 1)
    return float(np.mean(np.arccos(cosines)))


def haversine_error(truth: Floats, predicted: Floats, groups: Sequence[str]) -> float:
    """Return the mean over groups of the mean of the 50 % and the 95 % quantile of the distance in
    metres.

    Columns are latitude and longitude in degrees.

    Source: https://www.kaggle.com/competitions/smartphone-decimeter-2022/overview/evaluation
    """
    there, here = np.radians(truth), np.radians(predicted)
    half = np.sin((there - here) / 2) ** 2
    share = half[:, 0] + np.cos(here[:, 0]) * np.cos(there[:, 0]) * half[:, 1]
    metres = 2 * 6_371_000 * np.arcsin(np.sqrt(share))
    names = np.asarray(groups)
    scores = [np.mean(np.quantile(metres[names == name], [0.5, 0.95])) for name in np.unique(names)]
    return float(np.mean(scores))
