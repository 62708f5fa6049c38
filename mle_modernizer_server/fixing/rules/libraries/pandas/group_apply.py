"""`groupby().apply()`: the columns passed to the function, and the index of the result.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#other-api-changes
https://pandas.pydata.org/docs/whatsnew/v2.2.0.html#deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined, Parameter
from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    expression,
    literal,
    method_name,
    receiver,
    string,
    with_keyword,
)
from mle_modernizer_server.code.types import returns
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import index, key
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches
from mle_modernizer_server.fixing.rules.libraries.pandas.grouped import grouped
from mle_modernizer_server.fixing.rules.tables import table

_ROW_BY_ROW = table("pandas", "row-by-row", frozenset[str])
_ELEMENTWISE = frozenset(
    f"numpy.{name}"
    for name in ("log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "square", "abs", "sign")
)

_OF_NUMBERS = frozenset(
    [
        *("mean", "median", "std", "var", "sem", "skew", "kurt", "kurtosis", "mad"),
        *("prod", "product", "quantile", "corr", "cov", "corrwith"),
    ]
)

_REDUCTIONS = {
    *("numpy.mean", "numpy.sum", "numpy.prod", "numpy.std", "numpy.var", "numpy.max", "numpy.min"),
    *("numpy.amax", "numpy.amin", "builtins.sum", "builtins.max", "builtins.min"),
}


@codemod("pandas-group-keys", on=cst.Call, names=("apply",))
def keys(context: Context, node: cst.Call) -> Answer:
    """Restore the old index of `df.groupby('g').apply(f)`."""
    groups = _groups(context, node)
    if groups is None or argument(groups, "group_keys") is not None:
        return None
    function = node.args[0].value
    if isinstance(node.func, cst.Attribute) and node.func.value is groups and _fills(function):
        return Unsure("whether the groups became a level of the index differed between versions")
    if not (
        _row_by_row(context, function) or _gives_back(context, function) or context.evidence(node)
    ):
        return None
    return one(groups, with_keyword(groups, "group_keys", cst.Name("False")))


def _groups(context: Context, node: cst.Call) -> cst.Call | None:
    """Return the call of `groupby` whose groups, or columns of them, a function is applied to."""
    if not isinstance(node.func, cst.Attribute) or not node.args:
        return None
    groups = grouped(node.func.value)
    if groups is None or not isinstance(groups.func, cst.Attribute):
        return None
    match = method_matches(context, groups.func, ("groupby",), (FRAME.name, SERIES.name))
    return None if match is Match.NO else groups


def _fills(function: cst.BaseExpression) -> bool:
    """Return whether it fills each column in a copy: `lambda g: g.fillna(g.mean())`."""
    return isinstance(function, cst.Lambda) and any(
        isinstance(part, cst.Call)
        and method_name(part) == "fillna"
        and bool(part.args)
        and isinstance(part.args[0].value, (cst.Call, cst.Dict, cst.Name))
        for part in descendants(function.body)
    )


def _row_by_row(context: Context, function: cst.BaseExpression) -> bool:
    """Return whether a lambda keeps the number of rows: `lambda x: x.fillna(x.mean())`."""
    if not isinstance(function, cst.Lambda) or len(function.params.params) != 1:
        return False
    name = function.params.params[0].name.value
    return _same_rows(context, function.body, name)


def _gives_back(context: Context, function: cst.BaseExpression) -> bool:
    """Return whether a function of the notebook always returns its argument itself."""
    if not isinstance(function, cst.Name):
        return False
    bound = context.only_bound(function)
    made = bound.node if isinstance(bound, Defined) else None
    if not isinstance(made, cst.FunctionDef) or len(made.params.params) != 1:
        return False
    returned: list[cst.BaseExpression | None] = []
    for part in descendants(made.body):
        if isinstance(part, cst.Return):
            returned.append(part.value)
        elif isinstance(part, (cst.FunctionDef, cst.Del, cst.Yield)) or (
            isinstance(part, cst.Call) and argument(part, "inplace") is not None
        ):
            return False
    return bool(returned) and all(
        isinstance(one, cst.Name)
        and all(
            isinstance(bound, Parameter) and bound.function is made for bound in context.bounds(one)
        )
        for one in returned
    )


def _same_rows(context: Context, node: cst.BaseExpression, name: str) -> bool:
    if isinstance(node, cst.Name):
        return node.value == name
    if isinstance(node, cst.BinaryOperation):
        return _same_rows(context, node.left, name) or _same_rows(context, node.right, name)
    if isinstance(node, cst.Comparison):
        return _same_rows(context, node.left, name)
    if isinstance(node, cst.Subscript):
        return isinstance(key(node), cst.List) and _same_rows(context, node.value, name)
    if not isinstance(node, cst.Call):
        return False
    if context.refers_to(node.func, *_ELEMENTWISE) and len(node.args) == 1:
        return _same_rows(context, node.args[0].value, name)
    if not isinstance(node.func, cst.Attribute):
        return False
    if node.func.attr.value in _ROW_BY_ROW or _drops_columns(node):
        return _same_rows(context, node.func.value, name)
    rolled = receiver(node.func.value, "rolling", "expanding", "ewm")
    return rolled is not None and _same_rows(context, rolled, name)


def _drops_columns(call: cst.Call) -> bool:
    """Return whether it is `g.drop('a', axis=1)` or `g.drop(columns='a')`."""
    if method_name(call) != "drop":
        return False
    axis = argument(call, "axis", 1)
    named = axis is not None and literal(axis.value) in (1, "columns")
    return named or argument(call, "columns") is not None


@codemod("pandas-groupby-apply-columns", on=cst.Call, names=("apply",))
def columns(context: Context, node: cst.Call) -> Answer:
    """Restore the old columns of `df.groupby('g').apply(f)`."""
    groups = _groups(context, node)
    if groups is None or not isinstance(node.func, cst.Attribute) or node.func.value is not groups:
        return None
    assert isinstance(groups.func, cst.Attribute)
    table = groups.func.value
    if context.type_of(table) != FRAME or argument(node, "include_groups") is not None:
        return None
    keys = argument(groups, "by", 0)
    if keys is None or not _uses(node.args[0].value, _labels(keys.value)):
        return None
    known = context.qualnames(node.args[0].value)
    if "builtins.len" in known:
        return None
    if _REDUCTIONS & set(known):
        return Unsure("the function itself does another thing with a table today")
    if not isinstance(table, cst.Name):
        return Unsure("the table that is grouped has no name")
    if _needs_numbers(context, node.args[0].value):
        return Unsure(
            "the function computes with all columns, and those of the groups may be texts"
        )
    text = f"{context.code(groups)}[{table.value}.columns.tolist()]"
    return one(groups, expression(text))


def _labels(keys: cst.BaseExpression) -> list[str] | None:
    """Return the labels that are grouped by; None if they are not literal."""
    items = [one.value for one in keys.elements] if isinstance(keys, cst.List) else [keys]
    labels = [string(item) for item in items]
    found = [label for label in labels if label is not None]
    return found if len(found) == len(labels) else None


def _uses(function: cst.BaseExpression, labels: list[str] | None) -> bool:
    """Return whether the function may need the columns: it does more than select other columns."""
    if labels is None:
        return False
    if not isinstance(function, cst.Lambda) or len(function.params.params) != 1:
        return True
    name = function.params.params[0].name.value
    taken = 0
    for part in descendants(function.body):
        if isinstance(part, cst.Attribute) and _is(part.value, name):
            if part.attr.value in labels:
                return True
            taken += not returns.has(FRAME, part.attr.value)
        elif isinstance(part, cst.Subscript) and _is(part.value, name):
            label = string(index(part.slice[0].slice))
            if label is None or label in labels:
                return True
            taken += 1
    uses = sum(_is(part, name) for part in descendants(function.body))
    return uses > taken


def _needs_numbers(context: Context, function: cst.BaseExpression) -> bool:
    """Return whether a function takes the mean or the like of all columns: `lambda g: g.mean()`.

    It left out texts automatically; with them it fails since pandas 2.0.
    """
    made: cst.CSTNode = function
    if isinstance(function, cst.Name):
        found = [one.node for one in context.bounds(function) if isinstance(one, Defined)]
        made = found[0] if len(found) == 1 else function
    if not isinstance(made, (cst.Lambda, cst.FunctionDef)) or not made.params.params:
        return False
    name = made.params.params[0].name.value
    return any(
        isinstance(part, cst.Call)
        and isinstance(part.func, cst.Attribute)
        and _is(part.func.value, name)
        and part.func.attr.value in _OF_NUMBERS
        and argument(part, "numeric_only") is None
        for part in descendants(made.body)
    )


def _is(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name
