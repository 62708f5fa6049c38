"""Since scikit-learn 1.8 the solver liblinear refuses more than two classes.

https://scikit-learn.org/stable/whats_new/v1.8.html

It fitted one model per class; `OneVsRestClassifier` does the same around it.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.libraries.sklearn.one_vs_rest import (
    is_one_of_several,
    is_told_apart_by_nothing,
    needs_its_own_names,
    wrapped,
)
from mle_modernizer_server.fixing.rules.libraries.sklearn.two_classes import (
    has_more_classes,
    has_two_classes,
)
from mle_modernizer_server.fixing.rules.rule import CallFix

_TWO_CLASSES = re.compile(r"==\s*['\"][^'\"\n]{1,50}['\"]\s*\)\s*\.astype\(\s*['\"]?int")


_OLD_SOLVER = CallFix(
    do="call",
    functions=("sklearn.linear_model.LogisticRegression",),
    unless=("multi_class", "l1_ratio"),
    add={"solver": "'liblinear'"},
)


@codemod("sklearn-pin-logistic-solver", on=cst.Call, names=("LogisticRegression",))
def old_solver(context: Context, node: cst.Call) -> Answer:
    """Write out the solver, which takes two classes only since 1.8.

    If there may be more than two, it goes into `OneVsRestClassifier`, which is the same for two
    classes, and for more equals the solver's old behaviour. After a run, an error would reveal it.
    """
    penalty = argument(node, "penalty")
    if penalty is not None and (
        string(penalty.value) in ("none", "elasticnet") or literal(penalty.value) is None
    ):
        return None  # the old solver never accepted these
    answer = fix_call(context, node, _OLD_SOLVER)
    if not isinstance(answer, Fix) or is_one_of_several(context, node):
        return answer
    more = has_more_classes(context)
    if has_two_classes(context) or (context.run.observed.cells and not more):
        return answer
    if is_told_apart_by_nothing(context, node):
        with_solver = answer.changes[0].new
        assert isinstance(with_solver, cst.Call)
        return wrapped(context, node, with_solver)
    return Unsure("liblinear takes two classes only, and how many there are is not evident")


@codemod(
    "sklearn-liblinear-multiclass",
    on=cst.Call,
    functions=("sklearn.linear_model.LogisticRegression",),
)
def one_model_a_class(context: Context, node: cst.Call) -> Answer:
    """Wrap models with that solver if the run failed with more than two classes."""
    solver = argument(node, "solver")
    if solver is None or string(solver.value) != "liblinear":
        return None
    if is_one_of_several(context, node):
        return None
    if any(_TWO_CLASSES.search(cell.source) for cell in context.program.cells):
        return Unsure("a target of two classes is made, which the failed run may have got wrong")
    if why := needs_its_own_names(context, node):
        return Unsure(f"inside OneVsRestClassifier {why}")
    return wrapped(context, node, node)
