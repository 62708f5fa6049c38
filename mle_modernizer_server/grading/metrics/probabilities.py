"""Metrics on probabilities and scores of classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mle_modernizer_server.grading.metrics.labels import Labels
from mle_modernizer_server.grading.metrics.lazily import scikit_learn
from mle_modernizer_server.grading.metrics.numbers import Floats

_EPSILON = float(np.finfo(np.float64).eps)
KAGGLE_CLIP = 1e-15
"""Kaggle's bound for probabilities; scikit-learn since 1.5 uses the machine's epsilon."""


def roc_auc(truth: Floats, predicted: Floats) -> float:
    """Return the area under the ROC curve of one binary column; constant predictions are worth 0.5.

    By ranks, which is several times as fast as by the curve.

    Raises:
        ValueError: The truth holds one class only.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#roc-metrics
    """
    positive = truth == 1
    hits = int(positive.sum())
    others = len(truth) - hits
    if not hits or not others:
        raise ValueError("only one class in the truth")
    _, codes, counts = np.unique(predicted, return_inverse=True, return_counts=True)
    ranks = counts.cumsum() - (counts - 1) / 2
    total = float(ranks[codes.reshape(-1)[positive]].sum())
    return (total - hits * (hits + 1) / 2) / (hits * others)


def average_precision(truth: Floats, predicted: Floats) -> float:
    """Return the area under the precision-recall curve by steps.

    Source: scikit-learn's `average_precision_score`.
    """
    return float(scikit_learn().average_precision_score(truth, predicted))


def brier(truth: Floats, predicted: Floats) -> float:
    """Return the mean squared difference of a probability and the outcome, 0 or 1.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#brier-score-loss
    """
    return float(np.mean((truth - predicted) ** 2))


def binary_log_loss(truth: Floats, predicted: Floats) -> float:
    """Return the log loss of the probability of class 1, clipped to the machine's epsilon
    (2.2e-16).

    Kaggle clipped at 1e-15, so a wrong prediction of exactly 0 or 1 costs 4 % more here.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#log-loss
    """
    yes = np.log(np.clip(predicted, _EPSILON, 1 - _EPSILON))
    no = np.log(np.clip(1 - predicted, _EPSILON, 1 - _EPSILON))
    return float(-np.mean(truth * yes + (1 - truth) * no))


def multiclass_log_loss(truth: Labels, predicted: Floats) -> float:
    """Return the log loss of several classes.

    Args:
        truth: Position of each row's true class among the columns of `predicted`.
        predicted: Rows by classes, probabilities; rows sum to 1 up to rounding.

    Source: https://scikit-learn.org/stable/modules/model_evaluation.html#log-loss
    """
    chances = predicted[np.arange(len(truth)), truth]
    return float(-np.mean(np.log(np.clip(chances, _EPSILON, 1 - _EPSILON))))


def probabilistic_f(truth: Floats, predicted: Floats, beta: float = 1.0) -> float:
    """Return F-beta with probabilities counted as they are.

    Source: https://www.kaggle.com/code/sohier/probabilistic-f-score
    """
    chances = np.clip(predicted, 0, 1)
    hits = float(chances[truth != 0].sum())
    total, actual = float(chances.sum()), int((truth != 0).sum())
    if not actual:
        return float("nan")
    if not total:
        return 0.0
    precision, recall = hits / total, hits / actual
    if not precision or not recall:
        return 0.0
    square = beta * beta
    return (1 + square) * precision * recall / (square * precision + recall)


def kl_divergence(truth: Floats, predicted: Floats) -> float:
    """Return the mean over rows of the Kullback-Leibler divergence of two distributions.

    The truth's rows are scaled to sum to 1 (votes will do); predictions are cut at 1e-15.

    Source: https://www.kaggle.com/code/metric/kullback-leibler-divergence
    """
    shares = truth / truth.sum(axis=1, keepdims=True)
    cut = np.clip(predicted, KAGGLE_CLIP, 1 - KAGGLE_CLIP)
    there = shares != 0
    terms = np.zeros_like(shares)
    terms[there] = shares[there] * np.log(shares[there] / cut[there])
    return float(terms.sum(axis=1).mean())


def label_ranking_average_precision(truth: Floats, predicted: Floats) -> float:
    """Return the label-weighted label-ranking average precision ("lwlrap"); rows without labels are
    left out.

    Source: https://www.kaggle.com/competitions/freesound-audio-tagging-2019/overview/evaluation
    """
    weights = (truth > 0).sum(axis=1)
    kept = np.flatnonzero(weights > 0)
    if not len(kept):
        return float("nan")
    return float(
        scikit_learn().label_ranking_average_precision_score(
            truth[kept] > 0, predicted[kept], sample_weight=weights[kept]
        )
    )


def weighted_roc_auc(
    truth: Floats,
    predicted: Floats,
    borders: Sequence[float] = (0.0, 0.4, 1.0),
    weights: Sequence[float] = (2.0, 1.0),
) -> float:
    """Return the ROC AUC with the bands between true-positive rates weighted, scaled to at most 1.

    Source: https://www.kaggle.com/competitions/alaska2-image-steganalysis/overview/evaluation
    """
    fpr, tpr, _ = scikit_learn().roc_curve(truth, predicted, pos_label=1)
    for border in borders:
        if border not in tpr:
            at = int(np.argmax(tpr > border))
            slope = (fpr[at] - fpr[at - 1]) / (tpr[at] - tpr[at - 1])
            between = fpr[at - 1] + slope * (border - tpr[at - 1])
            tpr, fpr = np.insert(tpr, at, border), np.insert(fpr, at, between)
    total = 0.0
    for low, high, weight in zip(borders, borders[1:], weights, strict=False):
        inside = (low <= tpr) & (tpr <= high)
        xs = np.append(fpr[inside], 1.0)
        ys = np.append(tpr[inside], high) - low
        total += weight * float(scikit_learn().auc(xs, ys))
    heights = np.diff(np.asarray(borders))
    return total / float(np.dot(heights, weights))


def unintended_bias_auc(truth: Floats, predicted: Floats, identities: Floats) -> float:
    """Return the overall AUC and power means (p = -5) of three AUCs an identity, a quarter each.

    Args:
        truth: Toxic from 0.5 on.
        predicted: Scores, larger is more toxic.
        identities: Rows by identities: mentioned from 0.5 on.

    Source: https://www.kaggle.com/competitions/jigsaw-unintended-bias-in-toxicity-classification/overview/evaluation
    """
    toxic = truth >= 0.5
    mentioned = identities >= 0.5
    means = []
    for kind in ("subgroup", "background positive", "background negative"):
        scores = []
        for inside in mentioned.T:
            if kind == "subgroup":
                rows = inside
            else:
                rows = toxic != inside if kind == "background positive" else toxic == inside
            scores.append(roc_auc(toxic[rows].astype(np.float64), predicted[rows]))
        means.append(float(np.mean(np.asarray(scores) ** -5.0) ** (-1 / 5)))
    return 0.25 * (roc_auc(toxic.astype(np.float64), predicted) + sum(means))


def fracture_log_loss(
    truth: Floats, predicted: Floats, patients: Sequence[str], parts: Sequence[str]
) -> float:
    """Return the log loss weighted by part (the patient 7, a vertebra 1; twice that if fractured).

    Weighted within a patient, then the mean over patients.

    Source: https://www.kaggle.com/competitions/rsna-2022-cervical-spine-fracture-detection/discussion/340392
    """
    known = {"patient_overall": 7.0, **{f"C{number}": 1.0 for number in range(1, 8)}}
    base = np.array([known.get(part, 0.0) for part in parts])
    weights = base * (1 + truth)
    cut = np.clip(predicted, KAGGLE_CLIP, 1 - KAGGLE_CLIP)
    losses = -(truth * np.log(cut) + (1 - truth) * np.log(1 - cut))
    codes = np.unique(np.asarray(patients), return_inverse=True)[1].reshape(-1)
    totals = np.bincount(codes, weights=losses * weights) / np.bincount(codes, weights=weights)
    return float(totals.mean())
