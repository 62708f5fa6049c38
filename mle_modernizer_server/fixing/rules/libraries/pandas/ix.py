"""`.ix` was removed in pandas 1.0: `.loc` goes by label, `.iloc` by position.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes

`.ix` took labels where it could: on a whole-number index numbers were labels, elsewhere positions.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import Assigned
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import children, literal
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    unknown_object,
)

_ON = ("pandas.DataFrame", "pandas.Series")
_READERS = ("pandas.read_csv", "pandas.read_table", "pandas.read_excel")
_KEEP_ROWS = (
    *("drop", "dropna", "fillna", "copy", "sample", "head", "tail", "sort_values", "sort"),
    *("query", "drop_duplicates", "replace", "astype", "rename", "assign", "reset_index"),
)
_NEW_INDEX = ("set_index", "index_col", "from_dict")


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
    counted = _counts(context, rows) and _counts_from_the_end(context, node.value.value)
    if _from_the_end(rows) or counted:
        if columns is None or _everything(columns) or _counts(context, columns):
            return _with(node, "iloc")
        return Unsure("`.ix` takes rows by position and columns by label")
    if columns is not None and _counts(context, columns):
        return _by_counted_columns(context, node, rows, columns)
    if _counts(context, rows) and _may_have_other_index(context, node.value.value):
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
    if _counts(context, rows) and _may_have_other_index(context, table):
        return Unsure("whole numbers after `.ix` may be labels or positions")
    label = cst.parse_expression(f"{context.code(table)}.columns[{context.code(columns)}]")
    second = node.slice[1].with_changes(slice=columns.with_changes(value=label))
    return one(node, _renamed(node.with_changes(slice=[node.slice[0], second]), "loc"))


def _with(node: cst.Subscript, accessor: str) -> Answer:
    return one(node, _renamed(node, accessor))


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


def _counts(context: Context, index: cst.BaseSlice) -> bool:
    """Whole numbers (or a list or slice of them)."""
    if isinstance(index, cst.Slice):
        bounds = [bound for bound in (index.lower, index.upper) if bound is not None]
        return any(isinstance(literal(bound), int) for bound in bounds)
    assert isinstance(index, cst.Index)
    return _is_count(context, index.value) or _are_counts(context, index.value)


def _is_count(context: Context, node: cst.BaseExpression) -> bool:
    """A whole number, or the variable of a loop over some."""
    if type(literal(node)) is int:
        return True
    bound = _bound(context, node)
    return bound is not None and bound.path == (None,) and _are_counts(context, bound.value)


def _are_counts(context: Context, node: cst.BaseExpression) -> bool:
    """A list of whole numbers, a `range`, or a name for one."""
    value = literal(node)
    if isinstance(value, (list, tuple)):
        return bool(value) and all(type(item) is int for item in value)
    if isinstance(node, cst.Call):
        if {"builtins.range", "builtins.xrange", "numpy.arange"} & set(
            context.qualnames(node.func)
        ):
            return True
        listed = "builtins.list" in context.qualnames(node.func) and len(node.args) == 1
        return listed and _are_counts(context, node.args[0].value)
    bound = _bound(context, node)
    return bound is not None and not bound.path and _are_counts(context, bound.value)


def _bound(context: Context, node: cst.BaseExpression) -> Assigned | None:
    """What a name stands for, where it is given one value only."""
    if not isinstance(node, cst.Name):
        return None
    bindings = context.program.lookup(node.value, node).bindings
    bound = bindings[0].bound if len(bindings) == 1 else None
    return bound if isinstance(bound, Assigned) and bound.value is not node else None


def _has_row_levels(context: Context, table: cst.BaseExpression) -> bool:
    """Whether a table is made with rows of several levels: `index=[['a', 'b'], [1, 2]]`."""
    bound = _bound(context, table)
    if bound is None or not isinstance(bound.value, cst.Call):
        return False
    given = [arg.value for arg in bound.value.args if arg.keyword and arg.keyword.value == "index"]
    return any(
        isinstance(element.value, (cst.List, cst.Tuple))
        for index in given
        if isinstance(index, cst.List)
        for element in index.elements
    )


def _may_have_other_index(context: Context, table: cst.BaseExpression) -> bool:
    """Whether this table, or some table it may be made of, is given an index of its own."""
    if isinstance(table, cst.Name) and _is_numbered(context, table, table.value):
        return False
    for cell in context.program.cells:
        for node in cell.places:
            if isinstance(node, cst.Name) and node.value in _NEW_INDEX:
                return True
            if isinstance(node, cst.AssignTarget) and any(
                isinstance(child, cst.Attribute) and child.attr.value == "index"
                for child in children(node)
            ):
                return True
    return False


def _is_numbered(context: Context, node: cst.BaseExpression, name: str) -> bool:
    """Whether the rows are numbered as a reader of files does, and only picked since then."""
    if isinstance(node, cst.Name):
        if node.value != name:
            return False
        every = context.program.top_bindings(name)
        made = [binding.bound for _, binding in every]
        meant = context.program.lookup(name, node).bindings
        return (
            bool(made)
            and all(any(one is binding for _, binding in every) for one in meant)
            and not _indexed_in_place(context, name)
            and all(isinstance(one, Assigned) and not one.path for one in made)
            and all(
                _is_numbered(context, one.value, "") or _of_itself(context, one.value, name)
                for one in made
                if isinstance(one, Assigned)
            )
        )
    if not isinstance(node, cst.Call):
        return False
    words = {arg.keyword.value for arg in node.args if arg.keyword is not None}
    read = any(address in _READERS for address in context.qualnames(node.func))
    return read and not words & {"index_col", "index"} and not any(arg.star for arg in node.args)


def _of_itself(context: Context, node: cst.BaseExpression, name: str) -> bool:
    """`df.dropna()`, `df[df.a > 0]`, `df.drop('a', axis=1)` of the table itself."""
    while not isinstance(node, cst.Name):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            if node.func.attr.value not in _KEEP_ROWS:
                return False
            node = node.func.value
        elif isinstance(node, cst.Subscript):
            node = node.value
        else:
            return False
    return node.value == name


def _indexed_in_place(context: Context, name: str) -> bool:
    return any(
        isinstance(node, cst.Attribute)
        and node.attr.value in ("set_index", "index")
        and isinstance(node.value, cst.Name)
        and node.value.value == name
        and _changes(cell.places[node].parent)
        for cell in context.program.cells
        for node in cell.places
    )


def _changes(parent: cst.CSTNode | None) -> bool:
    """`df.index = …`, or any `df.set_index(…)`."""
    return isinstance(parent, (cst.AssignTarget, cst.Call, cst.AugAssign))
