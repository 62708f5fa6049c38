"""Models trained by stochastic gradient descent made 5 passes until scikit-learn 0.20.

https://scikit-learn.org/stable/whats_new/v0.19.html

`partial_fit` makes one pass over its arguments for any `max_iter`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_PARAMETERS = {
    "SGDClassifier": ("loss", "penalty", "alpha", "l1_ratio", "fit_intercept"),
    "SGDRegressor": ("loss", "penalty", "alpha", "l1_ratio", "fit_intercept"),
    "Perceptron": ("penalty", "alpha", "fit_intercept"),
    "PassiveAggressiveClassifier": ("C", "fit_intercept"),
    "PassiveAggressiveRegressor": ("C", "fit_intercept"),
}
_FIXES = tuple(
    CallFix(
        do="call",
        functions=(f"sklearn.linear_model.{name}",),
        parameters=parameters,
        unless=("n_iter", "max_iter", "tol", "early_stopping"),
        add={"max_iter": "5", "tol": "None"},
    )
    for name, parameters in _PARAMETERS.items()
)


@codemod("sklearn-pin-sgd-epochs", on=cst.Call, names=tuple(_PARAMETERS))
def old_epochs(context: Context, node: cst.Call) -> Answer:
    """Rewrite `SGDClassifier()` as `SGDClassifier(max_iter=5, tol=None)`."""
    answers = (fix_call(context, node, fix) for fix in _FIXES)
    answer = next((one for one in answers if one is not None), None)
    return None if answer is None or _is_given_parts_only(context, node) else answer


def _is_given_parts_only(context: Context, node: cst.Call) -> bool:
    """Return whether only `partial_fit` trains the model, which is not passed elsewhere."""
    asked = set()
    for use in context.uses(node):
        parent = context.parent(use)
        if isinstance(parent, cst.Attribute):
            asked.add(parent.attr.value)
        elif not isinstance(parent, (cst.Assign, cst.AssignTarget, cst.Expr)):
            return False
    return "partial_fit" in asked and "fit" not in asked
