"""`log_loss(…, eps=1e-15)` was removed in scikit-learn 1.5, and the default clips later.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-metrics
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    dotted_name,
    expression,
    literal,
    method_name,
    string,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_value
from mle_modernizer_server.fixing.rules.libraries.sklearn.two_classes import has_two_classes

_SINGLE = re.compile(
    r"\b(xgboost|keras|tensorflow|torch|mlens|skorch|nolearn|lasagne|theano|mxnet|fastai)\b"
)
"""Libraries with probabilities in single precision, which are still clipped at 1.2e-7."""


@codemod(
    "sklearn-log-loss-eps",
    "sklearn-log-loss-clip",
    on=cst.Call,
    functions=(
        "sklearn.metrics.log_loss",
        "sklearn.metrics.classification.log_loss",
    ),
)
def clipped(context: Context, node: cst.Call) -> Answer:
    """Clip the probabilities as `eps` did; its default was 1e-15."""
    eps = argument(node, "eps", 2)
    if eps is None and not context.rule.silent:
        return None
    predicted = argument(node, "y_pred", 1) or argument(node, "y_proba")
    if predicted is None or _is_clipped(predicted.value):
        return None
    if any(map(_is_piled_up, (predicted.value, *context.all_written(predicted.value)))):
        return Unsure("rows that do not sum to one were divided by their sums, too")
    if _clips_much(context, eps) and not _has_one_share(context, predicted.value):
        return Unsure("of several classes, the clipped rows were divided by their sums, too")
    np, imports = context.module(node, "numpy", "np")
    low = "1e-15" if eps is None or string(eps.value) == "auto" else context.code(eps.value)
    rows = context.code(predicted.value)
    if any(_SINGLE.search(cell.source) for cell in context.program.cells):
        rows = f"{np}.asarray({rows}, dtype=float)"
    text = f"{np}.clip({rows}, {low}, 1 - {low})"
    value = expression(text)
    changed = with_value(node, predicted, value)
    return one(node, changed if eps is None else without(changed, [eps]), imports)


def _is_piled_up(value: cst.BaseExpression) -> bool:
    """Return whether it is a sum or a matrix product: its rows need not sum to one."""
    if isinstance(value, cst.BinaryOperation):
        if isinstance(value.operator, cst.Add):
            return not (_is_weighed(value.left) or _is_weighed(value.right))
        return isinstance(value.operator, cst.MatrixMultiply)
    if not isinstance(value, cst.Call):
        return False
    func = value.func
    called = func.attr.value if isinstance(func, cst.Attribute) else dotted_name(func)
    return called in ("dot", "matmul", "sum", "add", "nansum")


def _is_weighed(value: cst.BaseExpression) -> bool:
    """Return whether a term of a sum is a part of something, or a number."""
    if isinstance(value, cst.BinaryOperation):
        if isinstance(value.operator, (cst.Multiply, cst.Divide)):
            return True
        return _is_weighed(value.left) or _is_weighed(value.right)
    return isinstance(value, (cst.Float, cst.Integer))


def _clips_much(context: Context, eps: cst.Arg | None) -> bool:
    """Return whether clipping changes the sum of a row by more than rounding."""
    given = None if eps is None else literal(context.written(eps.value))
    return isinstance(given, float) and given > 1e-6


def _has_one_share(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether a row has one probability, or two: clipped at both ends, they sum to one."""
    made = context.written(value)
    if isinstance(made, cst.Subscript) and isinstance(made.slice[-1].slice, cst.Index):
        return literal(made.slice[-1].slice.value) in (0, 1) and len(made.slice) > 1
    return has_two_classes(context)


def _is_clipped(value: cst.BaseExpression) -> bool:
    return method_name(value) == "clip"
