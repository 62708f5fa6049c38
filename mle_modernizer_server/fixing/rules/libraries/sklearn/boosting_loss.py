"""`loss_` of gradient boosting was removed in scikit-learn 1.3; for squares it is a metric.

https://scikit-learn.org/stable/whats_new/v1.1.html#sklearn-ensemble
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_REGRESSORS = (
    "sklearn.ensemble.GradientBoostingRegressor",
    "sklearn.ensemble.gradient_boosting.GradientBoostingRegressor",
)
_SQUARES = ("ls", "squared_error")


@codemod("sklearn-boosting-loss-attribute", on=cst.Call, names=("loss_",))
def squares(context: Context, node: cst.Call) -> Answer:
    """`model.loss_(y, predicted)` → `mean_squared_error(y, predicted)` if it fits squares."""
    model = node.func.value if isinstance(node.func, cst.Attribute) else None
    if model is None or len(node.args) != 2 or any(arg.keyword or arg.star for arg in node.args):
        return None
    if not isinstance(model, cst.Name):
        return Unsure("which model it is cannot be told")
    made = [
        getattr(binding, "value", None) if isinstance(binding, Assigned) else None
        for binding in context.bounds(model)
    ]
    if not made or not all(
        isinstance(one, cst.Call) and _fits_squares(context, one) for one in made
    ):
        return Unsure("it is certain only for GradientBoostingRegressor with squared errors")
    name, imports = context.imported(
        node, "sklearn.metrics", "mean_squared_error", "mean_squared_error"
    )
    return one(node, node.with_changes(func=cst.parse_expression(name)), imports)


def _fits_squares(context: Context, made: cst.Call) -> bool:
    """Return whether a call makes a regressor with the squared loss, by default or by argument."""
    if not context.refers_to(made.func, *_REGRESSORS):
        return False
    given = argument(made, "loss", 0)
    if given is not None:
        return string(given.value) in _SQUARES
    return all(_has_squares(context, arg.value) for arg in made.args if arg.star)


def _has_squares(context: Context, arguments: cst.BaseExpression) -> bool:
    """Return whether the dict of `**arguments` is literal and its loss is the squared one."""
    if isinstance(arguments, cst.Name):
        arguments = getattr(context.only_bound(arguments), "value", arguments)
    if not isinstance(arguments, cst.Dict):
        return False
    items = [item for item in arguments.elements if isinstance(item, cst.DictElement)]
    if len(items) != len(arguments.elements):
        return False
    losses = [item.value for item in items if string(item.key) == "loss"]
    return all(string(loss) in _SQUARES for loss in losses)
