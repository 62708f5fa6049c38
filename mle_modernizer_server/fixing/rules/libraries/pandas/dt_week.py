"""`.dt.week` was removed in pandas 2.0: `isocalendar()` has it, by the name `week`.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import descendants, dotted_name, expression
from mle_modernizer_server.fixing.rules.types.type import Type

_TIMES = Type("pandas.dt")
_BY_NAME = ("groupby", "crosstab", "pivot_table", "concat", "DataFrame", "Series", "join")
"""Functions whose result has rows or columns that are called as what they are given."""


@codemod("pandas-dt-week", on=cst.Attribute, names=("week", "weekofyear"))
def named(context: Context, node: cst.Attribute) -> Answer:
    """`df.groupby(df.d.dt.week)` → `….isocalendar().week.astype('int64').rename(df.d.name)`."""
    if context.type_of(node.value) != _TIMES or not isinstance(node.value, cst.Attribute):
        return None
    times = node.value.value
    if any(isinstance(part, cst.Call) for part in descendants(times)):
        return None
    above = [one for one in context.cell.ancestors(node) if isinstance(one, cst.Call)][:1]
    if not above or dotted_name(above[0].func).rpartition(".")[2] not in _BY_NAME:
        return None
    weeks = f"{context.code(node.value)}.isocalendar().week.astype('int64')"
    return one(node, expression(f"{weeks}.rename({context.code(times)}.name)"))
