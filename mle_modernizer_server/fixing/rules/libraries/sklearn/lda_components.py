"""LinearDiscriminantAnalysis refuses more components than classes since scikit-learn 0.23.

https://scikit-learn.org/stable/whats_new/v0.23.html#sklearn-discriminant-analysis

It used the largest possible number, which is the default.
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mle_modernizer_server.code.tree import argument, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("sklearn-lda-components", on=cst.Call, names=("LinearDiscriminantAnalysis",))
def most(context: Context, node: cst.Call) -> Answer:
    """Rewrite `LinearDiscriminantAnalysis(n_components=2)` as without, if fitting it failed."""
    given = argument(node, "n_components")
    if given is None or not context.comes_from(node.func, "sklearn"):
        return None
    fits = [call for call, _ in context.method_calls(node, "fit", "fit_transform")]
    cells = [replace(context, cell=context.program.cell_of(call)) for call in fits]
    failed = any(there.evidence(call) for there, call in zip(cells, fits, strict=True))
    if not failed and not context.evidence(node):
        return None
    return one(node, without(node, [given]))
