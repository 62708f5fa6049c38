"""Components as graphs: a list with the biggest first until NetworkX 1.8, then a generator.

https://networkx.org/documentation/networkx-1.9/reference/api_1.9.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined
from mle_modernizer_server.code.tree import descendants, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_WRITTEN = (
    "[{graph}.subgraph(nodes).copy() for nodes in "
    "sorted({nx}.connected_components({graph}), key=len, reverse=True)]"
)
_HELD = (
    "(whole.subgraph(nodes).copy() for whole in [{graph}] for nodes in {nx}.{components}(whole))"
)
_FUNCTIONS = {
    f"{kind}connected_component_subgraphs": f"{kind}connected_components"
    for kind in ("", "weakly_", "strongly_")
}


@codemod("networkx-component-subgraphs", on=cst.Call, names=("connected_component_subgraphs",))
def as_list(context: Context, node: cst.Call) -> Answer:
    """Make the components a list if they are subscripted or counted."""
    functions = context.qualnames(node.func)
    if "networkx.connected_component_subgraphs" not in functions or len(node.args) != 1:
        return None
    if not any(_is_of_list(context, use) for use in _all_uses(context, node)):
        return None
    name, imports = context.module(node, "networkx", "nx")
    graph = context.code(node.args[0].value)
    return one(node, expression(_WRITTEN.format(graph=graph, nx=name)), imports)


@codemod("networkx-component-subgraphs", on=cst.Call, names=tuple(_FUNCTIONS))
def of_first(context: Context, node: cst.Call) -> Answer:
    """`for G in nx.connected_component_subgraphs(G)`: take all components from the first graph."""
    found = next(
        (one for one in _FUNCTIONS if context.refers_to(node.func, f"networkx.{one}")), None
    )
    if found is None or len(node.args) != 1 or not _gets_another(context, node):
        return None
    name, imports = context.module(node, "networkx", "nx")
    graph = context.code(node.args[0].value)
    new = _HELD.format(graph=graph, nx=name, components=_FUNCTIONS[found])
    return one(node, expression(new), imports)


def _gets_another(context: Context, node: cst.Call) -> bool:
    """Return whether the graph's name may be reassigned before all components are made."""
    graph = node.args[0].value
    above = context.parent(node)
    if not isinstance(graph, cst.Name):
        return False
    if isinstance(above, cst.For):
        return any(
            isinstance(part, cst.Name) and part.value == graph.value
            for part in descendants(above.target)
        )
    targets = [
        part
        for cell in context.program.cells
        for place in cell.places
        if isinstance(place, (cst.AssignTarget, cst.For))
        for part in descendants(place.target)
        if isinstance(part, cst.Name) and part.value == graph.value
    ]
    return isinstance(above, cst.Assign) and len(targets) > 1


def _all_uses(context: Context, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return its uses, and the uses of the results of functions that return it."""
    uses = context.whole_uses(node)
    returned = [
        above.name.value
        for use in uses
        for cell in (context.program.cell_of(use),)
        if isinstance(cell.places[use].parent, cst.Return)
        for above in cell.ancestors(use)
        if isinstance(above, cst.FunctionDef)
    ]
    return [
        *uses,
        *(
            use
            for call in context.nodes(cst.Call)
            if isinstance(call.func, cst.Name) and call.func.value in returned
            for use in context.whole_uses(call)
        ),
    ]


def _is_of_list(context: Context, use: cst.BaseExpression) -> bool:
    """Return whether only a list can be used so: `x[0]`, `len(x)`."""
    parent = context.parent(use)
    if isinstance(parent, cst.Subscript):
        return parent.value is use
    if not isinstance(parent, cst.Arg):
        return False
    call = context.program.cell_of(use).places[parent].parent
    if not isinstance(call, cst.Call):
        return False
    return context.refers_to(call.func, "builtins.len") or _is_subscripted_in(context, call, parent)


def _is_subscripted_in(context: Context, call: cst.Call, arg: cst.Arg) -> bool:
    """Return whether a function of the notebook subscripts this argument with a number."""
    if not isinstance(call.func, cst.Name) or arg.keyword is not None:
        return False
    position = call.args.index(arg)
    functions = [
        one.node
        for one in context.bounds(call.func)
        if isinstance(one, Defined) and isinstance(one.node, cst.FunctionDef)
    ]
    names = {
        function.params.params[position].name.value
        for function in functions
        if position < len(function.params.params)
    }
    return any(
        isinstance(node, cst.Subscript)
        and isinstance(node.value, cst.Name)
        and node.value.value in names
        for function in functions
        for node in descendants(function.body)
    )
