"""The default metric of `binary:logistic` went from error to logloss in XGBoost 1.3.

https://github.com/dmlc/xgboost/releases/tag/v1.3.0

It matters if early stopping watches it. For several classes merror became mlogloss.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.items import add_items

_FUNCTIONS = {"xgboost.train", "xgboost.cv"}
_METRICS = {
    "binary:logistic": "'error'",
    "multi:softmax": "'merror'",
    "multi:softprob": "'merror'",
}


@codemod("xgboost-default-metric", on=cst.Call, functions=_FUNCTIONS)
def in_parameters(context: Context, node: cst.Call) -> Answer:
    """Write the old metric into the dict of parameters."""
    given = argument(node, "params", 0)
    if given is None or argument(node, "early_stopping_rounds") is None:
        return None
    if any(argument(node, name) for name in ("feval", "custom_metric", "metrics")):
        return None
    metric = _METRICS.get(_objective(context, given.value))
    return None if metric is None else add_items(context, given.value, {"eval_metric": metric})


def _objective(context: Context, value: cst.BaseExpression) -> str:
    value = context.written(value)
    if isinstance(value, cst.Call):
        given = argument(value, "objective")
        return (string(given.value) or "") if given is not None else ""
    if isinstance(value, cst.Dict):
        for element in value.elements:
            if isinstance(element, cst.DictElement) and string(element.key) == "objective":
                return string(element.value) or ""
    return ""
