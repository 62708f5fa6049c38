"""`gca` takes no arguments since matplotlib 3.6.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.6.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument


@codemod("matplotlib-gca-projection", on=cst.Call, names=("gca",))
def with_projection(context: Context, node: cst.Call) -> Answer:
    """`fig.gca(projection='3d')` → `fig.add_subplot(projection='3d')`."""
    if argument(node, "projection") is None or not isinstance(node.func, cst.Attribute):
        return None
    name = "subplot" if "matplotlib.pyplot.gca" in context.qualnames(node.func) else "add_subplot"
    return one(node, node.with_changes(func=node.func.with_changes(attr=cst.Name(name))))
