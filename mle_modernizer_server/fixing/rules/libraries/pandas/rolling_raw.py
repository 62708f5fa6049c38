"""`apply` of a moving window got arrays; since pandas 1.0 it gets Series unless `raw=True`.

https://pandas.pydata.org/docs/whatsnew/v0.23.0.html#rolling-expanding-apply-accepts-raw-false-to-pass-a-series-to-the-function

A function that uses attributes only a Series has was written for one.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined
from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    has_double_star,
    method_name,
    with_keyword,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_WINDOWS = ("rolling", "expanding")
_OF_SERIES = frozenset(
    {"iloc", "loc", "index", "values", "to_numpy", "rank", "autocorr", "quantile", "median", "mad"}
    | {"mode", "skew", "kurt", "sem", "abs", "diff", "shift", "pct_change", "dropna", "fillna"}
    | {"isnull", "isna", "notnull", "notna", "value_counts", "nunique", "corr", "cov", "apply"}
    | {"map", "idxmax", "idxmin", "head", "tail", "describe", "ewm", "rolling", "name"}
)


@codemod("pandas-rolling-apply-raw", on=cst.Call, names=("apply",))
def raw(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.rolling(3).apply(f)` as `s.rolling(3).apply(f, raw=True)`."""
    if not isinstance(node.func, cst.Attribute) or argument(node, "raw", 1):
        return None
    if has_double_star(node) or not node.args or not _window(node.func.value):
        return None
    if _asks_a_series(context, node.args[0].value):
        return None
    return one(node, with_keyword(node, "raw", cst.Name("True")))


def _asks_a_series(context: Context, function: cst.BaseExpression) -> bool:
    """Return whether a function uses attributes of its argument that an array does not have."""
    made: list[cst.FunctionDef | cst.Lambda] = []
    written = context.written(function)
    if isinstance(written, cst.Lambda):
        made = [written]
    elif isinstance(written, cst.Name):
        bounds = context.bounds(written)
        nodes = [bound.node for bound in bounds if isinstance(bound, Defined)]
        made = [node for node in nodes if isinstance(node, cst.FunctionDef)]
    return any(
        isinstance(node, cst.Attribute)
        and isinstance(node.value, cst.Name)
        and node.value.value == given.params.params[0].name.value
        and node.attr.value in _OF_SERIES
        for given in made
        if given.params.params
        for node in descendants(given)
    )


def _window(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Subscript):
        return _window(node.value)
    return method_name(node) in _WINDOWS
