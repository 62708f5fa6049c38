"""Since pandas 2.0 `df.loc[:, 'a'] = …` writes into the column, which keeps its type.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#other-api-changes

It put another column in the place of the old one, as `df['a'] = …` does. Codes in the place of
texts stay objects otherwise, which classifiers and Keras refuse.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text, string
from mle_modernizer_server.code.types.type import ARRAY, FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_MAKES_ARRAYS = ("fit_transform", "transform", "astype", "map", "factorize")


@codemod("pandas-whole-columns", on=cst.Assign)
def replaced(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `df.iloc[:, 1] = codes` as `df.isetitem(1, codes)`."""
    if len(node.targets) != 1:
        return None
    target = node.targets[0].target
    if not isinstance(target, cst.Subscript) or len(target.slice) != 2:
        return None
    located, rows, index = target.value, target.slice[0].slice, target.slice[1].slice
    if not isinstance(located, cst.Attribute) or located.attr.value not in ("loc", "iloc"):
        return None
    everything = isinstance(rows, cst.Slice) and not (rows.lower or rows.upper or rows.step)
    if not everything or not isinstance(index, cst.Index):
        return None
    if context.type_of(located.value) != FRAME or not _has_a_type(context, node.value):
        return None
    table = receiver_text(located.value)
    if located.attr.value == "iloc":
        if not isinstance(index.value, (cst.Integer, cst.Name)):
            return None
        new = f"{table}.isetitem({context.code(index.value)}, {context.code(node.value)})"
        return one(node, cst.Expr(expression(new), semicolon=node.semicolon))
    label = string(index.value)
    if label is None:
        if not _is_made_of_itself(context, table, index, node.value):
            return None
    elif not _was_there(context, node, label):
        return None
    column = expression(f"{table}[{context.code(index.value)}]")
    assert isinstance(column, cst.Subscript)
    return one(node, node.with_changes(targets=[cst.AssignTarget(column)]))


def _is_made_of_itself(
    context: Context, table: str, index: cst.Index, value: cst.BaseExpression
) -> bool:
    """Return whether it is like `df.loc[:, c] = df[c].astype(…)`: one existing column."""
    key = context.code(index)
    return isinstance(index.value, cst.Name) and f"{table}[{key}]." in context.code(value)


def _was_there(context: Context, node: cst.Assign, label: str) -> bool:
    """Return whether a column is mentioned before, or in its new value: a new one has no type.

    `train.loc[:, 'a'] = …` does not show whether `test` has a column of that name.
    """
    at = context.program.cells.index(context.cell)
    above = context.cell.source.splitlines()[: max(context.cell.lines(node)[0] - 1, 0)]
    before = [cell.source for cell in context.program.cells[:at]]
    text = "\n".join((*before, *above, context.code(node.value)))
    name = re.escape(label)
    quoted = rf"""(?P<quote>['"]){name}(?P=quote)"""
    known = re.sub(rf"\.loc\[\s*:\s*,\s*{quoted}\s*\]\s*=(?!=)", "", text)
    return re.search(rf"{quoted}|\.{name}\b", known) is not None


def _has_a_type(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether it is a column or an array, not one number for all rows."""
    made = value.func if isinstance(value, cst.Call) else None
    if isinstance(made, cst.Attribute) and made.attr.value in _MAKES_ARRAYS:
        return True
    return context.type_of(value) in (SERIES, ARRAY)
