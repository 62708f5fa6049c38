"""`cv_values_` of RidgeCV and RidgeClassifierCV is called `cv_results_`.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-linear-model

With a scorer it holds predictions, which were those of the centred target, without its mean.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import calls_of
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
)

_MODELS = ("sklearn.linear_model.RidgeCV", "sklearn.linear_model.RidgeClassifierCV")


@codemod("sklearn-ridge-cv-values", on=cst.Attribute, names=("cv_values_",))
def renamed(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `model.cv_values_` as `model.cv_results_` if the model has no scorer."""
    parent = context.parent(node)
    if isinstance(parent, (cst.AssignTarget, cst.Del)):
        return None
    match = method_matches(context, node, ("cv_values_",), _MODELS)
    if match is not Match.YES:
        return undecided(context, node, match)
    made = (_made(value) for value in context.all_written(node.value))
    own = [call for call in made if call is not None]
    if any(map(_may_score, own or calls_of(context, *_MODELS))):
        return Unsure("with a scorer, the values had the mean of the target taken off")
    return one(node, node.with_changes(attr=cst.Name("cv_results_")))


def _made(node: cst.BaseExpression) -> cst.Call | None:
    """Return the call of the class behind calls of `fit`, which returns its receiver."""
    while isinstance(node, cst.Call):
        if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "fit":
            return node
        node = node.func.value
    return None


def _may_score(call: cst.Call) -> bool:
    scoring = argument(call, "scoring", 3)
    return scoring is not None and not same_literal(scoring.value, None)
