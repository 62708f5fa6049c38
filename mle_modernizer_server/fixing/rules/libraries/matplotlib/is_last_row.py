"""Axes lost `is_last_row` and similar methods in matplotlib 3.6.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.6.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import expression, method_name, receiver_text
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAMES = ("is_first_row", "is_last_row", "is_first_col", "is_last_col")


@codemod("matplotlib-is-last-row", on=cst.Attribute, names=_NAMES)
def specification(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `ax.is_last_row()` as `ax.get_subplotspec().is_last_row()`."""
    owner = node.value
    made = [owner]
    if isinstance(owner, cst.Name):
        bound = context.bounds(owner)
        made = [one.value for one in bound if isinstance(one, Assigned) and not one.path]
    if any(_is_specification(one) for one in made):
        return None
    text = f"{receiver_text(owner)}.get_subplotspec()"
    return one(node, node.with_changes(value=expression(text)))


def _is_specification(value: cst.BaseExpression) -> bool:
    """Return whether it is `axes.get_subplotspec()`."""
    return method_name(value) == "get_subplotspec"
