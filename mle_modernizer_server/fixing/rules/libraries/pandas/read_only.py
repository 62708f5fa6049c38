"""Arrays out of pandas are read-only since pandas 3.0 (copy-on-write).

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#read-only-numpy-arrays
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import descendants, expression, receiver_text
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES


@codemod("pandas-read-only-values", on=cst.Assign)
def written(context: Context, node: cst.Assign) -> Answer:
    """`x = df.values` … `x[0] = 1` → `x = df.to_numpy(copy=True)`."""
    return _copied(context, node.targets[0].target)


@codemod("pandas-read-only-values", on=cst.AugAssign)
def updated(context: Context, node: cst.AugAssign) -> Answer:
    """`x = df.values` … `x *= 2`."""
    return _copied(context, node.target, whole=True)


@codemod("pandas-read-only-values", on=cst.Expr)
def handed_over(context: Context, node: cst.Expr) -> Answer:
    """`np.random.shuffle(x)`, `x.sort()`: where the run failed."""
    if not context.evidence(node):
        return None
    for name in descendants(node):
        if isinstance(name, cst.Name) and (found := _array(context, name)) is not None:
            _with_its_table(context, found)
            return one(found, _copy(context, found))
    return Unsure("where the array comes from cannot be told")


def _with_its_table(context: Context, array: cst.BaseExpression) -> None:
    """Note that the table stays as it is where the array was a view of it, and is read later on."""
    attribute = array.func if isinstance(array, cst.Call) else array
    table = attribute.value if isinstance(attribute, cst.Attribute) else None
    if not isinstance(table, cst.Name):
        return
    cell, place = context.program.place(array)
    cells = list(context.program.cells)
    here = cells.index(cell)
    for number, other in enumerate(cells[here:]):
        for node, where in other.places.items():
            if (
                isinstance(node, cst.Name)
                and node.value == table.value
                and not isinstance(where.parent, cst.AssignTarget)
                and (number > 0 or where.order > place.order)
                and node is not table
            ):
                context.assume(f"`{table.value}` need not change with the array that is taken out")
                return


def _copied(context: Context, target: cst.BaseExpression, whole: bool = False) -> Answer:
    base = target.value if isinstance(target, cst.Subscript) else target if whole else None
    if isinstance(base, cst.Name):
        found = _array(context, base)
        if found is None:
            return None
        _with_its_table(context, found)
        return one(found, _copy(context, found))
    if base is not None and isinstance(target, cst.Subscript) and _out_of_pandas(context, base):
        return Unsure("the array is written to where it is taken out of the table")
    return None


def _array(context: Context, name: cst.Name) -> cst.BaseExpression | None:
    """`df.values` or `df.to_numpy()`, if the name stands for it."""
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


def _copy(context: Context, node: cst.BaseExpression) -> cst.BaseExpression:
    attribute = node.func if isinstance(node, cst.Call) else node
    assert isinstance(attribute, cst.Attribute)
    return expression(f"{receiver_text(attribute.value)}.to_numpy(copy=True)")
