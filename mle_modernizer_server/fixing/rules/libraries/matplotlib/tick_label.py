"""Ticks lost their attribute `label` in matplotlib 3.8: it is `label1`.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.8.0.html
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_METHODS = frozenset(
    {"set_fontsize", "set_size", "set_rotation", "set_color", "set_visible", "set_weight"}
    | {"set_horizontalalignment", "set_fontweight", "set_ha", "set_fontname", "get_text"}
)


_DEEPEST = 3
"""Limit of the names between a tick and its origin."""
_TICKS = frozenset({"get_major_ticks", "get_minor_ticks", "majorTicks", "minorTicks"})


@codemod("matplotlib-tick-label", on=cst.Attribute, names=("label",))
def first(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `tick.label.set_fontsize(8)` as `tick.label1.set_fontsize(8)`."""
    parent = context.parent(node)
    if not (isinstance(parent, cst.Attribute) and parent.attr.value in _METHODS):
        return None
    if not _is_of_ticks(context, node.value) and not context.evidence(node):
        return None
    return one(node, node.with_changes(attr=cst.Name("label1")))


def _is_of_ticks(context: Context, node: cst.BaseExpression, depth: int = 0) -> bool:
    """Return whether it is an item of `ax.xaxis.get_major_ticks()`, in a loop or by index."""
    if any(isinstance(part, cst.Attribute) and part.attr.value in _TICKS for part in _parts(node)):
        return True
    bindings = [
        binding
        for part in _parts(node)
        if isinstance(part, cst.Name)
        for binding in context.bounds(part)
    ]
    return depth < _DEEPEST and any(
        isinstance(bound, Assigned) and _is_of_ticks(context, bound.value, depth + 1)
        for bound in bindings
    )


def _parts(node: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    """Yield the parts that an expression takes its value from, without indices and arguments."""
    yield node
    if isinstance(node, (cst.Attribute, cst.Subscript)):
        yield from _parts(node.value)
    elif isinstance(node, cst.BinaryOperation):
        yield from _parts(node.left)
        yield from _parts(node.right)
    elif isinstance(node, cst.Call):
        yield from _parts(node.func)
        if isinstance(node.func, cst.Name):
            for arg in node.args:
                yield from _parts(arg.value)
