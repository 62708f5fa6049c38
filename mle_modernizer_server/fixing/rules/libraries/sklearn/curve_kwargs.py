"""Since scikit-learn 1.9 `RocCurveDisplay` takes arguments of matplotlib's line in one dict.

https://scikit-learn.org/stable/whats_new/v1.7.html#sklearn-metrics
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import args_text, expression, with_keyword, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_CALLS = frozenset(
    {
        "sklearn.metrics.plot_roc_curve",
        "sklearn.metrics.RocCurveDisplay.from_estimator",
        "sklearn.metrics.RocCurveDisplay.from_predictions",
    }
)
_OF_LINES = frozenset(
    {"alpha", "c", "color", "label", "linestyle", "linewidth", "ls", "lw", "marker", "zorder"}
)
"""Arguments of matplotlib's lines that are no arguments of the display."""


@codemod(
    "sklearn-roc-curve-line",
    on=cst.Call,
    functions=_CALLS,
)
def in_one_dict(context: Context, node: cst.Call) -> Answer:
    """`plot_roc_curve(m, X, y, lw=2)` → `plot_roc_curve(m, X, y, curve_kwargs=dict(lw=2))`."""
    given = [arg for arg in node.args if arg.keyword and arg.keyword.value in _OF_LINES]
    if not given or any(arg.keyword and arg.keyword.value == "curve_kwargs" for arg in node.args):
        return None
    collected = expression(f"dict({args_text(given)})")
    return one(node, with_keyword(without(node, given), "curve_kwargs", collected))
