"""`groupby` lost `axis` in pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    receiver_text,
    string,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_STATISTICS = {
    *("sum", "mean", "median", "min", "max", "prod", "std", "var", "sem", "quantile"),
    *("count", "size", "first", "last", "any", "all", "idxmax", "idxmin"),
}


@codemod("pandas-groupby-axis", on=cst.Call, names=("groupby",))
def transposed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.groupby(g, axis=1).sum()` as `df.T.groupby(g).sum().T`."""
    axis = argument(node, "axis")
    if axis is None or not isinstance(node.func, cst.Attribute) or context.qualnames(node.func):
        return None
    given = literal(axis.value)
    rest = without(node, [axis])
    if given in (0, "index", "rows"):
        return one(node, rest)
    method = context.parent(node)
    call = context.parent(method)
    if given not in (1, "columns") or not isinstance(method, cst.Attribute):
        return Unsure("what becomes of the groups of columns is not in the same line")
    if not isinstance(call, cst.Call) or call.func is not method:
        return Unsure("what becomes of the groups of columns is not in the same line")
    if not _is_statistic(context, method.attr.value, call):
        return Unsure("what is done with the groups may be another thing on its side")
    imports: tuple[NewImport, ...] = ()
    keys = argument(rest, "by", 0)
    if keys is not None and isinstance(keys.value, cst.List):
        # A list could be mistaken for labels of the transposed table.
        np, imports = context.module(node, "numpy", "np")
        values = expression(f"{np}.array({context.code(keys.value)})")
        rest = rest.with_deep_changes(keys, value=values)
    turned = expression(f"{receiver_text(node.func.value)}.T")
    groups = rest.with_changes(func=node.func.with_changes(value=turned))
    inner = call.with_changes(func=method.with_changes(value=groups), lpar=[], rpar=[])
    back = cst.Attribute(inner, cst.Name("T"), lpar=call.lpar, rpar=call.rpar)
    return one(call, back, imports)


def _is_statistic(context: Context, method: str, call: cst.Call) -> bool:
    """Return whether each row gets one number per group, or each of its values another.

    The notebook's own functions got the groups untransposed: `lambda g: g.mean(axis=1)`.
    """
    if method in ("agg", "aggregate"):
        given = [arg.value for arg in call.args]
        named = [one for one in given if string(one) is not None or _is_numpys(context, one)]
        return len(given) == len(named) == 1
    return method in _STATISTICS or method == "transform"


def _is_numpys(context: Context, function: cst.BaseExpression) -> bool:
    return context.comes_from(function, "numpy")
