"""`cv_values_` of RidgeCV and RidgeClassifierCV is called `cv_results_`.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-linear-model

With a scorer it holds predictions, which were those of the centred target, without its mean.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import Assigned
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, same_literal
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    function_matches,
    method_matches,
    unknown_object,
)

_MODELS = ("sklearn.linear_model.RidgeCV", "sklearn.linear_model.RidgeClassifierCV")


@codemod("sklearn-ridge-cv-values", on=cst.Attribute, names=("cv_values_",))
def renamed(context: Context, node: cst.Attribute) -> Answer:
    """`model.cv_values_` → `model.cv_results_`, where the model has no scorer."""
    parent = context.parent(node)
    if isinstance(parent, (cst.AssignTarget, cst.Del)):
        return None
    match = method_matches(context, node, ("cv_values_",), _MODELS)
    if match is Match.NO:
        return None
    if match is Match.UNKNOWN:
        return Unsure(unknown_object(context, node))
    own = [call for value in _written(context, node.value) if (call := _made(value)) is not None]
    if any(_may_score(call) for call in own or _models(context)):
        return Unsure("with a scorer, the values had the mean of the target taken off")
    return one(node, node.with_changes(attr=cst.Name("cv_results_")))


def _models(context: Context) -> Iterator[cst.Call]:
    for cell in context.program.cells:
        for call in cell.places:
            if isinstance(call, cst.Call) and function_matches(context, call.func, _MODELS):
                yield call


def _written(context: Context, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if not isinstance(node, cst.Name):
        return [node]
    bounds = (binding.bound for binding in context.program.lookup(node.value, node).bindings)
    return [bound.value for bound in bounds if isinstance(bound, Assigned)]


def _made(node: cst.BaseExpression) -> cst.Call | None:
    """The call of the class, where `fit` gives back what it was called on."""
    while isinstance(node, cst.Call):
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "fit":
            return node
        node = node.func.value
    return None


def _may_score(call: cst.Call) -> bool:
    scoring = argument(call, "scoring", 3)
    return scoring is not None and not same_literal(scoring.value, None)
