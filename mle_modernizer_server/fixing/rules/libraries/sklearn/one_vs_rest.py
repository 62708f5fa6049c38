"""`LogisticRegression(multi_class='ovr')` was removed in scikit-learn 1.8.

https://scikit-learn.org/stable/whats_new/v1.5.html#sklearn-linear-model
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    dotted_name,
    expression,
    literal,
    string,
    with_keyword,
    without,
)
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
from mle_modernizer_server.fixing.rules.engine.shapes import with_value
from mle_modernizer_server.fixing.rules.libraries.sklearn.two_classes import has_two_classes
from mle_modernizer_server.fixing.rules.tables import table

_NAMED_INSIDE = table("sklearn", "name-parameters", frozenset[str])
_STACKED = {"coef_": "vstack", "intercept_": "hstack"}
"""NumPy function that combines an attribute of the wrapper's models, by the attribute's name."""
_SHARED = frozenset({"fit", "predict", "predict_proba", "decision_function", "score"})
"""Methods that the wrapper also has."""
_TAKE_ANY = frozenset({"cross_val_score", "cross_val_predict", "cross_validate", "learning_curve"})
"""Functions that use nothing else of a model."""
_OWN = frozenset(
    {
        *("set_params", "get_params", "C", "penalty", "solver", "sparsify", "densify"),
        *("transform", "fit_transform"),
    }
)


@codemod("sklearn-multi-class", on=cst.Call, functions=("sklearn.linear_model.LogisticRegression",))
def one_model_a_class(context: Context, node: cst.Call) -> Answer:
    """`LogisticRegression(multi_class='ovr')` → `OneVsRestClassifier(LogisticRegression())`."""
    multi_class = argument(node, "multi_class")
    if multi_class is None or string(multi_class.value) != "ovr":
        return None
    plain = without(node, [multi_class])
    solver = argument(node, "solver")
    if solver is not None and string(solver.value) == "liblinear":
        return one(node, plain)  # liblinear never did anything else
    if has_two_classes(context) or is_one_of_several(context, node):
        return one(node, plain)
    if why := needs_its_own_names(context, node):
        return Unsure(
            f"inside OneVsRestClassifier {why}; "
            "for two classes, leaving out multi_class is the same"
        )
    return wrapped(context, node, plain)


@codemod("sklearn-multi-class", on=cst.Call, names=("LogisticRegression", "LogisticRegressionCV"))
def multinomial(context: Context, node: cst.Call) -> Answer:
    """Remove `multi_class='multinomial'`; of two classes, each had a half of the weights.

    The squares of two halves are half of the whole's: the penalty counts as with twice the C.
    """
    multi_class = argument(node, "multi_class")
    if multi_class is None or string(multi_class.value) != "multinomial":
        return None
    if not context.comes_from(node.func, "sklearn.linear_model"):
        return None
    plain = without(node, [multi_class])
    if not (has_two_classes(context) or is_one_of_several(context, node)):
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
    return one(node, without(with_value(node, strength, doubled), [multi_class]))


def is_one_of_several(context: Context, node: cst.Call) -> bool:
    """Return whether it is in `OneVsRestClassifier(…)`, with a model for each class."""
    above = next(context.cell.calls_around(node), None)
    if above is None:
        return False
    return context.refers_to(above.func, "sklearn.multiclass.OneVsRestClassifier")


def needs_its_own_names(context: Context, node: cst.Call) -> str:
    """Return the reason why a wrapper would miss names of the model; empty if none."""
    if weights := argument(node, "class_weight"):
        liblinear = argument(node, "solver")
        if string(weights.value) != "balanced" or _is_liblinear(liblinear):
            return "class_weight would count for each class against all others"
    for use in _uses(context, node):
        for above in context.program.cell_of(use).ancestors(use):
            if isinstance(above, cst.Call) and above.func is not use:
                name = next(iter(context.qualnames(above.func)), "").rpartition(".")[2]
                if name in _NAMED_INSIDE:
                    return f"the names of its parameters in {name} would be others"
        asked = _asked(context, use)
        if asked is None or (asked.attr.value in _STACKED and _is_named(use)):
            continue
        if asked.attr.value.endswith("_") or asked.attr.value in _OWN:
            return f"it has no `{asked.attr.value}`"
    return ""


def _is_liblinear(solver: cst.Arg | None) -> bool:
    return solver is not None and string(solver.value) == "liblinear"


def is_told_apart_by_nothing(context: Context, node: cst.Call) -> bool:
    """Return whether all uses of the model also work with a wrapper around it."""
    if argument(node, "class_weight") is not None or needs_its_own_names(context, node):
        return False
    return all(_is_plain(context, use) for use in _uses(context, node))


def _is_plain(context: Context, use: cst.BaseExpression) -> bool:
    parent = context.parent(use)
    if isinstance(parent, (cst.AssignTarget, cst.Assign, cst.Expr)):
        return True
    if isinstance(parent, cst.Arg):
        taker = context.parent(parent)
        return isinstance(taker, cst.Call) and any(
            name.startswith("sklearn.") and name.rpartition(".")[2] in _TAKE_ANY
            for name in context.qualnames(taker.func)
        )
    if not isinstance(parent, cst.Attribute) or parent.value is not use:
        return False
    if parent.attr.value in _STACKED:
        return _is_named(use)
    call = context.parent(parent)
    if not isinstance(call, cst.Call) or parent.attr.value not in _SHARED:
        return False
    return parent.attr.value != "fit" or (
        len(call.args) == 2 and all(arg.keyword is None and not arg.star for arg in call.args)
    )


def _uses(context: Context, node: cst.Call) -> list[cst.BaseExpression]:
    """Return the uses of the model and of the results of its `fit`."""
    made: cst.CSTNode = node
    uses = context.uses(node)
    while isinstance(method := context.parent(made), cst.Attribute) and method.attr.value == "fit":
        fitted = context.parent(method)
        if not isinstance(fitted, cst.Call):
            break
        made = fitted
        uses += context.uses(fitted)
    for use in [use for use in uses if isinstance(use, cst.Name)]:
        asked = _asked(context, use)
        fitted = context.parent(asked)
        if isinstance(fitted, cst.Call) and _is_named(fitted):
            uses += context.uses(fitted)
    return uses


def _is_named(use: cst.BaseExpression) -> bool:
    """Return whether a use is a name, or `name.fit(…)`, which returns the model of that name."""
    if isinstance(use, cst.Call) and isinstance(use.func, cst.Attribute):
        return use.func.attr.value == "fit" and isinstance(use.func.value, cst.Name)
    return isinstance(use, cst.Name)


def _asked(context: Context, use: cst.BaseExpression) -> cst.Attribute | None:
    """Return the attribute that a use of the model accesses."""
    _, place = context.program.place(use)
    asked = place.parent
    return asked if isinstance(asked, cst.Attribute) and asked.value is use else None


def wrapped(context: Context, node: cst.Call, call: cst.Call) -> Answer:
    """Put the call inside `OneVsRestClassifier`."""
    outer, imports = context.imported(
        node, "sklearn.multiclass", "OneVsRestClassifier", "OneVsRestClassifier"
    )
    text = f"{outer}({cst.Module([]).code_for_node(call)})"
    changes = [Change(node, expression(text))]
    needed: list[NewImport] = list(imports)
    for use in _uses(context, node):
        asked = _asked(context, use)
        how = _STACKED.get(asked.attr.value) if asked is not None else None
        if asked is None or how is None or not _is_named(use):
            continue
        numpy, more = context.module(asked, "numpy", "np")
        model = context.code(use)
        each = f"[one.{asked.attr.value} for one in {model}.estimators_]"
        changes.append(Change(asked, expression(f"{numpy}.{how}({each})")))
        needed += more
    return Fix(tuple(changes), tuple(needed))
