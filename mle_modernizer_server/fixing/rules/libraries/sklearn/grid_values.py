"""Old values of hyper-parameters in the grid of a search: `{'max_features': ['auto', 'sqrt']}`.

https://scikit-learn.org/stable/whats_new/v1.1.html#sklearn-ensemble

These values mean the same for each model that has them; grids whose model is known are changed with
the model's own arguments (`generic/settings.py`). The meaning of `'auto'` depends on the model: the
square root for classifiers, all features for regressors. A duplicate value stays: searches draw and
count candidates in their order.

Removed parameters in the grid of a search: `{'base_estimator__max_depth': [1, 2]}`.

https://scikit-learn.org/stable/whats_new/v1.4.html#sklearn-ensemble

Grids whose model is known are changed with the model's own arguments (`generic/settings.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_SEARCHES = ("GridSearchCV", "RandomizedSearchCV")
_CHOICES = ("choice", "Categorical", "suggest_categorical")
"""Functions for a parameter's choices in hyperopt, scikit-optimize and Optuna."""
_SHARED = {
    "criterion": {"mse": "'squared_error'", "mae": "'absolute_error'"},
    "loss": {
        "deviance": "'log_loss'",
        "ls": "'squared_error'",
        "lad": "'absolute_error'",
        "log": "'log_loss'",
        "squared_loss": "'squared_error'",
    },
    "penalty": {"none": "None"},
}


@codemod("sklearn-search-grid-values", on=cst.Call, names=_SEARCHES)
def in_grid(context: Context, node: cst.Call) -> Answer:
    """Rename values in the grid of one search."""
    found = _estimator_and_grid(context, node)
    if found is None:
        return None
    name = context.type_name(found[0])
    changes: list[Change] = []
    for element in found[1]:
        if _has_a_known_model(context, element):
            continue
        key = (string(element.key) or "").rpartition("__")[2]
        table = dict(_SHARED.get(key, {}))
        if key == "max_features":
            if name.endswith("Classifier"):
                table["auto"] = "'sqrt'"
            elif name.endswith("Regressor"):
                table["auto"] = "1.0"
            elif any(string(value) == "auto" for value in _values(element.value)):
                return Unsure("'auto' means another thing for classifiers than for regressors")
        for value in _values(element.value):
            new = table.get(string(value) or "")
            if new is not None:
                changes.append(Change(value, like_quotes(new, value)))
    return Fix(tuple(changes)) if changes else None


@codemod("sklearn-search-grid-values", on=cst.Call, names=_CHOICES)
def in_choice(context: Context, node: cst.Call) -> Answer:
    """`hp.choice('criterion', ['mse', 'mae'])` of hyperopt, `Categorical([…], name='criterion')`.

    No other library's criteria have these names.
    """
    name = argument(node, "name") or argument(node, "label", 0)
    if name is None or string(name.value) != "criterion":
        return None
    table = _SHARED["criterion"]
    changes = [
        Change(value, like_quotes(table[text], value))
        for arg in node.args
        for value in _values(arg.value)
        if (text := string(value) or "") in table
    ]
    return Fix(tuple(changes)) if changes else None


def _has_a_known_model(context: Context, element: cst.DictElement) -> bool:
    whole = context.parent(element)
    settings = () if whole is None else context.program.settings.of(whole)
    return any(setting.entry is element and setting.is_last for setting in settings)


def grid_elements(context: Context, grid: cst.BaseExpression) -> list[cst.DictElement]:
    """Return the items of a grid, or of a list of grids, that is a literal or has a name."""
    if isinstance(grid, cst.Name):
        bound = context.only_bound(grid)
        if not isinstance(bound, Assigned):
            return []
        grid = bound.value
    if isinstance(grid, cst.List):
        return [one for part in grid.elements for one in grid_elements(context, part.value)]
    if not isinstance(grid, cst.Dict):
        return []
    return [element for element in grid.elements if isinstance(element, cst.DictElement)]


def _values(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(value, (cst.List, cst.Tuple)):
        return [element.value for element in value.elements]
    return []


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
    found = _estimator_and_grid(context, node)
    changes = [
        Change(element.key, new)
        for element in (found[1] if found else ())
        if (new := _with_new_name(element.key)) is not None
    ]
    if changes and context.program.own_classes.may_have(_OLD):
        return Unsure(f"a class of the notebook has a `{_OLD}` of its own")
    return Fix(tuple(changes)) if changes else None


@codemod("sklearn-grid-n-iter", on=cst.Call, names=_SEARCHES)
def passes_renamed(context: Context, node: cst.Call) -> Answer:
    """`{'n_iter': [5, 10]}` of a model trained by stochastic gradient descent → `'max_iter'`."""
    found = _estimator_and_grid(context, node)
    if found is None or context.type_name(found[0]) not in _BY_GRADIENT:
        return None
    changes = [
        Change(element.key, like_quotes("'max_iter'", element.key))
        for element in found[1]
        if isinstance(element.key, cst.SimpleString) and string(element.key) == "n_iter"
    ]
    return Fix(tuple(changes)) if changes else None


def _estimator_and_grid(
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


def _with_new_name(key: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return `'ada__base_estimator__max_depth'` with `estimator` in place of `base_estimator`."""
    text = string(key)
    if text is None or not isinstance(key, cst.SimpleString) or _OLD not in text.split("__"):
        return None
    new = "__".join("estimator" if part == _OLD else part for part in text.split("__"))
    return like_quotes(repr(new), key)
