"""`.ix` was removed in pandas 1.0: `.loc` goes by label, `.iloc` by position.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes

`.ix` took labels if it could: on an index of integers numbers were labels, otherwise positions. If
the code does not determine the index, the new code tests it at runtime.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import descendants, expression, literal, string
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import is_everything
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
)
from mle_modernizer_server.fixing.rules.libraries.pandas.chained_setitem import is_mask, may_add
from mle_modernizer_server.fixing.rules.libraries.pandas.index_labels import (
    Labels,
    column_labels,
    may_have_levels,
    may_have_no_names,
    row_labels,
    rows_asked_for,
)
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import (
    are_counts,
    bound_value,
    counts,
)

_ON = ("pandas.DataFrame", "pandas.Series")


@codemod("pandas-ix", on=cst.Subscript)
def by_label_or_position(context: Context, node: cst.Subscript) -> Answer:
    """`df.ix[mask, 'a']` → `df.loc[mask, 'a']`; `df.ix[:, 0]` → `df.iloc[:, 0]`."""
    if not isinstance(node.value, cst.Attribute) or node.value.attr.value != "ix":
        return None
    match = method_matches(context, node.value, ("ix",), _ON, distinctive=True)
    if match is not Match.YES:
        return undecided(context, node.value, match)
    if _is_lost(context, node):
        return Unsure("it was written into a part of the table, which is a copy since pandas 3.0")
    rows = node.slice[0].slice
    columns = node.slice[1].slice if len(node.slice) > 1 else None
    if not counts(context, rows) and not _from_the_end(rows):
        return _by_labels(context, node, rows, columns)
    labels = row_labels(context, node.value.value)
    if _from_the_end(rows) or _counts_from_the_end(context, node.value.value):
        labels = Labels.OTHERS
    if labels is Labels.NUMBERS:
        return _by_labels(context, node, rows, columns)
    if labels is Labels.OTHERS:
        return _by_positions(context, node, rows, columns)
    if columns is None and _up_to_the_end(rows):
        return _with(node, "iloc")
    return _as_the_index_is(context, node, rows, columns)


def _by_labels(
    context: Context, node: cst.Subscript, rows: cst.BaseSlice, columns: cst.BaseSlice | None
) -> Answer:
    """Use `.loc`; integers that stood for columns become their names."""
    assert isinstance(node.value, cst.Attribute)
    column = column_of(context, node.value.value)
    written = columns is None and _is_written(context, node)
    if written and isinstance(column, Column) and may_add(context, column.frame, rows):
        return Unsure("a row that is gone was added to a copy of the column")
    if columns is not None and counts(context, columns):
        return _by_counted_columns(context, node, rows, columns)
    if columns is None and _may_be_missing(context, node, rows):
        return _reindexed(context, node)
    return _with(node, "loc")


def _by_positions(
    context: Context, node: cst.Subscript, rows: cst.BaseSlice, columns: cst.BaseSlice | None
) -> Answer:
    """Use `.iloc`; the name of a column becomes its position."""
    assert isinstance(node.value, cst.Attribute)
    if columns is None or _everything(columns):
        return _with(node, "iloc")
    if counts(context, columns):
        if may_have_no_names(context, node.value.value) and not _from_the_end(columns):
            return Unsure("whole numbers after `.ix` may be labels or positions of columns")
        return _with(node, "iloc")
    name = columns.value if isinstance(columns, cst.Index) else None
    if name is None or not _is_plain(node.value.value):
        return Unsure("`.ix` takes rows by position and columns by label")
    table = context.code(node.value.value)
    if _are_names(context, name) and not _is_written(context, node):
        return one(node, expression(f"{table}[{context.code(name)}].iloc[{context.code(rows)}]"))
    if string(name) is None:
        return Unsure("`.ix` takes rows by position and columns by label")
    place = cst.parse_expression(f"{table}.columns.get_loc({context.code(name)})")
    second = node.slice[1].with_changes(slice=cst.Index(place))
    return _with(node.with_changes(slice=[node.slice[0], second]), "iloc", node)


def _as_the_index_is(
    context: Context, node: cst.Subscript, rows: cst.BaseSlice, columns: cst.BaseSlice | None
) -> Answer:
    """Decide at runtime as `.ix` did.

    `(df.loc if df.index.inferred_type == 'integer' else df.iloc)[3]`.
    """
    assert isinstance(node.value, cst.Attribute)
    doubt = Unsure("whole numbers after `.ix` may be labels or positions")
    asked = table = node.value.value
    if isinstance(table, cst.Call) and isinstance(table.func, cst.Attribute) and not table.args:
        asked = table.func.value if table.func.attr.value == "copy" else table
    if not _is_plain(asked) or (_is_written(context, node) and not _is_table(context, table)):
        return doubt
    code = context.code(table)
    if columns is not None and not _everything(columns):
        name = columns.value if isinstance(columns, cst.Index) else None
        if name is None or may_have_levels(context) or _is_written(context, node):
            return doubt
        if string(name) is None and not _are_names(context, name):
            return doubt
        code = f"{code}[{context.code(name)}]"
    numbers = _asked(context, f"{context.code(asked)}.index", rows)
    accessor = expression(f"({code}.loc if {numbers} else {code}.iloc)")
    return one(node, node.with_changes(value=accessor, slice=[_without_comma(node.slice[0])]))


def _asked(context: Context, index: str, rows: cst.BaseSlice) -> str:
    """Return code that tests whether integers are labels of an index.

    Several numbers were positions unless the index had integers. Of rows with levels, a slice went
    by the labels of the first one only if its bounds were there.
    """
    several = isinstance(rows, cst.Index) and are_counts(context, rows.value)
    if several:
        return f'{index}.inferred_type == "integer"'
    levels = may_have_levels(context)
    if isinstance(rows, cst.Index) or not levels:
        first = ".get_level_values(0)" if levels else ""
        return f'{index}{first}.inferred_type in ("integer", "floating")'
    assert isinstance(rows, cst.Slice)
    bounds = ", ".join(context.code(one) for one in (rows.lower, rows.upper) if one is not None)
    there = f"{index}.nlevels > 1 and all(label in {index} for label in [{bounds}])"
    return f'{index}.inferred_type in ("integer", "floating") or {there}'


def _are_names(context: Context, columns: cst.BaseExpression) -> bool:
    """Return whether several columns are selected by their names, in a list."""
    given = literal(context.written(columns))
    return isinstance(given, list) and all(isinstance(one, str) for one in given)


def _is_written(context: Context, node: cst.Subscript) -> bool:
    """Return whether something is assigned to these rows, or to a part of them."""
    part: cst.CSTNode | None = node
    while isinstance(part, (cst.Subscript, cst.Attribute)):
        part = context.parent(part)
    return isinstance(part, (cst.AssignTarget, cst.AugAssign, cst.Del))


def _is_lost(context: Context, node: cst.Subscript) -> bool:
    """Return whether an assignment goes to a copy: `df.ix[0]['a'] = 1`, `df.ix[1:].a = 2`.

    If a mask selected the rows it was lost before, too.
    """
    if not _is_written(context, node):
        return False
    rows = node.slice[0].slice
    if isinstance(context.parent(node), (cst.Subscript, cst.Attribute)):
        return not (isinstance(rows, cst.Index) and is_mask(context, rows.value))
    assert isinstance(node.value, cst.Attribute)
    table = node.value.value
    return not _is_table(context, table) and not isinstance(column_of(context, table), Column)


def _is_plain(node: cst.BaseExpression) -> bool:
    """Return whether a table can be evaluated more than once: `df`, `self.df`, `df['a']`."""
    return not any(isinstance(part, cst.Call) for part in descendants(node))


def _may_be_missing(context: Context, node: cst.Subscript, rows: cst.BaseSlice) -> bool:
    """Return whether missing rows are dropped at once: `df.ix[names].dropna()`."""
    above = context.parent(node)
    if not isinstance(above, cst.Attribute) or above.attr.value != "dropna":
        return False
    kind = context.type_of(rows.value) if isinstance(rows, cst.Index) else None
    return kind is not None and kind.name in ("builtins.list", "pandas.Index")


def _reindexed(context: Context, node: cst.Subscript) -> Answer:
    """`df.ix[names].dropna()` → `df.reindex(names).dropna()`: `.loc` refuses a missing name."""
    assert isinstance(node.value, cst.Attribute)
    table, rows = context.code(node.value.value), context.code(node.slice[0].slice)
    return one(node, expression(f"{table}.reindex({rows})"))


def _by_counted_columns(
    context: Context, node: cst.Subscript, rows: cst.BaseSlice, columns: cst.BaseSlice
) -> Answer:
    """Rewrite integers that select columns: `df.ix[:, 0:2]` and `df.ix[rows, 1]`."""
    assert isinstance(node.value, cst.Attribute)
    table = node.value.value
    named = column_labels(context, table)
    if named is Labels.NUMBERS and not _from_the_end(columns) and not _up_to_the_end(columns):
        return _with(node, "loc")
    if may_have_no_names(context, table) and not _from_the_end(columns):
        return _as_the_columns_are(context, node, rows, columns)
    if _everything(rows):
        return _with(node, "iloc")
    if _may_be_one_key(context, table, rows):
        return Unsure("a label and a number after `.ix` may be the key of one row")
    if not _is_plain(table):
        return Unsure("`.ix` takes rows by label and columns by position")
    label = cst.parse_expression(f"{context.code(table)}.columns[{context.code(columns)}]")
    second = node.slice[1].with_changes(slice=cst.Index(label))
    return _with(node.with_changes(slice=[node.slice[0], second]), "loc", node)


def _with(node: cst.Subscript, accessor: str, instead_of: cst.Subscript | None = None) -> Answer:
    new = _renamed(node, accessor)
    if accessor == "iloc":
        new = new.with_changes(slice=[_listed(part) for part in new.slice])
    return one(instead_of or node, new)


def _as_the_columns_are(
    context: Context, node: cst.Subscript, rows: cst.BaseSlice, columns: cst.BaseSlice
) -> Answer:
    """Use `.loc` if the column labels are integers at runtime, else `.iloc`."""
    assert isinstance(node.value, cst.Attribute)
    table = node.value.value
    if not _everything(rows) or not _is_plain(table) or _up_to_the_end(columns):
        return Unsure("whole numbers after `.ix` may be labels or positions of columns")
    code = context.code(table)
    numbers = f'{code}.columns.inferred_type == "integer"'
    accessor = expression(f"({code}.loc if {numbers} else {code}.iloc)")
    return one(node, node.with_changes(value=accessor))


def _without_comma(part: cst.SubscriptElement) -> cst.SubscriptElement:
    return _listed(part.with_changes(comma=cst.MaybeSentinel.DEFAULT))


def _listed(part: cst.SubscriptElement) -> cst.SubscriptElement:
    """Return `(1, 2)` as `[1, 2]`: `.iloc` takes several positions in a list only."""
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
    """Return whether rows are counted from the end: `-1` is never a label."""
    given = literal(index.value) if isinstance(index, cst.Index) else None
    return type(given) is int and given < 0


def _counts_from_the_end(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether `.ix[-1]` of the same table is used, so that its labels are no integers."""
    asked = rows_asked_for(context, table, "ix")
    return any(_from_the_end(node.slice[0].slice) for node in asked)


def _up_to_the_end(index: cst.BaseSlice) -> bool:
    """Return whether it is like `[:-1]`, `[0:-2]`, which selected no row at all by label."""
    upper = literal(index.upper) if isinstance(index, cst.Slice) else None
    return type(upper) is int and upper < 0


def _everything(index: cst.BaseSlice) -> bool:
    return is_everything(index)


def _is_table(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether an assignment into it lasts: a name or `self.table`, no part of a table."""
    if isinstance(node, cst.Attribute):
        return isinstance(node.value, cst.Name) and node.value.value == "self"
    return isinstance(node, cst.Name)


def _may_be_one_key(context: Context, table: cst.BaseExpression, rows: cst.BaseSlice) -> bool:
    """Return whether a label and a number may name one row with labels of two levels."""
    if not isinstance(rows, cst.Index) or is_mask(context, rows.value):
        return False
    if _has_row_levels(context, table):
        return True
    return may_have_levels(context) and row_labels(context, table) is not Labels.NUMBERS


def _has_row_levels(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether a table is made with rows of several levels: `index=[['a', 'b'], [1, 2]]`."""
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
