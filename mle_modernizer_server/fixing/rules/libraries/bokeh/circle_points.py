"""`figure.circle` draws circles of a radius since bokeh 3.4, and no points.

https://docs.bokeh.org/en/latest/docs/releases.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, has_double_star
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_FIGURE = "bokeh.plotting.figure"


@codemod("bokeh-circle-points", on=cst.Call, names=("circle",))
def by_scatter(context: Context, node: cst.Call) -> Answer:
    """`p.circle(x, y)` → `p.scatter(x, y)`; bokeh does so automatically if a size is passed."""
    if not isinstance(node.func, cst.Attribute) or has_double_star(node):
        return None
    if context.type_name(node.func.value) != _FIGURE:
        return None
    if argument(node, "radius") is not None or argument(node, "size") is not None:
        return None
    return one(node.func.attr, cst.Name("scatter"))
