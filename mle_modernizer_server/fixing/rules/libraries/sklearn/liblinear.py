"""Since scikit-learn 1.8 the solver liblinear refuses more than two classes.

https://scikit-learn.org/stable/whats_new/v1.8.html

It made one model a class; `OneVsRestClassifier` does the same around it.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, string
from mle_modernizer_server.fixing.rules.libraries.sklearn.one_vs_rest import (
    needs_its_own_names,
    wrapped,
)

_TWO_CLASSES = re.compile(r"==\s*['\"][^'\"\n]{1,50}['\"]\s*\)\s*\.astype\(\s*['\"]?int")


@codemod("sklearn-liblinear-multiclass", on=cst.Call, names=("LogisticRegression",))
def one_model_a_class(context: Context, node: cst.Call) -> Answer:
    """Wrap models with that solver; the run has shown that there are more than two classes."""
    if "sklearn.linear_model.LogisticRegression" not in context.qualnames(node.func):
        return None
    solver = argument(node, "solver")
    if solver is None or string(solver.value) != "liblinear":
        return None
    for above in context.cell.ancestors(node):
        if isinstance(above, cst.Call):
            names = context.qualnames(above.func)
            if "sklearn.multiclass.OneVsRestClassifier" in names:
                return None
            break
    if any(_TWO_CLASSES.search(cell.source) for cell in context.program.cells):
        return Unsure("a target of two classes is made, which the failed run may have got wrong")
    if why := needs_its_own_names(context, node):
        return Unsure(f"inside OneVsRestClassifier {why}")
    return wrapped(context, node, node)
