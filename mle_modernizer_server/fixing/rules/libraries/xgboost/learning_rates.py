"""`xgboost.train(…, learning_rates=…)` was removed in XGBoost 1.6.

https://xgboost.readthedocs.io/en/stable/python/python_api.html#xgboost.callback.LearningRateScheduler
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("xgboost-learning-rates", on=cst.Call, functions=("xgboost.train",))
def scheduler(context: Context, node: cst.Call) -> Answer:
    """Replace the argument by a callback."""
    rates = argument(node, "learning_rates")
    if rates is None:
        return None
    if argument(node, "callbacks") is not None:
        return Unsure("there are callbacks already")
    module, imports = context.module(node, "xgboost", "xgb")
    code = context.code(rates.value)
    value = expression(f"[{module}.callback.LearningRateScheduler({code})]")
    return one(
        node,
        node.with_deep_changes(rates, keyword=cst.Name("callbacks"), value=value),
        imports,
    )
