"""A column taken out of a table is a copy since pandas 3.0: the table does not change with it.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, same_literal
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.lines import around, bare, behind
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_ACCESSORS = ("loc", "iloc", "at", "iat")
_IN_PLACE = ("fillna", "replace", "clip", "where", "mask", "interpolate", "ffill", "bfill")


@codemod("pandas-column-view", on=cst.Assign)
def put_back(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `s = df['a']` … `s[m] = 0` as `df['a'] = s` in the next line."""
    return _put_back(context, node, node.targets[0].target)


@codemod("pandas-column-view", on=cst.AugAssign)
def put_back_updated(context: Context, node: cst.AugAssign) -> Answer:
    """Rewrite `s[m] += 1` as `df['a'] = s` in the next line."""
    return _put_back(context, node, node.target)


@codemod("pandas-column-view", on=cst.Call, names=_IN_PLACE)
def put_back_changed(context: Context, node: cst.Call) -> Answer:
    """`s = df['a']` … `s.replace('x', 1, inplace=True)` → `df['a'] = s` in the next line."""
    inplace = argument(node, "inplace")
    statement = context.parent(node)
    if inplace is None or not same_literal(inplace.value, True):
        return None
    if not isinstance(statement, cst.Expr) or not isinstance(node.func, cst.Attribute):
        return None
    return _put_back_series(context, statement, node.func.value)


def _put_back(context: Context, node: cst.CSTNode, target: cst.CSTNode) -> Answer:
    if not isinstance(target, cst.Subscript):
        return None
    series = target.value
    if isinstance(series, cst.Attribute) and series.attr.value in _ACCESSORS:
        series = series.value
    return _put_back_series(context, node, series)


def _put_back_series(context: Context, node: cst.CSTNode, series: cst.BaseExpression) -> Answer:
    if not isinstance(series, cst.Name):
        return None
    bound = _first(context, series)
    if bound is None:
        return None
    column = column_of(context, bound.value)
    if not isinstance(column, Column) or column.whole is not None:
        return None
    if not isinstance(column.frame, cst.Name) or not _literal_label(bound.value):
        return None
    frame = column.frame.value
    then = context.program.lookup(frame, bound.value).bindings
    if context.program.lookup(frame, node).bindings != then:
        return Unsure(f"`{frame}` has become another table in between")
    line: cst.CSTNode | None = context.parent(node)
    if not isinstance(line, cst.SimpleStatementLine) or line.body[-1] is not node:
        return Unsure("the line holds more than the assignment")
    text = f"{frame}[{column.name}] = {series.value}"
    rest = around(context, line)[1]
    if rest and bare(context, rest[0]) == f"{series.value} = {series.value}.infer_objects()":
        line, *rest = rest
    if rest and bare(context, rest[0]) == text:
        return None
    return behind(line, text)


def _first(context: Context, series: cst.Name) -> Assigned | None:
    """Return the assignment of the name before its type was inferred anew."""
    node: cst.CSTNode = series
    while True:
        found = context.program.lookup(series.value, node)
        bound = found.bindings[0].bound if len(found.bindings) == 1 and found.here else None
        if not isinstance(bound, Assigned) or bound.path or bound.value is node:
            return None
        if context.code(bound.value) != f"{series.value}.infer_objects()":
            return bound
        node = bound.value


def _literal_label(node: cst.BaseExpression) -> bool:
    """Return whether it is `df['a']` or `df.a`; the variable of `df[c]` may have changed since."""
    return isinstance(node, cst.Attribute) or isinstance(key(node), cst.SimpleString)
