"""`sort()` was removed in pandas 0.20: a table's sorted by the index, a column's in place.

https://pandas.pydata.org/docs/whatsnew/v0.17.0.html#changes-to-sorting-api
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, keyword_arg, with_keyword
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_arg


@codemod("pandas-sort", on=cst.Call, names=("sort",))
def by_index(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.sort(inplace=True)` as `df.sort_index(inplace=True)`, and other old sorts."""
    if not isinstance(node.func, cst.Attribute):
        return None
    inferred = context.type_of(node.func.value)
    if inferred is None:
        return _by_columns(context, node)
    if inferred == SERIES:
        return _in_place(context, node)
    if inferred != FRAME:
        return None
    if argument(node, "columns", 0) is not None or any(arg.star for arg in node.args):
        return None
    return one(node.func.attr, cst.Name("sort_index"))


def _in_place(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.sort(ascending=False)` as `s.sort_values(ascending=False, inplace=True)`."""
    assert isinstance(node.func, cst.Attribute)
    plain = all(arg.keyword is not None and not arg.star for arg in node.args)
    if not plain or not isinstance(node.func.value, cst.Name):
        return None
    new = node
    if argument(node, "inplace") is None:
        if not isinstance(context.parent(node), cst.Expr):
            return None  # it returned None
        new = with_keyword(node, "inplace", cst.Name("True"))
    return one(node, new.with_changes(func=node.func.with_changes(attr=cst.Name("sort_values"))))


def _by_columns(context: Context, node: cst.Call) -> Answer:
    """Rewrite `x.sort('a', ascending=False)` of unknown `x`: only tables (or Spark's) have it."""
    columns = argument(node, "columns", 0)
    if columns is None or any(arg.star for arg in node.args):
        return None
    if columns.keyword is None and argument(node, "ascending") is None:
        return None
    spark = any("spark" in cell.source for cell in context.program.cells)
    if spark or sum(arg.keyword is None for arg in node.args) > 1:
        return None
    assert isinstance(node.func, cst.Attribute)
    by = keyword_arg("by", columns.value).with_changes(comma=columns.comma)
    func = node.func.with_changes(attr=cst.Name("sort_values"))
    return one(node, with_arg(node, columns, by).with_changes(func=func))
