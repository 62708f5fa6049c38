"""`gca` takes no arguments since matplotlib 3.6.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.6.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_MAKING = frozenset({"figure", "clf", "close", "subplots", "subplot2grid"}) | {
    *("add_subplot", "add_axes", "subplot", "axes", "gca")
}
"""Functions that make axes, or a figure without any."""


@codemod("matplotlib-gca-projection", on=cst.Call, names=("gca",))
def with_projection(context: Context, node: cst.Call) -> Answer:
    """Rewrite `fig.gca(projection='3d')` as `fig.add_subplot(projection='3d')`."""
    if argument(node, "projection") is None or not isinstance(node.func, cst.Attribute):
        return None
    if _was_made_before(context, node) or _is_current(context, node):
        return one(node, node.with_changes(args=[]))
    name = "subplot" if context.refers_to(node.func, "matplotlib.pyplot.gca") else "add_subplot"
    return one(node, node.with_changes(func=node.func.with_changes(attr=cst.Name(name))))


def _was_made_before(context: Context, node: cst.Call) -> bool:
    """Return whether an earlier call on the same figure made the axes that this one returned."""
    figure = node.func.value if isinstance(node.func, cst.Attribute) else None
    if not isinstance(figure, cst.Name) or context.refers_to(figure, "matplotlib.pyplot"):
        return False
    bindings = context.program.lookup(figure.value, figure).bindings
    for cell in context.program.cells:
        for call in cell.places:
            if call is node:
                return False
            if (
                isinstance(call, cst.Call)
                and isinstance(call.func, cst.Attribute)
                and call.func.attr.value == "gca"
                and isinstance(call.func.value, cst.Name)
                and call.func.value.value == figure.value
                and argument(call, "projection") is not None
                and context.program.lookup(figure.value, call.func.value).bindings == bindings
            ):
                return bool(bindings)
    return False


def _is_current(context: Context, node: cst.Call) -> bool:
    """Return whether the last axes of the cell have the projection, so that `gca` returned them.

    https://github.com/matplotlib/matplotlib/blob/v3.3.4/lib/matplotlib/figure.py, Figure.gca
    """
    asked = argument(node, "projection")
    figure = node.func.value if isinstance(node.func, cst.Attribute) else None
    if asked is None or not isinstance(figure, cst.Name) or len(node.args) > 1:
        return False
    last: cst.Call | None = None
    for call in context.cell.places:
        if call is node:
            break
        if isinstance(call, cst.Call) and dotted_name(call.func).rpartition(".")[2] in _MAKING:
            last = call
    if last is None or (given := argument(last, "projection")) is None:
        return False
    owners = {context.code(figure)}
    owner = last.func.value if isinstance(last.func, cst.Attribute) else None
    same = owner is not None and (
        context.code(owner) in owners or context.refers_to(owner, "matplotlib.pyplot")
    )
    same = same or context.refers_to(figure, "matplotlib.pyplot")
    return same and context.code(given.value) == context.code(asked.value)
