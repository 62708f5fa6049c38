"""`pd.value_counts`, passed as a function, was removed in pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_APPLY = ("apply", "agg", "aggregate", "transform", "map")


@codemod("pandas-value-counts-function", on=cst.Attribute, functions=("pandas.value_counts",))
def method_of_series(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `df.apply(pd.value_counts)` as `df.apply(pd.Series.value_counts)`: it gets Series."""
    argument = context.parent(node)
    call = context.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    if call.func.attr.value not in _APPLY:
        return None
    return one(node, expression(f"{context.code(node.value)}.Series.value_counts"))
