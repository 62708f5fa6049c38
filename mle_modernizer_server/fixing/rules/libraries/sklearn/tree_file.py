"""`export_graphviz` wrote the file `tree.dot` by default until scikit-learn 0.19.

https://scikit-learn.org/stable/whats_new/v0.20.html#sklearn-tree

It returned None then. Code that uses its result was written for the text of later versions.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_FIX = CallFix(
    do="call",
    functions=("sklearn.tree.export_graphviz",),
    parameters=("decision_tree", "out_file"),
    add={"out_file": "'tree.dot'"},
)


@codemod("sklearn-pin-export-graphviz", on=cst.Call, names=("export_graphviz",))
def old_file(context: Context, node: cst.Call) -> Answer:
    """Rewrite `export_graphviz(m)` as `export_graphviz(m, out_file='tree.dot')`."""
    return fix_call(context, node, _FIX) if isinstance(context.parent(node), cst.Expr) else None
