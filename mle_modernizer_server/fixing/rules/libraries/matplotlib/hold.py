"""`hold` was removed in matplotlib 3.0: existing artists always stay.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_statement


@codemod("matplotlib-hold", on=cst.Expr)
def statement(context: Context, node: cst.Expr) -> Answer:
    """Remove `plt.hold(True)`; `plt.hold()` switched it off if it was on."""
    call = node.value
    if not (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "hold"
    ):
        return None
    names = context.qualnames(call.func)
    if names and "matplotlib.pyplot.hold" not in names:
        return None
    if not call.args or not any(same_literal(call.args[0].value, on) for on in (True, "on", 1)):
        return Unsure("it asked that the next drawing take the place of the first")
    return without_statement(context, node)
