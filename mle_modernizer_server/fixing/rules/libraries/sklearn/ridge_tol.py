"""The default tolerance of `Ridge` went from 0.001 to 0.0001 in scikit-learn 1.2.

https://scikit-learn.org/stable/whats_new/v1.2.html#sklearn-linear-model

Only the iterative solvers use it. `auto` selects one for sparse features alone.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_NAMES = ("Ridge", "RidgeClassifier")
_FIX = CallFix(
    do="call",
    functions=tuple(f"sklearn.linear_model.{name}" for name in _NAMES),
    parameters=("alpha", "fit_intercept", "normalize", "copy_X", "max_iter", "tol"),
    add={"tol": "0.001"},
)
_DIRECT = ("auto", "svd", "cholesky")
_SPARSE = re.compile(r"Vectorizer|FeatureHasher|OneHotEncoder|sparse|cs[rc]_matrix")


@codemod("sklearn-pin-ridge-tol", on=cst.Call, names=_NAMES)
def old_tolerance(context: Context, node: cst.Call) -> Answer:
    """Rewrite `Ridge(solver='sag')` as `Ridge(solver='sag', tol=0.001)`."""
    solver = argument(node, "solver")
    chosen = "auto" if solver is None else string(solver.value)
    sparse = any(_SPARSE.search(cell.source) for cell in context.program.cells)
    if chosen in _DIRECT and not (chosen == "auto" and sparse):
        return None
    return fix_call(context, node, _FIX)
