"""`.dt.week` was removed in pandas 2.0: `isocalendar()` has it, by the name `week`.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes

`.dt.week` returned fractions if a date was missing; `isocalendar().week` returns NA there.

https://pandas.pydata.org/docs/reference/api/pandas.Series.dt.isocalendar.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    dotted_name,
    expression,
    like_quotes,
    literal,
    string,
)
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


_WEEK = re.compile(r"\.isocalendar\(\)\.week\.astype$")


@codemod("pandas-week-gaps", on=cst.Call, names=("astype",))
def as_fractions(context: Context, node: cst.Call) -> Answer:
    """`d.dt.isocalendar().week.astype('int64')` → `astype('float64')` if the run failed."""
    dtype = argument(node, "dtype", 0)
    if dtype is None or string(dtype.value) != "int64" or not context.evidence(node):
        return None
    if not _WEEK.search(context.code(node.func)):
        return None
    return one(dtype.value, like_quotes("'float64'", dtype.value))
