"""Scores are Python's floats since scikit-learn 1.6: they have no method `round`.

https://scikit-learn.org/stable/whats_new/v1.6.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_SCORES = frozenset(
    {"accuracy_score", "balanced_accuracy_score", "f1_score", "fbeta_score", "precision_score"}
    | {"recall_score", "jaccard_score", "roc_auc_score", "average_precision_score", "log_loss"}
    | {"r2_score", "mean_squared_error", "mean_absolute_error", "explained_variance_score"}
    | {"median_absolute_error", "mean_squared_log_error", "root_mean_squared_error"}
    | {"cohen_kappa_score", "matthews_corrcoef", "hamming_loss", "zero_one_loss"}
)


@codemod("sklearn-rounded-scores", on=cst.Call, names=("round",))
def by_round(context: Context, node: cst.Call) -> Answer:
    """Rewrite `r2_score(t, p).round(4)` as `round(r2_score(t, p), 4)`."""
    if not isinstance(node.func, cst.Attribute) or context.qualnames(node.func):
        return None
    if not _is_score(context, context.written(node.func.value)):
        return None
    decimals = argument(node, "decimals", 0)
    if len(node.args) != (decimals is not None):
        return None
    number = "0" if decimals is None else context.code(decimals.value)
    return one(node, expression(f"round({context.code(node.func.value)}, {number})"))


def _is_score(context: Context, made: cst.BaseExpression) -> bool:
    """Return whether it is one number: of all classes and of all targets."""
    if not isinstance(made, cst.Call):
        return False
    if argument(made, "average") is not None or argument(made, "multioutput") is not None:
        return False
    if isinstance(made.func, cst.Attribute) and made.func.attr.value == "score":
        return context.type_name(made.func.value).startswith("sklearn.")
    return any(context.refers_to(made.func, f"sklearn.metrics.{name}") for name in _SCORES)
