"""`mean_squared_error(…, squared=False)` was removed in scikit-learn 1.6.

https://scikit-learn.org/stable/whats_new/v1.4.html#sklearn-metrics

With several outputs it was the mean of their roots since 0.24, as in `root_mean_squared_error`. The
root of `mean_squared_error` would be that of their mean.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, same_literal, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_ROOTS = {
    "sklearn.metrics.mean_squared_error": "root_mean_squared_error",
    "sklearn.metrics.mean_squared_log_error": "root_mean_squared_log_error",
}


@codemod(
    "sklearn-squared-false", on=cst.Call, names=("mean_squared_error", "mean_squared_log_error")
)
def root(context: Context, node: cst.Call) -> Answer:
    """Rewrite `mean_squared_error(a, b, squared=False)` as `root_mean_squared_error(a, b)`."""
    roots = [_ROOTS[name] for name in context.qualnames(node.func) if name in _ROOTS]
    squared = argument(node, "squared")
    if not roots or squared is None:
        return None
    call = without(node, [squared])
    if same_literal(squared.value, True):
        return one(node, call)
    if not same_literal(squared.value, False):
        return Unsure("`squared` is not written out")
    if isinstance(node.func, cst.Attribute):
        func: cst.BaseExpression = node.func.with_changes(attr=cst.Name(roots[0]))
        return one(node, call.with_changes(func=func))
    name, imports = context.imported(node, "sklearn.metrics", roots[0], roots[0])
    return one(node, call.with_changes(func=expression(name)), imports)
