"""A colour bar of an artist without axes needs an `ax` argument since matplotlib 3.8.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.8.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("matplotlib-colorbar-axes", on=cst.Call, names=("colorbar",))
def axes(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plt.colorbar(m)` as `plt.colorbar(m, ax=plt.gca())` if the run failed at it."""
    if argument(node, "ax") or argument(node, "cax") or not context.evidence(node):
        return None
    plt, imports = context.module(node, "matplotlib.pyplot", "plt")
    return one(node, with_keyword(node, "ax", expression(f"{plt}.gca()")), imports)
