"""Since pandas 2.0 `df.loc[:, 'a'] = …` writes into the column, which keeps its type.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#other-api-changes

It put another column in the place of the old one, as `df['a'] = …` does. Codes in the place of
texts stay objects otherwise, which classifiers and Keras refuse.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import expression, method_name, receiver_text, string
from mle_modernizer_server.code.types.type import ARRAY, FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import (
    index,
    is_everything,
    only_target,
    owner,
)

_MAKES_ARRAYS = ("fit_transform", "transform", "astype", "map", "factorize")


@codemod("pandas-whole-columns", on=cst.Assign)
def replaced(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `df.iloc[:, 1] = codes` as `df.isetitem(1, codes)`."""
    target = only_target(node)
    if not isinstance(target, cst.Subscript) or len(target.slice) != 2:
        return None
    frame, name = owner(target.value, "loc", "iloc"), index(target.slice[1].slice)
    if frame is None or name is None or not is_everything(target.slice[0].slice):
        return None
    if context.type_of(frame) != FRAME or not _has_a_type(context, node.value):
        return None
    table = receiver_text(frame)
    if owner(target.value, "iloc") is not None:
        if not isinstance(name, (cst.Integer, cst.Name)):
            return None
        new = f"{table}.isetitem({context.code(name)}, {context.code(node.value)})"
        return one(node, cst.Expr(expression(new), semicolon=node.semicolon))
    label = string(name)
    if label is None:
        # only `df.loc[:, c] = df[c].astype(…)`: one existing column
        of_itself = f"{table}[{context.code(name)}]." in context.code(node.value)
        if not isinstance(name, cst.Name) or not of_itself:
            return None
    elif not _was_there(context, node, label):
        return None
    column = expression(f"{table}[{context.code(name)}]")
    assert isinstance(column, cst.Subscript)
    return one(node, node.with_changes(targets=[cst.AssignTarget(column)]))


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
    if method_name(value) in _MAKES_ARRAYS:
        return True
    return context.type_of(value) in (SERIES, ARRAY)
