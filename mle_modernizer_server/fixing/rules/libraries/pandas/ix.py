"""`.ix` was removed in pandas 1.0: `.loc` goes by label, `.iloc` by position.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes

`.ix` took labels where it could: on a whole-number index numbers were labels, elsewhere positions.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import literal
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    unknown_object,
)
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import (
    bound_value,
    counts,
    may_have_other_index,
)

_ON = ("pandas.DataFrame", "pandas.Series")


@codemod("pandas-ix", on=cst.Subscript)
def by_label_or_position(context: Context, node: cst.Subscript) -> Answer:
    """`df.ix[mask, 'a']` → `df.loc[mask, 'a']`; `df.ix[:, 0]` → `df.iloc[:, 0]`."""
    if not isinstance(node.value, cst.Attribute) or node.value.attr.value != "ix":
        return None
    match = method_matches(context, node.value, ("ix",), _ON, distinctive=True)
    if match is Match.NO:
        return None
    if match is Match.UNKNOWN:
        return Unsure(unknown_object(context, node.value))
    rows = node.slice[0].slice
    columns = node.slice[1].slice if len(node.slice) > 1 else None
    counted = counts(context, rows) and _counts_from_the_end(context, node.value.value)
    if _from_the_end(rows) or counted:
        if columns is None or _everything(columns) or counts(context, columns):
            return _with(node, "iloc")
        return Unsure("`.ix` takes rows by position and columns by label")
    if columns is not None and counts(context, columns):
        return _by_counted_columns(context, node, rows, columns)
    if counts(context, rows) and may_have_other_index(context, node.value.value):
        if columns is None and _up_to_the_end(rows):
            return _with(node, "iloc")
        return Unsure("whole numbers after `.ix` may be labels or positions")
    return _with(node, "loc")


def _by_counted_columns(
    context: Context, node: cst.Subscript, rows: cst.BaseSlice, columns: cst.BaseSlice
) -> Answer:
    """`df.ix[:, 0:2]` and `df.ix[rows, 1]`: whole numbers stand for columns."""
    assert isinstance(node.value, cst.Attribute)
    table = node.value.value
    if _everything(rows):
        return _with(node, "iloc")
    if not isinstance(columns, cst.Index):
        return Unsure("`.ix` takes rows by label and columns by position")
    if _has_row_levels(context, table):
        return Unsure("a label and a number after `.ix` may be the key of one row")
    if counts(context, rows) and may_have_other_index(context, table):
        return Unsure("whole numbers after `.ix` may be labels or positions")
    label = cst.parse_expression(f"{context.code(table)}.columns[{context.code(columns)}]")
    second = node.slice[1].with_changes(slice=columns.with_changes(value=label))
    return one(node, _renamed(node.with_changes(slice=[node.slice[0], second]), "loc"))


def _with(node: cst.Subscript, accessor: str) -> Answer:
    new = _renamed(node, accessor)
    if accessor == "iloc":
        new = new.with_changes(slice=[_listed(part) for part in new.slice])
    return one(node, new)


def _listed(part: cst.SubscriptElement) -> cst.SubscriptElement:
    """`(1, 2)` as `[1, 2]`: `.iloc` takes several positions in a list only."""
    index = part.slice
    if not isinstance(index, cst.Index) or not isinstance(index.value, cst.Tuple):
        return part
    elements = list(index.value.elements)
    elements[-1] = elements[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return part.with_changes(slice=index.with_changes(value=cst.List(elements)))


def _renamed(node: cst.Subscript, accessor: str) -> cst.Subscript:
    assert isinstance(node.value, cst.Attribute)
    return node.with_changes(value=node.value.with_changes(attr=cst.Name(accessor)))


def _from_the_end(index: cst.BaseSlice) -> bool:
    """Whether rows are counted from the end: nobody calls a row `-1`."""
    given = literal(index.value) if isinstance(index, cst.Index) else None
    return type(given) is int and given < 0


def _counts_from_the_end(context: Context, table: cst.BaseExpression) -> bool:
    """Whether `.ix[-1]` of the same table is used: whole numbers are no labels of its rows."""
    if not isinstance(table, cst.Name):
        return False
    meant = context.program.lookup(table.value, table).bindings
    return any(
        isinstance(node, cst.Subscript)
        and isinstance(node.value, cst.Attribute)
        and node.value.attr.value == "ix"
        and isinstance(other := node.value.value, cst.Name)
        and other.value == table.value
        and _from_the_end(node.slice[0].slice)
        and context.program.lookup(other.value, other).bindings == meant
        for cell in context.program.cells
        for node in cell.places
    )


def _up_to_the_end(index: cst.BaseSlice) -> bool:
    """`[:-1]`, `[0:-2]`: by label that was no row at all."""
    upper = literal(index.upper) if isinstance(index, cst.Slice) else None
    return type(upper) is int and upper < 0


def _everything(index: cst.BaseSlice) -> bool:
    return isinstance(index, cst.Slice) and not (index.lower or index.upper or index.step)


def _has_row_levels(context: Context, table: cst.BaseExpression) -> bool:
    """Whether a table is made with rows of several levels: `index=[['a', 'b'], [1, 2]]`."""
    bound = bound_value(context, table)
    if bound is None or not isinstance(bound.value, cst.Call):
        return False
    given = [arg.value for arg in bound.value.args if arg.keyword and arg.keyword.value == "index"]
    return any(
        isinstance(element.value, (cst.List, cst.Tuple))
        for index in given
        if isinstance(index, cst.List)
        for element in index.elements
    )
