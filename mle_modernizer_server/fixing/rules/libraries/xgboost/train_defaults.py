"""`xgboost.train` grows histogram trees and estimates the base score since XGBoost 2.0.

https://xgboost.readthedocs.io/en/stable/changes/v2.0.0.html

A linear booster grows none, and for the absolute error the base score was estimated from the
beginning, in XGBoost 1.7.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.items import add_items

_FUNCTIONS = {"xgboost.train", "xgboost.cv"}


@codemod("xgboost-pin-train-defaults", on=cst.Call, functions=_FUNCTIONS)
def in_parameters(context: Context, node: cst.Call) -> Answer:
    """Write the old values into the dict of parameters."""
    given = argument(node, "params", 0)
    if given is None:
        return None
    written = context.written(given.value)
    code = context.code(written)
    if "gblinear" in context.cell.source or "gblinear" in code:
        return Unsure("a linear booster has no trees")
    if "reg:absoluteerror" in code:
        return Unsure("for the absolute error, the base score was estimated, too")
    return add_items(context, given.value, {"tree_method": "'exact'", "base_score": "0.5"})
