"""Which families of models a notebook constructs, so that a repair cannot put another in place."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.estimators import ESTIMATORS, Family
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.notebook import Notebook

_LIBRARIES = {
    "xgboost": Family.BOOSTING,
    "lightgbm": Family.BOOSTING,
    "catboost": Family.BOOSTING,
    "keras": Family.NETWORK,
    "tensorflow": Family.NETWORK,
    "torch": Family.NETWORK,
}
"""Family of a library's models, by its module."""


def families(notebook: Notebook) -> frozenset[Family]:
    """Return the families of all constructed models, whether or not they are submitted."""
    found = set()
    for address in Pipeline(notebook).addresses:
        if address in ESTIMATORS:
            found.add(ESTIMATORS[address].family)
        elif (family := _LIBRARIES.get(address.partition(".")[0])) is not None:
            found.add(family)
    return frozenset(found)


def lost_families(before: Notebook, after: Notebook) -> tuple[str, ...]:
    """Return the families that a change removes, by name; one may be added next to them."""
    return tuple(sorted(one.value for one in families(before) - families(after)))
