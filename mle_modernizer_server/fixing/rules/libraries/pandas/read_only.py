"""Arrays out of pandas are read-only since pandas 3.0 (copy-on-write).

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#read-only-numpy-arrays
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.tree import descendants, expression, literal, receiver_text
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NO_VALUES = frozenset({"shape", "columns", "index", "dtypes"})


@codemod("pandas-read-only-values", on=cst.Assign)
def written(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `x = df.values` … `x[0] = 1` as `x = df.to_numpy(copy=True)`."""
    return _copied(context, node.targets[0].target)


@codemod("pandas-read-only-values", on=cst.AugAssign)
def updated(context: Context, node: cst.AugAssign) -> Answer:
    """Rewrite `x = df.values` … `x *= 2` as `x = df.to_numpy(copy=True)`."""
    return _copied(context, node.target, whole=True)


@codemod("pandas-read-only-values", on=cst.Expr)
def handed_over(context: Context, node: cst.Expr) -> Answer:
    """`np.random.shuffle(x)`, `x.sort()`: copy the array if the run failed."""
    if not context.evidence(node):
        return None
    for name in descendants(node):
        if isinstance(name, cst.Name) and (found := _array(context, name)) is not None:
            return _copy(context, found)
    return Unsure("where the array comes from cannot be told")


def _copied(context: Context, target: cst.BaseExpression, whole: bool = False) -> Answer:
    base = target.value if isinstance(target, cst.Subscript) else target if whole else None
    if isinstance(base, cst.Name):
        found = _array(context, base)
        if found is None:
            return None
        return _copy(context, found)
    if base is not None and isinstance(target, cst.Subscript) and _out_of_pandas(context, base):
        return Unsure("the array is written to where it is taken out of the table")
    return None


def _array(context: Context, name: cst.Name) -> cst.BaseExpression | None:
    """Return `df.values` or `df.to_numpy()` if the name is bound to it."""
    given = context.written(name)
    return given if _out_of_pandas(context, given) else None


def _out_of_pandas(context: Context, node: cst.BaseExpression) -> bool:
    attribute = node.func if isinstance(node, cst.Call) and not node.args else node
    if not isinstance(attribute, cst.Attribute):
        return False
    wanted = "to_numpy" if isinstance(node, cst.Call) else "values"
    if attribute.attr.value != wanted:
        return False
    inferred = context.type_of(attribute.value)
    return inferred in (FRAME, SERIES) or (inferred is None and bool(context.failing()))


def _copy(context: Context, array: cst.BaseExpression) -> Answer:
    """Copy the array, if its source need not change with it.

    The array of a column was always a view; that of a table only if all columns had the same type.
    """
    attribute = array.func if isinstance(array, cst.Call) else array
    assert isinstance(attribute, cst.Attribute)
    source = attribute.value
    column = column_of(context, source)
    if isinstance(column, Column) and isinstance(column.frame, cst.Name):
        if any(_reads(context, use, column) for use in _later(context, array, column.frame)):
            return Unsure(f"`{context.code(source)}` changed with the array, and is read later on")
    elif isinstance(source, cst.Name) and any(_later(context, array, source)):
        if context.type_of(source) == SERIES:
            return Unsure(f"`{source.value}` changed with the array, and is read later on")
        context.assume(f"`{source.value}` need not change with the array that is taken out")
    return one(array, expression(f"{receiver_text(source)}.to_numpy(copy=True)"))


def _later(context: Context, array: cst.BaseExpression, table: cst.Name) -> Iterator[cst.Name]:
    """Yield the uses of the table behind the array."""
    cell, place = context.program.place(array)
    for other in context.program.cells:
        for node, where in other.places.items():
            if (
                isinstance(node, cst.Name)
                and node.value == table.value
                and not isinstance(where.parent, cst.AssignTarget)
                and (other.number, where.order) > (cell.number, place.order)
                and node is not table
            ):
                yield node


def _reads(context: Context, table: cst.Name, column: Column) -> bool:
    """Return whether a use of a table may read one of its columns."""
    cell = context.program.cell_of(table)
    above = cell.places[table].parent
    if isinstance(above, cst.Attribute) and above.value is table:
        if above.attr.value in _NO_VALUES:
            return False
        if above.attr.value in ("drop", "pop"):
            return column.name not in cell.code(cell.places[above].parent or above)
        return above.attr.value == literal(expression(column.name)) or not isinstance(
            column_of(context, above), Column
        )
    if isinstance(above, cst.Subscript) and above.value is table:
        chosen = [one.slice.value for one in above.slice if isinstance(one.slice, cst.Index)]
        labels = [literal(context.written(one)) for one in chosen]
        if len(labels) == 1 and isinstance(labels[0], (str, list)):
            wanted = literal(expression(column.name))
            return wanted in labels[0] if isinstance(labels[0], list) else wanted == labels[0]
    return True
