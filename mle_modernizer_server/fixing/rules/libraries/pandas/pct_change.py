"""`pct_change` filled gaps with the value before; since pandas 3.0 it leaves them.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    method_name,
    receiver_text,
    without,
)
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches, unknown_object

_FILL = {"pad": "ffill", "ffill": "ffill", "bfill": "bfill", "backfill": "bfill"}
_FILLS = ("ffill", "bfill", "fillna", "dropna", "interpolate")


@codemod("pandas-pct-change-fill", "pandas-pct-change-default", on=cst.Call, names=("pct_change",))
def filled_first(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.pct_change(2)` as `s.ffill().pct_change(2)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    # Groups have such a method, too, and tables of other libraries, which never filled gaps.
    grouped = any("groupby" in cell.source for cell in context.program.cells)
    match = method_matches(
        context,
        node.func,
        ("pct_change",),
        (FRAME.name, SERIES.name),
        distinctive=not grouped and not context.program.has_other_tables,
    )
    if match is Match.NO:
        return None
    method = argument(node, "fill_method", 1)
    limit = argument(node, "limit", 2)
    before = node.func.value
    if method is None and limit is None and _filled(before):
        return None
    if match is Match.UNKNOWN:
        return Unsure(unknown_object(context, node.func))
    how = "pad" if method is None else literal(method.value)
    if how is None and limit is None:
        return None
    if not isinstance(how, str) or how not in _FILL or any(arg.star for arg in node.args):
        return Unsure("the fill method is not written out")
    rest = without(node, [arg for arg in (method, limit) if arg is not None])
    if any(arg.keyword is None for arg in rest.args[1:]):
        return Unsure("its arguments cannot be told apart")
    # It filled along the axis of the comparison.
    axis = argument(node, "axis")
    given = {"axis": axis, "limit": limit}
    bound = ", ".join(f"{name}={context.code(arg.value)}" for name, arg in given.items() if arg)
    receiver = expression(f"{receiver_text(before)}.{_FILL[how]}({bound})")
    return one(node, rest.with_changes(func=node.func.with_changes(value=receiver)))


def _filled(node: cst.BaseExpression) -> bool:
    return method_name(node) in _FILLS
