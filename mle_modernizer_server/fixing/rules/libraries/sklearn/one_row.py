"""Since scikit-learn 0.19 a single row must be a table: `predict(X[0])` is refused.

https://scikit-learn.org/stable/whats_new/v0.17.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, method_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key


@codemod(
    "sklearn-predict-one-row",
    on=cst.Call,
    names=("predict", "predict_proba", "decision_function", "score"),
)
def as_table(context: Context, node: cst.Call) -> Answer:
    """Rewrite `predict(X[0])` as `predict([X[0]])`, in the line that failed."""
    given = argument(node, "X", 0)
    if given is None or not isinstance(node.func, cst.Attribute) or not _is_row(given.value):
        return None
    if not context.evidence(node):
        model = context.type_of(node.func.value)
        if model is not None and model.name.startswith("sklearn."):
            return Unsure("no run has shown that this is a row, and not a table")
        return None
    value = expression(f"[{context.code(given.value)}]")
    return one(node, node.with_deep_changes(given, value=value))


def _is_row(value: cst.BaseExpression) -> bool:
    """Return whether it is like `X[0]`, `X.iloc[0]`, `X.values[0]`, `x.ravel()`."""
    if isinstance(value, cst.Call):
        return method_name(value) in ("ravel", "flatten") and not value.args
    return type(literal(key(value))) is int
