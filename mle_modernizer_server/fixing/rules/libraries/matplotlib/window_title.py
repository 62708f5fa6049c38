"""`canvas.set_window_title` went to the canvas's manager in matplotlib 3.6.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.6.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("matplotlib-window-title", on=cst.Attribute, names=("set_window_title",))
def manager(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `fig.canvas.set_window_title(t)` as `fig.canvas.manager.set_window_title(t)`."""
    owner = node.value
    if not isinstance(owner, cst.Attribute) or owner.attr.value != "canvas":
        return None
    return one(node, node.with_changes(value=cst.Attribute(owner, cst.Name("manager"))))
