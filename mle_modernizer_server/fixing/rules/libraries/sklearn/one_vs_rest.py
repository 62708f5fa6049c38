"""`LogisticRegression(multi_class='ovr')` was removed in scikit-learn 1.8.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-linear-model
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, expression, string, without

_NAMED_INSIDE = frozenset(
    {
        "GridSearchCV",
        "RandomizedSearchCV",
        "HalvingGridSearchCV",
        "HalvingRandomSearchCV",
        "BayesSearchCV",
        "Pipeline",
        "make_pipeline",
        "validation_curve",
        "RFE",
        "RFECV",
        "SelectFromModel",
    }
)
_OWN = frozenset({"set_params", "get_params", "C", "penalty", "solver", "sparsify", "densify"})


@codemod("sklearn-multi-class", on=cst.Call, names=("LogisticRegression",))
def one_model_a_class(context: Context, node: cst.Call) -> Answer:
    """`LogisticRegression(multi_class='ovr')` → `OneVsRestClassifier(LogisticRegression())`."""
    if "sklearn.linear_model.LogisticRegression" not in context.qualnames(node.func):
        return None
    multi_class = argument(node, "multi_class")
    if multi_class is None or string(multi_class.value) != "ovr":
        return None
    plain = without(node, [multi_class])
    solver = argument(node, "solver")
    if solver is not None and string(solver.value) == "liblinear":
        return one(node, plain)  # which never did anything else
    if why := needs_its_own_names(context, node):
        return Unsure(
            f"inside OneVsRestClassifier {why}; "
            "for two classes, leaving out multi_class is the same"
        )
    return wrapped(context, node, plain)


def needs_its_own_names(context: Context, node: cst.Call) -> str:
    """What the model is asked or told by names that it would not have in a wrapper."""
    made: cst.CSTNode = node
    uses = context.uses(node)
    while isinstance(method := context.parent(made), cst.Attribute) and method.attr.value == "fit":
        fitted = context.parent(method)
        if not isinstance(fitted, cst.Call):
            break
        made = fitted
        uses += context.uses(fitted)
    for use in uses:
        for above in context.program.cell_of(use).ancestors(use):
            if isinstance(above, cst.Call) and above.func is not use:
                name = next(iter(context.qualnames(above.func)), "").rpartition(".")[2]
                if name in _NAMED_INSIDE:
                    return f"the names of its parameters in {name} would be others"
        _, place = context.program.place(use)
        if isinstance(place.parent, cst.Attribute) and place.parent.value is use:
            asked = place.parent.attr.value
            if asked.endswith("_") or asked in _OWN:
                return f"it has no `{asked}`"
    return ""


def wrapped(context: Context, node: cst.Call, call: cst.Call) -> Answer:
    """The call inside `OneVsRestClassifier`."""
    outer, imports = context.imported(
        node, "sklearn.multiclass", "OneVsRestClassifier", "OneVsRestClassifier"
    )
    text = f"{outer}({cst.Module([]).code_for_node(call)})"
    return one(node, expression(text), imports)
