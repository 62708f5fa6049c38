"""Axes lost `is_last_row` and its like in matplotlib 3.6.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.6.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression, receiver_text

_NAMES = ("is_first_row", "is_last_row", "is_first_col", "is_last_col")


@codemod("matplotlib-is-last-row", on=cst.Attribute, names=_NAMES)
def specification(context: Context, node: cst.Attribute) -> Answer:
    """`ax.is_last_row()` → `ax.get_subplotspec().is_last_row()`."""
    owner = node.value
    if (
        isinstance(owner, cst.Call)
        and isinstance(owner.func, cst.Attribute)
        and owner.func.attr.value == "get_subplotspec"
    ):
        return None
    text = f"{receiver_text(owner)}.get_subplotspec()"
    return one(node, node.with_changes(value=expression(text)))
