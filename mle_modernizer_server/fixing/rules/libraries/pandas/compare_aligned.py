"""Since pandas 2.0 comparing a table with a Series needs the same labels; they were aligned before.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, descendants, expression, literal
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OPERATORS = (
    cst.LessThan,
    cst.LessThanEqual,
    cst.GreaterThan,
    cst.GreaterThanEqual,
    cst.Equal,
    cst.NotEqual,
)


@codemod("pandas-compare-aligned", on=cst.Comparison)
def on_common_columns(context: Context, node: cst.Comparison) -> Answer:
    """Rewrite `df < q1` as `df[q1.index] < q1`; a column missing in the Series counted as false."""
    if len(node.comparisons) != 1 or not context.evidence(node):
        return None
    if not isinstance(node.comparisons[0].operator, _OPERATORS):
        return None
    table, limits = node.left, node.comparisons[0].comparator
    if not isinstance(table, (cst.Name, cst.Attribute)) or context.type_of(table) not in (
        FRAME,
        None,
    ):
        return None
    series = next(
        (
            part
            for part in descendants(limits)
            if isinstance(part, cst.Name) and context.type_of(part) == SERIES
        ),
        None,
    )
    if series is None:
        return Unsure("with what the table is compared cannot be told")
    common = expression(f"{context.code(table)}[{series.value}.index]")
    compared = node.with_changes(left=common)
    if _any_across(context, node):
        return one(node, compared)
    code = context.code(compared.with_changes(lpar=[], rpar=[]))
    false = isinstance(node.comparisons[0].operator, cst.NotEqual)
    text = f"({code}).reindex(columns={context.code(table)}.columns, fill_value={false})"
    return one(node, expression(text))


def _any_across(context: Context, node: cst.CSTNode) -> bool:
    """Return whether it only serves to find rows in which any column is true."""
    for above in context.cell.ancestors(node):
        if isinstance(above, cst.Call) and isinstance(above.func, cst.Attribute):
            axis = argument(above, "axis", 0)
            across = axis is not None and literal(axis.value) in (1, "columns")
            return above.func.attr.value == "any" and across
    return False
