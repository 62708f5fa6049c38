"""`resample` lost `kind` in pandas 3.0: the index of its result is converted instead.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, like_quotes, string, without
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_arg
from mle_modernizer_server.fixing.rules.libraries.pandas.frequencies import offset_name

_PERIODS = {"ME": "M", "QE": "Q", "YE": "Y", "A": "Y"}
"""Names of periods by those of the offsets that end them."""
_ONE_ROW_A_PERIOD = frozenset(
    {"count", "first", "last", "max", "mean", "median", "min", "nunique", "prod", "size", "std"}
    | {"sum", "var"}
)


@codemod("pandas-resample-arguments", on=cst.Call, names=("resample",))
def converted(context: Context, node: cst.Call) -> Answer:
    """`df.resample('M', kind='period').sum()` → `df.resample('M').sum().to_period('M')`."""
    kind = argument(node, "kind")
    if kind is None or not isinstance(node.func, cst.Attribute):
        return None
    plain = without(node, [kind])
    if string(kind.value) == "timestamp":
        return one(node, plain)  # the default for an index of times
    method = context.parent(node)
    call = context.parent(method) if isinstance(method, cst.Attribute) else None
    rule = argument(node, "rule", 0)
    name = string(rule.value) if rule is not None else None
    if (
        string(kind.value) != "period"
        or name is None
        or not isinstance(method, cst.Attribute)
        or not isinstance(call, cst.Call)
        or call.func is not method
        or method.attr.value not in _ONE_ROW_A_PERIOD
    ):
        return Unsure("what becomes of the periods cannot be told")
    assert rule is not None
    named = rule.with_changes(value=like_quotes(repr(offset_name(name)), rule.value))
    plain = without(with_arg(node, rule, named), [kind])
    new = call.with_deep_changes(method, value=plain)
    text = f"{cst.Module([]).code_for_node(new)}.to_period({_PERIODS.get(name, name)!r})"
    return Fix((Change(call, expression(text)),))
