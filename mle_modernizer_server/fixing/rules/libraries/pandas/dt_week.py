"""`.dt.week` was removed in pandas 2.0: `isocalendar()` has it, by the name `week`.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import descendants, dotted_name, expression, literal
from mle_modernizer_server.code.types.type import Type
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_TIMES = Type("pandas.dt")
_BY_NAME = ("groupby", "crosstab", "pivot_table", "concat", "DataFrame", "Series", "join")
"""Functions whose result has rows or columns named after their arguments."""


@codemod("pandas-dt-week", on=cst.Attribute, names=("week", "weekofyear"))
def named(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `df.groupby(df.d.dt.week)` as `….isocalendar().week.astype('int64').rename('d')`."""
    if context.type_of(node.value) != _TIMES or not isinstance(node.value, cst.Attribute):
        return None
    times = node.value.value
    if any(isinstance(part, cst.Call) for part in descendants(times)):
        return None
    if not _is_called_by_name(context, node):
        return None
    column = column_of(context, times)
    name = column.name if isinstance(column, Column) else f"{context.code(times)}.name"
    weeks = f"{context.code(node.value)}.isocalendar().week.astype('int64')"
    return one(node, expression(f"{weeks}.rename({name})"))


def _is_called_by_name(context: Context, node: cst.Attribute) -> bool:
    """Return whether the name is visible: in a group, or combined with another column."""
    above = context.parent(node)
    if isinstance(above, cst.BinaryOperation):
        other = above.right if above.left is node else above.left
        return type(literal(other)) not in (int, float)
    call = next(context.cell.calls_around(node), None)
    return call is not None and dotted_name(call.func).rpartition(".")[2] in _BY_NAME
