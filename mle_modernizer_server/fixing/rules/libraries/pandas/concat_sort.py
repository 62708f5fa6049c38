"""`concat` sorted the columns of tables that do not have the same ones before pandas 1.0.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#prior-deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    has_double_star,
    literal,
    receiver,
    same_literal,
    string,
    with_keyword,
)
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_KEEP_COLUMNS = frozenset({"head", "tail", "copy", "sample", "sort_values", "sort_index"})
_COMBINED = (cst.BinaryOperation, cst.UnaryOperation)
"""Operations that combine masks."""


@codemod("pandas-concat-sort", on=cst.Call, functions=("pandas.concat",))
def as_before(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.concat([a, b])` as `pd.concat([a, b], sort=not a.columns.equals(b.columns))`."""
    if has_double_star(node):
        return None
    axis, join = argument(node, "axis", 1), argument(node, "join", 2)
    if argument(node, "sort") or (axis and not same_literal(axis.value, 0)):
        return None
    if join and string(join.value) != "outer":
        return None
    given = argument(node, "objs", 0)
    tables = (
        given.value.elements if given and isinstance(given.value, (cst.List, cst.Tuple)) else ()
    )
    row = _unsorted_row(context, [table.value for table in tables])
    if row is not None:
        return one(row, expression(f"{context.code(row)}.sort_index(axis=1)"))
    types = [context.type_of(table.value) for table in tables]
    if FRAME not in types:
        return None
    if len(types) != 2 or types[0] != types[1]:
        return Unsure("whether the tables have the same columns is written in a line for two only")
    first, second = (table.value for table in tables)
    left, right = _with_columns_of(context, first), _with_columns_of(context, second)
    if left is None or right is None or left == right:
        return None  # an expression that makes a table would be evaluated twice
    differ = f"not {left}.columns.equals({right}.columns)"
    for table in (first, second):
        if _may_be_empty(context, table):  # an empty table was ignored
            differ = f"len({context.code(table)}.columns) > 0 and {differ}"
    return one(node, with_keyword(node, "sort", cst.parse_expression(differ)))


def _unsorted_row(context: Context, tables: list[cst.BaseExpression]) -> cst.BaseExpression | None:
    """Return the first row of a table without columns: `append` sorted its labels."""
    if len(tables) != 2 or not _may_be_empty(context, tables[0]):
        return None
    row = tables[1]
    if not isinstance(row, cst.Call):
        return None
    if context.code(row).endswith(".to_frame().T.infer_objects()"):
        return row
    rows = row.args[0].value if len(row.args) == 1 else None
    if not isinstance(rows, cst.List) or len(rows.elements) != 1:
        return None
    if not context.refers_to(row.func, "pandas.DataFrame"):
        return None
    written = context.written(rows.elements[0].value)
    if isinstance(written, cst.Dict):
        labels = [
            string(element.key) if isinstance(element, cst.DictElement) else None
            for element in written.elements
        ]
        known = [label for label in labels if label is not None]
        return None if known == sorted(known) and len(known) == len(labels) else row
    return row


def _may_be_empty(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether the table may be a `pd.DataFrame()`, as before a loop."""
    return isinstance(table, cst.Name) and any(
        isinstance(given, cst.Call)
        and context.refers_to(given.func, "pandas.DataFrame")
        and argument(given, "columns", 2) is None
        and ((data := argument(given, "data", 0)) is None or literal(data.value) in ([], {}))
        for given in context.all_written(table)
    )


def _with_columns_of(context: Context, table: cst.BaseExpression) -> str | None:
    """Return the name of a table with the same columns: itself, or the one it selects rows of."""
    if isinstance(table, cst.Name):
        return table.value
    if isinstance(table, cst.Call):
        source = receiver(table, *_KEEP_COLUMNS)
        return None if source is None else _with_columns_of(context, source)
    if not isinstance(table, cst.Subscript) or len(table.slice) != 1:
        return None
    chosen = table.value
    if isinstance(chosen, cst.Attribute):
        located = chosen.attr.value in ("loc", "iloc")
        return _with_columns_of(context, chosen.value) if located else None
    rows = key(table)
    if rows is not None and not isinstance(rows, (cst.Comparison, *_COMBINED)):
        return None
    return _with_columns_of(context, chosen)
