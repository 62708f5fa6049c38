"""`LogisticRegression(multi_class='ovr')` was removed in scikit-learn 1.8.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-linear-model
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    dotted_name,
    expression,
    literal,
    string,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.libraries.sklearn.two_classes import has_two_classes

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
_STACKED = {"coef_": "vstack", "intercept_": "hstack"}
"""How an attribute of the model is put together from those of the models in the wrapper."""
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


@codemod("sklearn-multi-class", on=cst.Call, names=("LogisticRegression", "LogisticRegressionCV"))
def multinomial(context: Context, node: cst.Call) -> Answer:
    """Leave out `multi_class='multinomial'`; of two classes, each had a half of the weights.

    The squares of two halves are half of the whole's: the penalty counts as with twice the C.
    """
    multi_class = argument(node, "multi_class")
    if multi_class is None or string(multi_class.value) != "multinomial":
        return None
    if not any(name.startswith("sklearn.linear_model.") for name in context.qualnames(node.func)):
        return None
    plain = without(node, [multi_class])
    if not has_two_classes(context):
        context.assume("there are more than two classes (with two, C has to be doubled)")
        return one(node, plain)
    penalty = argument(node, "penalty")
    kind = "l2" if penalty is None else string(penalty.value)
    if kind in ("l1", "none") or (penalty is not None and literal(penalty.value) is None):
        return one(node, plain)
    strength = argument(node, "C")
    if kind != "l2" or dotted_name(node.func).endswith("CV"):
        return Unsure("for two classes, 'multinomial' was the same with C doubled")
    if strength is None:
        return one(node, with_keyword(plain, "C", cst.Float("2.0")))
    value = literal(strength.value)
    if isinstance(value, (int, float)):
        doubled: cst.BaseExpression = cst.parse_expression(repr(2 * value))
    else:
        doubled = cst.parse_expression(f"2 * ({context.code(strength.value)})")
    args = [arg.with_changes(value=doubled) if arg is strength else arg for arg in node.args]
    return one(node, without(node.with_changes(args=args), [multi_class]))


def needs_its_own_names(context: Context, node: cst.Call) -> str:
    """What the model is asked or told by names that it would not have in a wrapper."""
    for use in _uses(context, node):
        for above in context.program.cell_of(use).ancestors(use):
            if isinstance(above, cst.Call) and above.func is not use:
                name = next(iter(context.qualnames(above.func)), "").rpartition(".")[2]
                if name in _NAMED_INSIDE:
                    return f"the names of its parameters in {name} would be others"
        asked = _asked(context, use)
        if asked is None or (asked.attr.value in _STACKED and isinstance(use, cst.Name)):
            continue
        if asked.attr.value.endswith("_") or asked.attr.value in _OWN:
            return f"it has no `{asked.attr.value}`"
    return ""


def _uses(context: Context, node: cst.Call) -> list[cst.BaseExpression]:
    """The model, and where it stands for itself or for what its `fit` gives."""
    made: cst.CSTNode = node
    uses = context.uses(node)
    while isinstance(method := context.parent(made), cst.Attribute) and method.attr.value == "fit":
        fitted = context.parent(method)
        if not isinstance(fitted, cst.Call):
            break
        made = fitted
        uses += context.uses(fitted)
    return uses


def _asked(context: Context, use: cst.BaseExpression) -> cst.Attribute | None:
    """The attribute that a use of the model is asked for."""
    _, place = context.program.place(use)
    asked = place.parent
    return asked if isinstance(asked, cst.Attribute) and asked.value is use else None


def wrapped(context: Context, node: cst.Call, call: cst.Call) -> Answer:
    """The call inside `OneVsRestClassifier`."""
    outer, imports = context.imported(
        node, "sklearn.multiclass", "OneVsRestClassifier", "OneVsRestClassifier"
    )
    text = f"{outer}({cst.Module([]).code_for_node(call)})"
    changes = [Change(node, expression(text))]
    needed: list[NewImport] = list(imports)
    for use in _uses(context, node):
        asked = _asked(context, use)
        how = _STACKED.get(asked.attr.value) if asked is not None else None
        if asked is None or how is None or not isinstance(use, cst.Name):
            continue
        numpy, more = context.module(asked, "numpy", "np")
        each = f"[one.{asked.attr.value} for one in {use.value}.estimators_]"
        changes.append(Change(asked, expression(f"{numpy}.{how}({each})")))
        needed += more
    return Fix(tuple(changes), tuple(needed))
