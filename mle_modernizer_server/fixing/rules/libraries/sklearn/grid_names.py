"""Removed parameters in the grid of a search: `{'base_estimator__max_depth': [1, 2]}`.

https://scikit-learn.org/stable/whats_new/v1.4.html#sklearn-ensemble

Grids whose model is known are changed with the model's own arguments (`generic/settings.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.sklearn.grid_values import grid_elements

_SEARCHES = ("GridSearchCV", "RandomizedSearchCV")
_OLD = "base_estimator"
_BY_GRADIENT = frozenset(
    f"sklearn.linear_model.{name}"
    for name in (
        *("SGDClassifier", "SGDRegressor", "Perceptron"),
        *("PassiveAggressiveClassifier", "PassiveAggressiveRegressor"),
    )
)


@codemod("sklearn-grid-base-estimator", on=cst.Call, names=_SEARCHES)
def keys_renamed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `{'base_estimator__max_depth': [1, 2]}` as `{'estimator__max_depth': [1, 2]}`."""
    found = _search(context, node)
    changes = [
        Change(element.key, new)
        for element in (found[1] if found else ())
        if (new := _renamed(element.key)) is not None
    ]
    if changes and context.program.own_classes.may_have(_OLD):
        return Unsure(f"a class of the notebook has a `{_OLD}` of its own")
    return Fix(tuple(changes)) if changes else None


@codemod("sklearn-grid-n-iter", on=cst.Call, names=_SEARCHES)
def passes_renamed(context: Context, node: cst.Call) -> Answer:
    """`{'n_iter': [5, 10]}` of a model trained by stochastic gradient descent → `'max_iter'`."""
    found = _search(context, node)
    inferred = context.type_of(found[0]) if found else None
    if found is None or inferred is None or inferred.name not in _BY_GRADIENT:
        return None
    changes = [
        Change(element.key, like_quotes("'max_iter'", element.key))
        for element in found[1]
        if isinstance(element.key, cst.SimpleString) and string(element.key) == "n_iter"
    ]
    return Fix(tuple(changes)) if changes else None


def _search(
    context: Context, node: cst.Call
) -> tuple[cst.BaseExpression, Sequence[cst.DictElement]] | None:
    """Return the estimator of a search, and the items of its grid."""
    grid = argument(node, "param_grid", 1) or argument(node, "param_distributions", 1)
    estimator = argument(node, "estimator", 0)
    ours = any(
        name.startswith("sklearn.") and name.endswith(_SEARCHES)
        for name in context.qualnames(node.func)
    )
    if grid is None or estimator is None or not ours:
        return None
    return estimator.value, grid_elements(context, grid.value)


def _renamed(key: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return `'ada__base_estimator__max_depth'` with `estimator` in place of `base_estimator`."""
    text = string(key)
    if text is None or not isinstance(key, cst.SimpleString) or _OLD not in text.split("__"):
        return None
    new = "__".join("estimator" if part == _OLD else part for part in text.split("__"))
    return key.with_changes(value=f"{key.quote}{new}{key.quote}")
