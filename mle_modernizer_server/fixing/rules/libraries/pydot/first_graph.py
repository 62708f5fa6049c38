"""`graph_from_dot_data` returns a list of graphs since pydot 1.2.

https://github.com/pydot/pydot/blob/main/ChangeLog
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_MADE = {"pydot.graph_from_dot_data", "pydot.graph_from_dot_file"}


@codemod(
    "pydot-list-of-graphs",
    on=cst.Call,
    functions=_MADE,
)
def first_graph(context: Context, node: cst.Call) -> Answer:
    """`g = pydot.graph_from_dot_data(x)` → `…[0]` if it is written or drawn as one graph."""
    if not any(_is_graph(context, use) for use in context.whole_uses(node)):
        return None
    return one(node, expression(f"{context.code(node)}[0]"))


def _is_graph(context: Context, use: cst.BaseExpression) -> bool:
    """Return whether it is used as one graph: `g.write_pdf('a.pdf')`."""
    parent = context.parent(use)
    return (
        isinstance(parent, cst.Attribute)
        and parent.value is use
        and parent.attr.value.startswith(("write", "create", "set_", "get_"))
    )
