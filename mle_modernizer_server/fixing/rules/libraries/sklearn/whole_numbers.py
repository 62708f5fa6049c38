"""Parameters that count something must be integers: `max_depth=5.0` is refused today.

https://scikit-learn.org/stable/whats_new/v1.2.html, and likewise in XGBoost and LightGBM. Literal
numbers without a fraction are changed at once, other values only if the run failed at that
parameter.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.model_settings import values
from mle_modernizer_server.code.tree import literal, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_MOST = 2**53
"""From here on a float cannot represent every integer."""
_SAID = (
    re.compile(r"The '(\w+)' parameter of \w+ must be an int"),
    re.compile(r"Invalid Parameter format for (\w+) expect int"),
    re.compile(r"Parameter (\w+) should be of type int"),
)
_ALIASES = {
    "num_iterations": ("n_estimators", "num_boost_round", "num_iterations"),
    "min_data_in_leaf": ("min_child_samples", "min_data_in_leaf"),
    "bagging_freq": ("subsample_freq", "bagging_freq"),
}


_COUNTS = frozenset(
    {
        *("max_depth", "max_iter", "max_leaf_nodes"),
        *("n_clusters", "n_estimators", "n_init", "n_neighbors"),
    }
)
"""Parameters for which no model of scikit-learn accepts a float."""


@codemod("sklearn-whole-floats", on=cst.Call)
def written_in_call(context: Context, node: cst.Call) -> Answer:
    """Rewrite `LogisticRegression(max_iter=1e3)` as `max_iter=1000`."""
    ours = context.comes_from(node.func, "sklearn")
    changes = [
        Change(arg.value, whole)
        for arg in (node.args if ours else ())
        if arg.keyword is not None and arg.keyword.value in _COUNTS
        if (whole := _without_point(arg.value)) is not None
    ]
    return Fix(tuple(changes)) if changes else _in_settings(context, node)


@codemod("sklearn-whole-floats", on=cst.Dict)
def written_in_grid(context: Context, node: cst.Dict) -> Answer:
    """Rewrite `{'max_iter': [1e3, 1e4]}` as `[1000, 10000]` in the grid of a model."""
    return _in_settings(context, node)


def _in_settings(context: Context, node: cst.CSTNode) -> Answer:
    changes = {
        value: Change(value, whole)
        for setting in context.program.settings.of(node)
        if setting.is_last and setting.parameter in _COUNTS
        if any(name.startswith("sklearn.") for name in setting.model)
        for value in values(setting.entry)
        if (whole := _without_point(value)) is not None
    }
    return Fix(tuple(changes.values())) if changes else None


_TRUTHS = frozenset(
    {
        *("with_mean", "with_std", "fit_intercept", "copy", "copy_X", "bootstrap", "warm_start"),
        *("shrinking", "probability", "lowercase", "binary", "include_bias", "interaction_only"),
        "add_indicator",
    }
)
"""Parameters for which no model of scikit-learn accepts 0 or 1."""


@codemod("sklearn-truth-values", on=cst.Call)
def truths_in_call(context: Context, node: cst.Call) -> Answer:
    """Rewrite `StandardScaler(with_mean=0)` as `with_mean=False`."""
    if not context.comes_from(node.func, "sklearn"):
        return None
    changes = [
        Change(arg.value, cst.Name(str(bool(literal(arg.value)))))
        for arg in node.args
        if arg.keyword is not None and arg.keyword.value in _TRUTHS
        if isinstance(arg.value, cst.Integer) and literal(arg.value) in (0, 1)
    ]
    return Fix(tuple(changes)) if changes else None


def _without_point(value: cst.BaseExpression) -> cst.BaseExpression | None:
    number = literal(value)
    if not isinstance(number, float) or not number.is_integer() or abs(number) >= _MOST:
        return None
    return cst.parse_expression(str(int(number)))


@codemod("lightgbm-whole-numbers", "sklearn-whole-numbers", "xgboost-whole-numbers", on=cst.Call)
def in_call(context: Context, node: cst.Call) -> Answer:
    """Convert arguments of the library's calls to integers."""
    names = _parameters(context)
    library = f"{context.rule.library}."
    if not names or not (
        any(name.startswith(library) for name in context.qualnames(node.func))
        or _is_named(context, node.func)
    ):
        return None
    changes = []
    for arg in node.args:
        if arg.keyword is None or arg.keyword.value not in names:
            continue
        new = _whole(context, arg.value)
        if isinstance(new, Unsure):
            return new
        if new is not None:
            changes.append(Change(arg.value, new))
    return Fix(tuple(changes)) if changes else None


@codemod("lightgbm-whole-numbers", "sklearn-whole-numbers", "xgboost-whole-numbers", on=cst.Dict)
def in_dict(context: Context, node: cst.Dict) -> Answer:
    """Convert items of a dict of parameters to integers."""
    names = _parameters(context)
    changes = []
    for element in node.elements:
        if not isinstance(element, cst.DictElement) or string(element.key) not in names:
            continue
        if context.rule.library == "sklearn" or isinstance(element.value, (cst.List, cst.Tuple)):
            continue
        new = _whole(context, element.value)
        if isinstance(new, cst.BaseExpression):
            changes.append(Change(element.value, new))
    return Fix(tuple(changes)) if changes else None


def _parameters(context: Context) -> set[str]:
    """Return the names of the parameters in the errors of the run."""
    names: set[str] = set()
    for error in context.run.errors:
        if not context.rule.matches(error):
            continue
        for pattern in _SAID:
            for name in pattern.findall(error.evalue):
                names.update(_ALIASES.get(name, (name,)))
    return names


def _is_named(context: Context, func: cst.BaseExpression) -> bool:
    """Return whether it is a class of the notebook's own that an error names."""
    return isinstance(func, cst.Name) and any(
        re.search(rf"The '\w+' parameter of {func.value} must be", error.evalue)
        for error in context.run.errors
    )


def _whole(context: Context, value: cst.BaseExpression) -> cst.BaseExpression | Unsure | None:
    number = literal(value)
    if isinstance(number, float):
        if context.rule.library == "sklearn" and not number.is_integer():
            return Unsure("the number is not whole")
        return cst.parse_expression(str(int(number)))
    if number is not NotImplemented:
        return None
    if (
        isinstance(value, cst.Call)
        and isinstance(value.func, cst.Name)
        and value.func.value
        in (
            "int",
            "round",
        )
    ):
        return None
    return cst.parse_expression(f"int({context.code(value)})")
