"""The metrics: truth and prediction to one number, on scikit-learn's functions.

Several target columns are scored one by one and averaged, as Kaggle's "mean column-wise"
metrics are; only the multi-class log loss takes all its columns at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from sklearn import metrics as sk

from mle_modernizer_server.domain.competition import Metric

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def accuracy(truth: Labels, predicted: Labels) -> float:
    """Share of rows with the right label.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#accuracy-score
    """
    return float(sk.accuracy_score(truth, predicted))


def macro_f1(truth: Labels, predicted: Labels) -> float:
    """F1 of every label that occurs on either side, averaged without weights.

    Source: https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html
    """
    return float(sk.f1_score(truth, predicted, average="macro", zero_division=0))


def micro_f1(truth: Labels, predicted: Labels) -> float:
    """F1 of all labels counted together; with one label a row it equals the accuracy.

    Source: https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html
    """
    return float(sk.f1_score(truth, predicted, average="micro", zero_division=0))


def quadratic_weighted_kappa(
    truth: Labels, predicted: Labels, number_of_classes: int | None = None
) -> float:
    """Cohen's kappa with quadratic weights; NaN where both sides hold the same single label.

    A weight is the squared distance of two labels' ranks. Ranks go over the classes 0 to
    `number_of_classes - 1`, or, like MLE-bench's graders, over the labels that occur.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#cohen-kappa
    """
    labels = None if number_of_classes is None else list(range(number_of_classes))
    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore")  # 0/0 comes back as NaN, which the caller explains
        return float(sk.cohen_kappa_score(truth, predicted, weights="quadratic", labels=labels))


def roc_auc(truth: Floats, predicted: Floats) -> float:
    """Area under the ROC curve of one binary column; constant predictions are worth 0.5.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#roc-metrics
    """
    return float(sk.roc_auc_score(truth, predicted))


def rmse(truth: Floats, predicted: Floats) -> float:
    """Root of the mean squared error.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-error
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(sk.root_mean_squared_error(truth, predicted))


def rmsle(truth: Floats, predicted: Floats) -> float:
    """Root of the mean squared difference of `log(1 + x)`; all values must be at least 0.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#mean-squared-log-error
    """
    return float(sk.root_mean_squared_log_error(truth, predicted))


def mae(truth: Floats, predicted: Floats) -> float:
    """Mean absolute error.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#mean-absolute-error
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(sk.mean_absolute_error(truth, predicted))


def binary_log_loss(truth: Floats, predicted: Floats) -> float:
    """Log loss of the probability of class 1, clipped to the machine's epsilon (2.2e-16).

    Kaggle clipped at 1e-15, so a wrong prediction of exactly 0 or 1 costs 4 % more here.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#log-loss
    """
    return float(sk.log_loss(truth, predicted, labels=[0, 1]))


def multiclass_log_loss(truth: Labels, predicted: Floats) -> float:
    """Log loss of several classes.

    Args:
        truth: Position of each row's true class among the columns of `predicted`.
        predicted: Rows by classes, probabilities; rows sum to 1 up to rounding.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#log-loss
    """
    with warnings.catch_warnings():
        # scikit-learn wants sums exact to 1.5e-8; MLE-bench's tolerance was checked before.
        warnings.simplefilter("ignore", UserWarning)
        return float(sk.log_loss(truth, predicted, labels=list(range(predicted.shape[1]))))


_ON_NUMBERS: dict[Metric, Callable[[Floats, Floats], float]] = {
    Metric.ROC_AUC: roc_auc,
    Metric.LOG_LOSS: binary_log_loss,
    Metric.RMSE: rmse,
    Metric.RMSLE: rmsle,
    Metric.MAE: mae,
}
_ON_LABELS: dict[Metric, Callable[[Labels, Labels], float]] = {
    Metric.ACCURACY: accuracy,
    Metric.MACRO_F1: macro_f1,
    Metric.MICRO_F1: micro_f1,
}


def score_numbers(metric: Metric, truth: Floats, predicted: Floats) -> float:
    """Mean of a metric on numbers over the columns of two equally shaped tables."""
    function = _ON_NUMBERS[metric]
    columns = [function(truth[:, i], predicted[:, i]) for i in range(truth.shape[1])]
    return float(np.mean(columns))


def score_labels(
    metric: Metric, truth: Labels, predicted: Labels, number_of_classes: int | None = None
) -> float:
    """Mean of a metric on label codes over the columns of two equally shaped tables."""

    def one(column: int) -> float:
        if metric is Metric.QUADRATIC_WEIGHTED_KAPPA:
            return quadratic_weighted_kappa(
                truth[:, column], predicted[:, column], number_of_classes
            )
        return _ON_LABELS[metric](truth[:, column], predicted[:, column])

    return float(np.mean([one(column) for column in range(truth.shape[1])]))
