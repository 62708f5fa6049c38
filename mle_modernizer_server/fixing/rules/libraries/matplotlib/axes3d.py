"""`Axes3D(figure)` no longer adds the axes to the figure since matplotlib 3.7.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.7.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    args_text,
    argument,
    expression,
    method_name,
    receiver_text,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAMES = frozenset({"mpl_toolkits.mplot3d.Axes3D", "mpl_toolkits.mplot3d.axes3d.Axes3D"})


@codemod("matplotlib-axes3d-figure", on=cst.Call, functions=_NAMES)
def subplot(context: Context, node: cst.Call) -> Answer:
    """Rewrite `Axes3D(fig)` as `fig.add_subplot(projection='3d')`."""
    if any(arg.star for arg in node.args) or argument(node, "auto_add_to_figure"):
        return None
    for above in context.cell.ancestors(node):
        if method_name(above) == "add_axes":
            return None
    figure, rect = argument(node, "fig", 0), argument(node, "rect", 1)
    if figure is None:
        return Unsure("its figure is not given")
    others = [arg for arg in node.args if arg not in (figure, rect)]
    rest = f", {args_text(others)}" if others else ""
    owner = receiver_text(figure.value)
    if rect is not None:
        text = f"{owner}.add_axes({context.code(rect.value)}, projection='3d'{rest})"
    else:
        text = f"{owner}.add_subplot(projection='3d'{rest})"
    return one(node, expression(text))
