"""The third argument of `DMatrix` was `missing` until XGBoost 0.90; then it became `weight`.

https://github.com/dmlc/xgboost/releases/tag/v1.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name, literal, positional
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_FIX = CallFix(
    do="call",
    functions=("xgboost.DMatrix",),
    parameters=("data", "label", "missing", "weight", "silent"),
    keyword_after=2,
)


@codemod("xgboost-dmatrix-positional", on=cst.Call, names=("DMatrix",))
def by_name(context: Context, node: cst.Call) -> Answer:
    """`DMatrix(X, y, -999)` → `DMatrix(X, y, missing=-999)`; anything else may be weights."""
    given = positional(node)
    if len(given) < 3 or not context.refers_to(node.func, "xgboost.DMatrix"):
        return None
    third = given[2].value
    number = type(literal(third)) in (int, float)
    name = dotted_name(third).rpartition(".")[2].lower()
    if not number and name not in ("nan", "missing"):
        return Unsure("its third argument may be the missing value or the weights")
    return fix_call(context, node, _FIX)
