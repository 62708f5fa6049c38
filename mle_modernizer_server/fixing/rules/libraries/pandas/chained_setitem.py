"""Since pandas 3.0 (copy-on-write) `df['b'][mask] = v` leaves `df` as it is.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment

One step instead of two: `df.loc[mask, 'b'] = v`. `df[mask]['b'] = v` never wrote to `df` and stays.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import literal, receiver_text
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import (
    counts,
    may_have_other_index,
)
from mle_modernizer_server.fixing.rules.types.columns import Column, column_of, lasts


@codemod("pandas-chained-setitem", on=cst.Assign)
def assign(context: Context, node: cst.Assign) -> Answer:
    """`df['b'][mask] = v` → `df.loc[mask, 'b'] = v`."""
    if len(node.targets) != 1:
        return None
    answer = _rewritten(context, node.targets[0].target)
    if not isinstance(answer, Fix):
        return answer
    return Fix((*answer.changes, *_spread(node.value)), answer.imports)


def _spread(value: cst.BaseExpression) -> tuple[Change, ...]:
    """One value in brackets was spread over the rows; `.loc` takes it without them only."""
    if isinstance(value, cst.List) and len(value.elements) == 1:
        only = value.elements[0]
        if isinstance(only, cst.Element):
            return (Change(value, only.value),)
    if isinstance(value, cst.Call) and _of_one_row(value):
        return (Change(value, cst.parse_expression(f"{receiver_text(value)}[0]")),)
    return ()


def _of_one_row(call: cst.Call) -> bool:
    """`model.predict([[1, 2]])` and `np.array([1])` give an array of one element."""
    if len(call.args) != 1 or not isinstance(call.func, cst.Attribute):
        return False
    given = call.args[0].value
    if not isinstance(given, cst.List) or len(given.elements) != 1:
        return False
    name = call.func.attr.value
    if name == "predict":
        return isinstance(given.elements[0].value, (cst.List, cst.Tuple))
    return name in ("array", "asarray") and not isinstance(
        given.elements[0].value, (cst.List, cst.Tuple)
    )


@codemod("pandas-chained-setitem", on=cst.AugAssign)
def update(context: Context, node: cst.AugAssign) -> Answer:
    """`df['b'][mask] += 1` → `df.loc[mask, 'b'] += 1`."""
    return _rewritten(context, node.target)


def _rewritten(context: Context, target: cst.CSTNode) -> Answer:
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return None
    base = target.value
    accessor = ""
    if isinstance(base, cst.Attribute) and base.attr.value in ("loc", "iloc", "at", "iat"):
        accessor = base.attr.value
        base = base.value
    if not isinstance(base, (cst.Subscript, cst.Attribute)):
        return None
    column = column_of(context, base)
    if column is None or isinstance(column, Unsure):
        return column
    if column.whole is not None:
        return None
    if not lasts(column.frame):
        return Unsure(
            f"`{context.code(column.frame)}` is a copy; what it was cut from must be assigned"
        )
    rows = target.slice[0].slice
    if (
        not accessor
        and isinstance(rows, cst.Index)
        and counts(context, rows)
        and may_have_other_index(context, column.frame)
    ):
        return Unsure(f"`{context.code(rows)}` may be a label or a position")
    return one(target, _located(context, column, rows, accessor))


def _located(
    context: Context, column: Column, rows: cst.BaseSlice, accessor: str
) -> cst.BaseExpression:
    frame = context.code(column.frame)
    key = context.code(rows)
    if accessor in ("iloc", "iat") or (not accessor and _counts(rows)):
        place = f"{frame}.columns.get_loc({column.name})"
        return cst.parse_expression(f"{frame}.{accessor or 'iloc'}[{key}, {place}]")
    return cst.parse_expression(f"{frame}.{accessor or 'loc'}[{key}, {column.name}]")


def _counts(rows: cst.BaseSlice) -> bool:
    """A slice of whole numbers counts positions, whatever the index holds."""
    return isinstance(rows, cst.Slice) and any(
        isinstance(literal(bound), int) for bound in (rows.lower, rows.upper) if bound
    )
