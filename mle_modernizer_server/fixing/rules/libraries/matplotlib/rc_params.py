"""Settings that matplotlib removed.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.3.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import without_statement
from mle_modernizer_server.fixing.rules.engine.shapes import key, only_target
from mle_modernizer_server.fixing.rules.tables import table

_DEAD = table("matplotlib", "dead-settings", frozenset[str])


@codemod("matplotlib-rc-removed", on=cst.Assign)
def dead_setting(context: Context, node: cst.Assign) -> Answer:
    """Remove `plt.rcParams['datapath'] = p`."""
    return without_statement(context, node) if string(_key(context, node)) in _DEAD else None


@codemod("matplotlib-rc-color-cycle", on=cst.Assign)
def color_cycle(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `plt.rcParams['axes.color_cycle'] = c` as `plt.rcParams['axes.prop_cycle'] = …`."""
    key = _key(context, node)
    if string(key) != "axes.color_cycle" or not isinstance(key, cst.SimpleString):
        return None
    plt, imports = context.module(node, "matplotlib.pyplot", "plt")
    new = cst.SimpleString(f"{key.quote}axes.prop_cycle{key.quote}")
    value = expression(f"{plt}.cycler(color={context.code(node.value)})")
    return Fix((Change(key, new), Change(node.value, value)), imports)


def _key(context: Context, node: cst.Assign) -> cst.BaseExpression | None:
    """Return the key in `rcParams[…]` if it is the only assignment target."""
    target = only_target(node)
    if not isinstance(target, cst.Subscript):
        return None
    names = {name.rpartition(".")[2] for name in context.qualnames(target.value)}
    return key(target) if "rcParams" in names else None
