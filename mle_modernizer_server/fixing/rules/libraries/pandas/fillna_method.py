"""`fillna(method=…)` was removed in pandas 3.0; `ffill` and `bfill` are methods of their own.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    args_text,
    argument,
    literal,
    same_literal,
    string,
    without,
)
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NEW = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}


@codemod("pandas-fillna-method", on=cst.Call, names=("fillna",))
def own_method(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.fillna(method='pad', limit=2)` as `df.ffill(limit=2)`."""
    method = argument(node, "method")
    if method is None or not isinstance(node.func, cst.Attribute):
        return None
    new = _NEW.get(string(method.value) or "")
    if new is None:
        return Unsure("the fill method is not written out")
    value = argument(node, "value")
    if any(arg.keyword is None for arg in node.args) or (
        value is not None and literal(value.value) is not None
    ):
        return Unsure("a fill value and a method are given at once")
    call = without(node, [method] if value is None else [method, value])
    func = node.func.with_changes(attr=cst.Name(new))
    inplace = argument(node, "inplace")
    if inplace is not None and not same_literal(inplace.value, False):
        column = _column(context, node.func.value)
        if isinstance(column, Unsure):
            return column
        if column:
            return _assigned(context, node, without(call, [inplace]), new, column)
    return one(node, call.with_changes(func=func))


def _column(context: Context, filled: cst.BaseExpression) -> str | Unsure:
    """Return the code of the filled part of a table; empty for a whole table.

    A part is a copy since pandas 3.0.
    """
    if isinstance(filled, cst.Subscript):
        return context.code(filled)
    of_self = isinstance(filled, cst.Attribute) and context.code(filled.value) == "self"
    if isinstance(filled, cst.Attribute) and not of_self and context.type_of(filled) != FRAME:
        if context.type_of(filled.value) == FRAME:
            return f"{context.code(filled.value)}[{filled.attr.value!r}]"
        return Unsure("a part of a table cannot be filled in place since pandas 3.0")
    return ""


def _assigned(context: Context, node: cst.Call, call: cst.Call, new: str, column: str) -> Answer:
    """Rewrite `t['a'].fillna(method='pad', inplace=True)` as `t['a'] = t['a'].ffill()`."""
    line = context.parent(node)
    if not isinstance(line, cst.Expr):
        return Unsure("what is filled in place is no statement of its own")
    arguments = args_text(call.args)
    statement = cst.parse_statement(f"{column} = {column}.{new}({arguments})")
    assert isinstance(statement, cst.SimpleStatementLine)
    return one(line, statement.body[0])
