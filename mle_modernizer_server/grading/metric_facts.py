"""What is known of the metrics without computing any."""

from __future__ import annotations

from dataclasses import dataclass

from mle_modernizer_server.domain.competition import Metric


@dataclass(frozen=True)
class MetricFacts:
    """What is known of a metric.

    Attributes:
        title: How it is called on screen.
        higher_is_better: Its direction.
        best: The value of perfect predictions.
        lowest: Smallest possible value.
        highest: Largest possible value, `inf` where there is none.
        takes_labels: It compares class labels; otherwise numbers.
    """

    title: str
    higher_is_better: bool
    best: float
    lowest: float
    highest: float
    takes_labels: bool = False


_INFINITY = float("inf")

FACTS: dict[Metric, MetricFacts] = {
    Metric.ACCURACY: MetricFacts("accuracy", True, 1.0, 0.0, 1.0, takes_labels=True),
    Metric.ROC_AUC: MetricFacts("ROC AUC", True, 1.0, 0.0, 1.0),
    Metric.LOG_LOSS: MetricFacts("log loss", False, 0.0, 0.0, _INFINITY),
    Metric.RMSE: MetricFacts("RMSE", False, 0.0, 0.0, _INFINITY),
    Metric.RMSLE: MetricFacts("RMSLE", False, 0.0, 0.0, _INFINITY),
    Metric.MAE: MetricFacts("MAE", False, 0.0, 0.0, _INFINITY),
    Metric.MACRO_F1: MetricFacts("macro F1", True, 1.0, 0.0, 1.0, takes_labels=True),
    Metric.MICRO_F1: MetricFacts("micro F1", True, 1.0, 0.0, 1.0, takes_labels=True),
    Metric.QUADRATIC_WEIGHTED_KAPPA: MetricFacts(
        "quadratic weighted kappa", True, 1.0, -1.0, 1.0, takes_labels=True
    ),
}
