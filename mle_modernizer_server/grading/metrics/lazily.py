"""Libraries that take a second to import, imported when a metric needs them."""

from __future__ import annotations

from typing import Any


def scikit_learn() -> Any:
    """Return `sklearn.metrics`."""
    from sklearn import metrics

    return metrics


def scipy_stats() -> Any:
    """Return `scipy.stats`."""
    from scipy import stats

    return stats
