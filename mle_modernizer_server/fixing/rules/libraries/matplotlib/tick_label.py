"""Ticks lost their attribute `label` in matplotlib 3.8: it is `label1`.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.8.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import descendants

_METHODS = frozenset(
    {"set_fontsize", "set_size", "set_rotation", "set_color", "set_visible", "set_weight"}
    | {"set_horizontalalignment", "set_fontweight", "set_ha", "set_fontname", "get_text"}
)


@codemod("matplotlib-tick-label", on=cst.Attribute, names=("label",))
def first(context: Context, node: cst.Attribute) -> Answer:
    """`tick.label.set_fontsize(8)` → `tick.label1.set_fontsize(8)`."""
    parent = context.parent(node)
    if not (isinstance(parent, cst.Attribute) and parent.attr.value in _METHODS):
        return None
    names = [part.value for part in descendants(node.value) if isinstance(part, cst.Name)]
    if not any("tick" in name.lower() for name in names) and not context.evidence(node):
        return None
    return one(node, node.with_changes(attr=cst.Name("label1")))
