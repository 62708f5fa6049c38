"""A list of functions respects `as_index=False` since pandas 2.1; the groups were the index.

https://pandas.pydata.org/docs/whatsnew/v2.1.0.html#groupby-resample-rolling

With 0.25.3 the groups were in the index for lists, of a column and of several, and were columns for
a dict of lists, as now.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, method_name, same_literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-group-list-index", on=cst.Call, names=("agg", "aggregate"))
def in_the_index(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.groupby('a', as_index=False).agg(['sum'])` as `df.groupby('a').agg(['sum'])`."""
    functions = argument(node, "func", 0)
    if functions is None or not isinstance(node.func, cst.Attribute):
        return None
    if not isinstance(context.written(functions.value), (cst.List, cst.Tuple)):
        return None
    here = _without_columns(node.func.value)
    made = _without_columns(context.written(here))
    if not isinstance(made, cst.Call) or method_name(made) != "groupby":
        return None
    as_index = argument(made, "as_index")
    if as_index is None or not same_literal(as_index.value, False):
        return None
    if made is not here:
        return Unsure(f"`{context.code(here)}` may be used otherwise, too")
    return one(made, without(made, [as_index]))


def _without_columns(groups: cst.BaseExpression) -> cst.BaseExpression:
    """Return the `df.groupby('a')` of `df.groupby('a')[['b', 'c']]`."""
    return groups.value if isinstance(groups, cst.Subscript) else groups
