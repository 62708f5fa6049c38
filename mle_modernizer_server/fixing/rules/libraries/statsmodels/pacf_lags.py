"""`pacf` and `plot_pacf` refuse more lags than half of the values since statsmodels 0.13."""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_REFUSED = re.compile(r"The requested nlags (\d+) must be < (\d+)")


@codemod("statsmodels-pacf-lags", on=cst.Call, names=("pacf",), keyword="nlags", position=1)
@codemod("statsmodels-pacf-lags", on=cst.Call, names=("plot_pacf",), keyword="lags", position=2)
def most_lags(context: Context, node: cst.Call, keyword: str, position: int) -> Answer:
    """Ask for the most lags that the run's error allows."""
    lags = argument(node, keyword, position)
    known = any(name.startswith("statsmodels.") for name in context.qualnames(node.func))
    if lags is None or not known:
        return None
    for error in context.run.errors:
        refused = _REFUSED.search(error.evalue) if context.rule.matches(error) else None
        here = error.cell_id == context.cell.cell_id
        if here and refused is not None and literal(lags.value) == int(refused[1]):
            return one(lags.value, cst.Integer(refused[2]))
    return None
