"""`log_loss(…, eps=1e-15)` was removed in scikit-learn 1.5, and the default clips later.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-metrics
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    dotted_name,
    expression,
    string,
    without,
)

_SINGLE = re.compile(
    r"\b(xgboost|keras|tensorflow|torch|mlens|skorch|nolearn|lasagne|theano|mxnet|fastai)\b"
)
"""Libraries that give probabilities in single precision, which are still clipped at 1.2e-7."""


@codemod("sklearn-log-loss-eps", "sklearn-log-loss-clip", on=cst.Call, names=("log_loss",))
def clipped(context: Context, node: cst.Call) -> Answer:
    """Clip the probabilities as `eps` did; 1e-15 where it is not given."""
    if not any(
        name in ("sklearn.metrics.log_loss", "sklearn.metrics.classification.log_loss")
        for name in context.qualnames(node.func)
    ):
        return None
    eps = argument(node, "eps", 2)
    if eps is None and not context.rule.silent:
        return None
    predicted = argument(node, "y_pred", 1) or argument(node, "y_proba")
    if predicted is None or _is_clipped(predicted.value):
        return None
    if context.rule.silent and _is_product(context, predicted.value):
        return Unsure("rows that do not sum to one were divided by their sums, too")
    np, imports = context.module(node, "numpy", "np")
    low = "1e-15" if eps is None or string(eps.value) == "auto" else context.code(eps.value)
    rows = context.code(predicted.value)
    if any(_SINGLE.search(cell.source) for cell in context.program.cells):
        rows = f"{np}.asarray({rows}, dtype=float)"
    text = f"{np}.clip({rows}, {low}, 1 - {low})"
    value = expression(text)
    args = [arg.with_changes(value=value) if arg is predicted else arg for arg in node.args]
    changed = node.with_changes(args=args)
    return one(node, changed if eps is None else without(changed, [eps]), imports)


def _is_product(context: Context, value: cst.BaseExpression) -> bool:
    """Whether it is made by a matrix product, of which the rows need not sum to one."""
    if isinstance(value, cst.BinaryOperation):
        return isinstance(value.operator, cst.MatrixMultiply)
    if not isinstance(value, cst.Call):
        return False
    return dotted_name(value.func).rpartition(".")[2] in ("dot", "matmul")


def _is_clipped(value: cst.BaseExpression) -> bool:
    return (
        isinstance(value, cst.Call)
        and isinstance(value.func, cst.Attribute)
        and value.func.attr.value == "clip"
    )
