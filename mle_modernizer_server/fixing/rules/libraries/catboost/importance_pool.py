"""`get_feature_importance(X, y)` takes the data as a Pool since CatBoost 0.10.

https://github.com/catboost/catboost/releases/tag/v0.10.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches

_NAME = "get_feature_importance"
_MODELS = ("catboost.CatBoostClassifier", "catboost.CatBoostRegressor", "catboost.CatBoost")


@codemod("catboost-importance-pool", on=cst.Call, names=(_NAME,))
def pooled(context: Context, node: cst.Call) -> Answer:
    """`model.get_feature_importance(X, y)` → `model.get_feature_importance(catboost.Pool(X, y))`.

    If the first argument is a Pool already, the second one is the type of importance.
    """
    if not isinstance(node.func, cst.Attribute):
        return None
    match = method_matches(context, node.func, (_NAME,), _MODELS)
    data, target = argument(node, "X", 0), argument(node, "y", 1)
    if match is Match.NO or data is None or target is None:
        return None
    if "pool" in context.code(data.value).lower():
        return None  # the second argument is the type of importance
    made = context.type_of(data.value)
    if literal(target.value) is not NotImplemented or (made and made.name == "catboost.Pool"):
        return None
    if isinstance(target.value, cst.Attribute) and "EFstrType" in context.code(target.value):
        return None
    if match is Match.UNKNOWN:
        return Unsure("what it is asked of cannot be told from the code")
    if len(node.args) > 2 or any(arg.star for arg in node.args):
        return Unsure("its arguments are not the ones the replacement knows")
    catboost, imports = context.module(node, "catboost", "catboost")
    pool = expression(f"{catboost}.Pool({context.code(data.value)}, {context.code(target.value)})")
    return one(node, node.with_changes(args=[cst.Arg(pool)]), imports)
