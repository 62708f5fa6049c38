"""Facts about the metrics that need no computation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from mle_modernizer_server.domain.competition import Metric


class Takes(Enum):
    """Kind of values that a metric compares."""

    NUMBERS = "numbers"
    LABELS = "labels"
    TEXTS = "texts"


@dataclass(frozen=True)
class MetricFacts:
    """Facts about a metric.

    Attributes:
        title: Its name on screen.
        higher_is_better: Its direction.
        best: The value of perfect predictions; an infinity where there is no such value.
        lowest: Smallest possible value.
        highest: Largest possible value, `inf` if unbounded.
        takes: The kind of values it compares.
        options: Its options and their defaults.
        roles: Columns of the answers it needs besides the truth (`support`).
    """

    title: str
    higher_is_better: bool
    best: float
    lowest: float
    highest: float
    takes: Takes = Takes.NUMBERS
    options: Mapping[str, float] = field(default_factory=dict)
    roles: tuple[str, ...] = ()

    @property
    def takes_labels(self) -> bool:
        """Return whether it compares class labels."""
        return self.takes is Takes.LABELS


_INF = float("inf")


def _share(
    title: str,
    takes: Takes = Takes.NUMBERS,
    lowest: float = 0.0,
    roles: tuple[str, ...] = (),
    **options: float,
) -> MetricFacts:
    return MetricFacts(title, True, 1.0, lowest, 1.0, takes, options, roles)


def _error(
    title: str,
    takes: Takes = Takes.NUMBERS,
    highest: float = _INF,
    roles: tuple[str, ...] = (),
    **options: float,
) -> MetricFacts:
    return MetricFacts(title, False, 0.0, 0.0, highest, takes, options, roles)


_BEST_LAPLACE = -math.log(70 * math.sqrt(2))
"""No error, and the smallest confidence there is."""
_SIZE = ("height", "width")

FACTS: dict[Metric, MetricFacts] = {
    Metric.ACCURACY: _share("accuracy", Takes.LABELS),
    Metric.BALANCED_ACCURACY: _share("balanced accuracy", Takes.LABELS),
    Metric.CLASSIFICATION_ERROR: _error("classification error", Takes.LABELS, 1.0),
    Metric.MACRO_F1: _share("macro F1", Takes.LABELS),
    Metric.MICRO_F1: _share("micro F1", Takes.LABELS),
    Metric.WEIGHTED_F1: _share("weighted F1", Takes.LABELS),
    Metric.MCC: _share("Matthews correlation", Takes.LABELS, -1.0),
    Metric.QUADRATIC_WEIGHTED_KAPPA: _share("quadratic weighted kappa", Takes.LABELS, -1.0),
    Metric.ROC_AUC: _share("ROC AUC", skip_negative=0.0),
    Metric.GINI: _share("normalised Gini", lowest=-1.0),
    Metric.AVERAGE_PRECISION: _share("average precision"),
    Metric.LOG_LOSS: _error("log loss"),
    Metric.BRIER: _error("Brier score", highest=1.0),
    Metric.PROBABILISTIC_F: _share("probabilistic F", beta=1.0),
    Metric.KL_DIVERGENCE: _error("KL divergence"),
    Metric.LABEL_RANKING_AVERAGE_PRECISION: _share("label-weighted ranking average precision"),
    Metric.WEIGHTED_ROC_AUC: _share("weighted ROC AUC"),
    Metric.UNINTENDED_BIAS_AUC: _share("bias-weighted ROC AUC", binarize=0.0),
    Metric.FRACTURE_LOG_LOSS: _error("weighted multi-label log loss"),
    Metric.RMSE: _error("RMSE"),
    Metric.MSE: _error("mean squared error"),
    Metric.RMSLE: _error("RMSLE"),
    Metric.RMSPE: _error("RMSPE"),
    Metric.MAE: _error("MAE", round=0.0),
    Metric.MEDIAN_ABSOLUTE_ERROR: _error("median absolute error"),
    Metric.MAPE: _error("MAPE"),
    Metric.SMAPE: _error("SMAPE", highest=200.0),
    Metric.R2: MetricFacts("R²", True, 1.0, -_INF, 1.0),
    Metric.PEARSON: _share("Pearson correlation", lowest=-1.0),
    Metric.SPEARMAN: _share("Spearman correlation", lowest=-1.0),
    Metric.CONCORDANCE: _share("concordance index", roles=("event",)),
    Metric.GROUP_LOG_MAE: MetricFacts(
        "log MAE, mean over groups", False, -_INF, -_INF, _INF, roles=("group",)
    ),
    Metric.LAPLACE_LOG_LIKELIHOOD: MetricFacts(
        "modified Laplace log likelihood",
        True,
        _BEST_LAPLACE,
        -_INF,
        _BEST_LAPLACE,
        options={"smallest_confidence": 70.0, "largest_error": 1000.0, "latest": 0.0},
    ),
    Metric.ANGULAR_ERROR: _error("mean angular error", highest=3.141592653589793),
    Metric.HAVERSINE_ERROR: _error("haversine error (mean of 50 % and 95 %)"),
    Metric.MAP_AT_K: _share("MAP@k", Takes.TEXTS, k=5.0),
    Metric.NDCG_AT_K: _share("NDCG@k", Takes.TEXTS, k=5.0),
    Metric.TAG_F1: _share("micro F1 of tags", Takes.TEXTS),
    Metric.WORD_JACCARD: _share("word-level Jaccard", Takes.TEXTS, both_empty=1.0),
    Metric.EDIT_DISTANCE: _error("mean edit distance", Takes.TEXTS),
    Metric.CHARACTER_ERROR_RATE: _error("character error rate", Takes.TEXTS),
    Metric.WORD_ERROR_RATE: _error("word error rate", Takes.TEXTS),
    Metric.SEQUENCE_ERROR_RATE: _error("sequence error rate", Takes.TEXTS),
    Metric.ORDER_KENDALL_TAU: _share("Kendall tau of orders", Takes.TEXTS, -1.0),
    Metric.MASK_DICE: _share("mean Dice", Takes.TEXTS, roles=_SIZE, both_empty=1.0),
    Metric.MASK_GLOBAL_DICE: _share("global Dice", Takes.TEXTS, roles=_SIZE),
    Metric.MASK_IOU: _share("mean IoU", Takes.TEXTS, roles=_SIZE, both_empty=1.0),
    Metric.MASK_F_BETA: _share("mean F-beta of pixels", Takes.TEXTS, roles=_SIZE, beta=0.5),
    Metric.MASK_IOU_PRECISION: _share(
        "mean precision over IoU thresholds",
        Takes.TEXTS,
        height=101.0,
        width=101.0,
        empty_is_full=0.0,
    ),
    Metric.MASK_DICE_HAUSDORFF: _share("0.4 Dice + 0.6 Hausdorff", Takes.TEXTS, roles=_SIZE),
    Metric.BOX_VOC_MAP: _share("mAP of boxes at IoU > 0.5", Takes.TEXTS, iou=0.5),
    Metric.BOX_COCO_MAP: _share(
        "mAP of boxes at IoU 0.4",
        Takes.TEXTS,
        roles=("x_min", "y_min", "x_max", "y_max"),
        iou=0.4,
        corners_as_sizes=0.0,
        zero_is_none=0.0,
    ),
    Metric.BOX_3D_MAP: _share("mAP of 3D boxes, IoU 0.5 to 0.95", Takes.TEXTS),
    Metric.POINT_F1: _share("F1 of points in boxes", Takes.TEXTS),
}
OPTIONAL_ROLES = frozenset({*_SIZE, "event"})
"""Roles that are optional: no column has to be named for them."""
