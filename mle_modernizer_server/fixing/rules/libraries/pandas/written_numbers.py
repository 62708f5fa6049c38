"""Numbers written over texts: pandas before 1.0 converted the column to numbers automatically.

`df.loc[df.sex == 'male', 'sex'] = 0`, and then 1 for the others, made a column of `int64` (tried
with 0.25.3); since then the type stays `object`, and `numeric_only` leaves it out. `infer_objects`
infers the type of such columns. `at` and chained assignments never changed a type. Neither does
`replace` since pandas 3.0 (`replaced_types.py`).
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.tree import descendants, expression, literal, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.libraries.pandas.replaced_types import may_leave_objects

_WRITERS = ("loc", "iloc", "ix")


def with_types(context: Context, node: cst.Call, answer: Answer) -> Answer:
    """Return a fix of a statistic that also restores the old types of the table's columns.

    Args:
        context: Of the rule.
        node: The call of the statistic.
        answer: The rule's fix of the call.
    """
    table = _first_name(node)
    if not isinstance(answer, Fix) or table is None:
        return answer
    if not _is_written(context, table.value) and not _is_replaced(context, table.value):
        return answer
    change = answer.changes[0]
    if len(answer.changes) != 1 or not isinstance(change.new, cst.BaseExpression):
        return answer
    code = cst.Module([]).code_for_node(change.new)
    if not code.startswith(table.value):
        return answer
    new = expression(f"{table.value}.infer_objects(){code.removeprefix(table.value)}")
    return Fix((Change(change.node, new),), answer.imports, answer.remark, answer.assumed)


def _first_name(node: cst.BaseExpression) -> cst.Name | None:
    """Return the name that a chain of calls begins with."""
    while isinstance(node, (cst.Call, cst.Attribute, cst.Subscript)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node if isinstance(node, cst.Name) else None


def _is_replaced(context: Context, table: str) -> bool:
    """Return whether `replace` may have left numbers in a column of objects of the table."""
    for cell in context.program.cells:
        for node in cell.places if ".replace" in cell.source else ():
            if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
                continue
            parent = cell.places[node].parent
            if node.func.attr.value != "replace" or not may_leave_objects(context, node, parent):
                continue
            assigned = (
                _first_name(target.target)
                for above in cell.ancestors(node)
                if isinstance(above, cst.Assign)
                for target in above.targets
            )
            names = (*assigned, _first_name(node))
            if any(name is not None and name.value == table for name in names):
                return True
    return False


def _is_written(context: Context, table: str) -> bool:
    """Return whether numbers replace rows of the table selected by a text."""
    for cell in context.program.cells:
        for node in cell.places if f"{table}." in cell.source else ():
            if not isinstance(node, cst.Assign) or not is_number(node.value):
                continue
            targets = (target.target for target in node.targets)
            if any(_is_part_of(target, table) and _asks(cell, target) for target in targets):
                return True
    return False


def is_number(value: cst.BaseExpression) -> bool:
    """Return whether it is a literal number, or one of two by a condition."""
    if isinstance(value, cst.IfExp):
        return is_number(value.body) and is_number(value.orelse)
    return type(literal(value)) in (int, float)


def _is_part_of(target: cst.BaseExpression, table: str) -> bool:
    """Return whether it is `table.loc[…]`."""
    if not isinstance(target, cst.Subscript) or not isinstance(target.value, cst.Attribute):
        return False
    owner = target.value
    return (
        owner.attr.value in _WRITERS
        and isinstance(owner.value, cst.Name)
        and owner.value.value == table
    )


def _asks(cell: CellCode, target: cst.BaseExpression) -> bool:
    """Return whether the target, or an `if` around it, compares with a text."""
    tests = [above.test for above in cell.ancestors(target) if isinstance(above, cst.If)]
    return any(
        isinstance(one, cst.Comparison)
        and any(string(part.comparator) is not None for part in one.comparisons)
        for where in (target, *tests)
        for one in descendants(where)
    )
