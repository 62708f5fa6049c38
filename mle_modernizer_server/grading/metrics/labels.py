"""Metrics on class labels, as codes."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.grading.metrics.lazily import scikit_learn

Labels = npt.NDArray[np.int64]


def accuracy(truth: Labels, predicted: Labels) -> float:
    """Return the share of rows with the right label.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#accuracy-score
    """
    return float(np.mean(truth == predicted))


def classification_error(truth: Labels, predicted: Labels) -> float:
    """Return the share of rows with a wrong label."""
    return 1.0 - accuracy(truth, predicted)


def balanced_accuracy(truth: Labels, predicted: Labels) -> float:
    """Return the mean over the true labels of the share of their rows that are right.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#balanced-accuracy-score
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # labels that only the submission has
        return float(scikit_learn().balanced_accuracy_score(truth, predicted))


def macro_f1(truth: Labels, predicted: Labels) -> float:
    """Return F1 of every label that occurs on either side, averaged without weights.

    Source: https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html
    """
    return float(scikit_learn().f1_score(truth, predicted, average="macro", zero_division=0))


def micro_f1(truth: Labels, predicted: Labels) -> float:
    """Return F1 of all labels counted together; with one label a row it is the accuracy.

    Source: https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html
    """
    return accuracy(truth, predicted)


def weighted_f1(truth: Labels, predicted: Labels) -> float:
    """Return F1 of every label, weighted by how many rows have it.

    Source: https://scikit-learn.org/stable/modules/generated/sklearn.metrics.f1_score.html
    """
    return float(scikit_learn().f1_score(truth, predicted, average="weighted", zero_division=0))


def matthews_correlation(truth: Labels, predicted: Labels) -> float:
    """Return the Matthews correlation coefficient, of several classes, too; 0 for a constant side.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#matthews-corrcoef
    """
    return float(scikit_learn().matthews_corrcoef(truth, predicted))


def quadratic_weighted_kappa(
    truth: Labels, predicted: Labels, number_of_classes: int | None = None
) -> float:
    """Return Cohen's kappa with quadratic weights; NaN if both sides hold the same single label.

    A weight is the squared distance of two labels' ranks. Ranks go over the classes 0 to
    `number_of_classes - 1`, or, like MLE-bench's graders, over the labels that occur.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#cohen-kappa
    """
    labels = None if number_of_classes is None else list(range(number_of_classes))
    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore")  # 0/0 comes back as NaN, which the caller explains
        return float(
            scikit_learn().cohen_kappa_score(truth, predicted, weights="quadratic", labels=labels)
        )
