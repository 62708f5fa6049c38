"""`resample` lost `how` and `fill_method` in pandas 1.0; methods replace them.

Without `how` it returned the mean before pandas 0.18. Before 0.22, when `how` had long been
deprecated, the sum and the product of a span without values were missing; `min_count=1` keeps them
missing.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
https://pandas.pydata.org/docs/whatsnew/v0.22.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, string, without
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, rewritten
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches

_REDUCTIONS = frozenset({"sum", "min", "max", "mean", "median", "std", "var", "prod"})
"""Functions of Python and NumPy that pandas replaced by its own methods of that name."""
_SUMS = ("sum", "prod")
_OF_NOTHING = "min_count=1"
_OF_TABLES = frozenset(
    {"plot", "head", "tail", "iloc", "loc", "ix", "dropna", "to_csv", "join", "to_frame"}
    | {"iterrows", "iteritems", "itertuples"}
)
"""Attributes of a table that groups of rows do not have; hardly the name of a column."""
_FILLS = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}


@codemod("pandas-resample-mean", on=cst.Call, names=("resample",))
def mean(context: Context, node: cst.Call) -> Answer:
    """`s.resample('A').plot()` → `s.resample('A').mean().plot()`, which it was by itself."""
    if not isinstance(node.func, cst.Attribute) or argument(node, "rule", 0) is None:
        return None
    if any(argument(node, name) for name in ("how", "fill_method")):
        return None
    on = (FRAME.name, SERIES.name)
    if method_matches(context, node.func, ("resample",), on, distinctive=True) is not Match.YES:
        return None
    places = [context.parent(use) for use in context.uses(node)]
    asked = {place.attr.value for place in places if isinstance(place, cst.Attribute)}
    if not asked or not asked <= _OF_TABLES:
        return None
    text = f"{context.code(node.with_changes(lpar=[], rpar=[]))}.mean()"
    return rewritten(node, text)


@codemod("pandas-resample-how", on=cst.Call, names=("resample",))
def method(context: Context, node: cst.Call) -> Answer:
    """`s.resample('W', how='sum')` → `s.resample('W').sum()`; a function or dict → `.agg(…)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    how, fill = argument(node, "how") or _by_position(node), argument(node, "fill_method")
    limit = argument(node, "limit")
    given = [arg for arg in (how, fill, limit) if arg is not None]
    if not given:
        return None
    on = (FRAME.name, SERIES.name)
    if method_matches(context, node.func, ("resample",), on, distinctive=True) is not Match.YES:
        return None
    text = context.code(without(node, given).with_changes(lpar=[], rpar=[]))
    if how is not None:
        name = string(how.value) or _own_name(context, how.value)
        if name and name.isidentifier():
            text += f".{name}({_OF_NOTHING if name in _SUMS else ''})"
        else:
            text += f".agg({context.code(_by_column(context, how.value))})"
    if fill is not None:
        name = _FILLS.get(string(fill.value) or "")
        if name is None or (how is not None and limit is not None):
            return Unsure("how gaps were filled cannot be told")
        text += f".{name}({context.code(limit).rstrip(', ') if limit is not None else ''})"
    elif how is None:
        return Unsure("how gaps were filled cannot be told")
    return rewritten(node, text)


def _by_column(context: Context, how: cst.BaseExpression) -> cst.BaseExpression:
    """Return `{'a': 'sum'}` with a sum that is missing if there are no values."""
    if not isinstance(how, cst.Dict):
        return how
    elements: list[cst.BaseDictElement] = []
    for element in how.elements:
        name = string(element.value) or _own_name(context, element.value)
        if isinstance(element, cst.DictElement) and name in _SUMS:
            missing = expression(f"lambda values: values.{name}({_OF_NOTHING})")
            element = element.with_changes(value=missing)
        elements.append(element)
    return how.with_changes(elements=elements)


def _by_position(node: cst.Call) -> cst.Arg | None:
    """Return `how` as the second argument, which is the axis now."""
    second = argument(node, "axis", 1)
    if second is None or second.keyword is not None:
        return None
    return second if string(second.value) not in (None, "index", "columns", "rows") else None


def _own_name(context: Context, how: cst.BaseExpression) -> str | None:
    """Return the pandas method for `sum` or `np.mean`, which skips missing values."""
    for address in context.qualnames(how):
        module, _, name = address.rpartition(".")
        if module in ("builtins", "numpy") and name in _REDUCTIONS:
            return name
    return None
