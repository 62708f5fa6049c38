"""Estimators by family and task: scikit-learn's, and any class named as one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.code.calls import table


class Family(str, Enum):
    """Family of an estimator."""

    LINEAR = "linear"
    TREE = "tree"
    FOREST = "forest"
    BOOSTING = "boosting"
    NEIGHBORS = "neighbors"
    KERNEL = "kernel"
    NETWORK = "network"
    BAYES = "bayes"
    DUMMY = "dummy"
    OTHER = "other"


class Task(str, Enum):
    """Kind of an estimator's predictions."""

    REGRESSION = "regression"
    CLASSIFICATION = "classification"


@dataclass(frozen=True)
class Estimator:
    """A class of estimators.

    Attributes:
        address: Its address, e.g. `sklearn.linear_model.Ridge`.
        family: Its family.
        task: Its kind of predictions.
    """

    address: str
    family: Family
    task: Task

    @property
    def name(self) -> str:
        """Return the class's own name."""
        return self.address.rpartition(".")[2]


_TABLE = table(__file__)
ESTIMATORS: dict[str, Estimator] = {
    one.address: one
    for task, families in _TABLE["estimators"].items()
    for family, modules in families.items()
    for module, names in modules.items()
    for name in names.split()
    for one in (Estimator(f"sklearn.{module}.{name}", Family(family), Task(task)),)
}
"""By address."""

_OF_LIBRARIES = frozenset({"lightgbm", "xgboost", "catboost"})


def named_estimator(address: str) -> Estimator | None:
    """Return a class by its name: `library.SomethingClassifier`; None if it is named otherwise."""
    boosts = address.partition(".")[0] in _OF_LIBRARIES
    for task, ending in ((Task.REGRESSION, "Regressor"), (Task.CLASSIFICATION, "Classifier")):
        if address.endswith(ending):
            return Estimator(address, Family.BOOSTING if boosts else Family.OTHER, task)
    return None


def _group(name: str) -> frozenset[str]:
    return frozenset(f"sklearn.{one}" for one in _TABLE["groups"][name].split())


GRIDS = {f"sklearn.{search}": name for search, name in _TABLE["searches"].items()}
"""The parameter with the values to try, by the address of a search."""
WRAPPERS = _group("wrappers")
"""Wrappers of an estimator that are fitted in its place."""
SCALERS = _group("scalers")
ENCODERS = _group("encoders")
IMPUTERS = _group("imputers")
SELECTORS = _group("selectors")
REDUCERS = _group("reducers")
SPARSE_MAKERS = _group("sparse_makers")
"""Calls that return matrices that gradient boosting does not take."""
NO_PROBABILITIES = frozenset(_TABLE["no_probabilities"].split())
"""Names of the classes without `predict_proba` as they are by default."""
