"""`mean_squared_error(…, squared=False)` was removed in scikit-learn 1.6.

https://scikit-learn.org/stable/whats_new/v1.4.html#sklearn-metrics
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    expression,
    same_literal,
    without,
)

_PLAIN = (cst.Arg, cst.Assign, cst.AssignTarget, cst.Expr, cst.Return, cst.Annotation, cst.Index)


@codemod(
    "sklearn-squared-false", on=cst.Call, names=("mean_squared_error", "mean_squared_log_error")
)
def root(context: Context, node: cst.Call) -> Answer:
    """`mean_squared_error(a, b, squared=False)` → `mean_squared_error(a, b) ** 0.5`."""
    if not any(name.startswith("sklearn.metrics.mean_") for name in context.qualnames(node.func)):
        return None
    squared = argument(node, "squared")
    if squared is None:
        return None
    call = without(node, [squared])
    if same_literal(squared.value, True):
        return one(node, call)
    if not same_literal(squared.value, False):
        return Unsure("`squared` is not written out")
    if argument(node, "multioutput") is not None:
        return Unsure("with several outputs the mean of the roots is meant")
    text = f"{cst.Module([]).code_for_node(call)} ** 0.5"
    if not isinstance(context.parent(node), _PLAIN):
        text = f"({text})"
    return one(node, expression(text))
