"""Units of time spans and dates that pandas 2.0 no longer accepts.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#construction-with-datetime64-or-timedelta64-dtype-with-unsupported-resolution

A month was 2,629,746 seconds and a year 31,556,952, the averages of the calendar.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    dotted_name,
    expression,
    literal,
    receiver_text,
    string,
)
from mle_modernizer_server.code.types.type import ARRAY, SERIES
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    Unsure,
    one,
    rewritten,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_SECONDS = {"M": 2_629_746, "Y": 31_556_952}
_SPAN = re.compile(r"(?:timedelta64|<?m8)\[(Y|M|W|D|h|m|s|ms|us)\]")
_NUMBERS = re.compile(r"u?int\d*|float\d*")
_DAYS = ("datetime64[D]", "<M8[D]", "M8[D]")


@codemod("pandas-timedelta-units", on=cst.Call, names=("timedelta64",))
def in_seconds(context: Context, node: cst.Call) -> Answer:
    """Rewrite `… / np.timedelta64(1, 'M')` as `… / np.timedelta64(2629746, 's')`."""
    if len(node.args) != 2:
        return None
    if not context.refers_to(node.func, "numpy.timedelta64"):
        return None
    count, unit = literal(node.args[0].value), string(node.args[1].value)
    if unit not in _SECONDS or type(count) is not int:
        return None
    above = context.parent(node)
    divides = isinstance(above, cst.BinaryOperation) and isinstance(
        above.operator, (cst.Divide, cst.FloorDivide)
    )
    if not divides or getattr(above, "right", None) is not node:
        return Unsure("months and years are not only divided by")
    text = f"{context.code(node.func)}({count * _SECONDS[unit]}, 's')"
    return rewritten(node, text)


@codemod("pandas-timedelta-units", on=cst.Call, names=("astype",))
def whole_units(context: Context, node: cst.Call) -> Answer:
    """`span.astype('timedelta64[D]')` → `(span // np.timedelta64(1, 'D')).astype('float64')`."""
    found = _converted(context, node)
    span = _SPAN.fullmatch(found[1]) if found else None
    if found is None or span is None:
        return None
    owner = found[0]
    if context.type_of(owner) != SERIES and not context.evidence(node):
        return Unsure(f"what `{context.code(owner)}` is cannot be told from the code")
    if _is_number_already(context, owner):
        return Unsure(f"`{context.code(owner)}` is a column of numbers, not of time spans")
    np, imports = context.module(node, "numpy", "np")
    unit = span[1]
    size = f"{_SECONDS[unit]}, 's'" if unit in _SECONDS else f"1, '{unit}'"
    whole = f"({receiver_text(owner)} // {np}.timedelta64({size}))"
    return one(node, expression(f"{whole}.astype('float64')"), imports)


@codemod("pandas-datetime-units", on=cst.Call, names=("astype",))
def whole_days(context: Context, node: cst.Call) -> Answer:
    """Rewrite `when.astype('datetime64[D]')` as `when.dt.normalize()`."""
    found = _converted(context, node)
    if found is None or found[1] not in _DAYS:
        return None
    owner = found[0]
    if context.type_of(owner) != SERIES and not context.evidence(node):
        return None
    return one(node, expression(f"{receiver_text(owner)}.dt.normalize()"))


def _is_number_already(context: Context, owner: cst.BaseExpression) -> bool:
    """Return whether the last assignment to the same column converted the spans to numbers."""
    column = context.code(owner)
    above = set(context.cell.ancestors(owner))
    last: cst.BaseExpression | None = None
    for cell in context.program.cells:
        for node, place in cell.places.items():
            later = cell is context.cell and place.order > cell.places[owner].order
            if later or not isinstance(node, cst.Assign) or node in above:
                continue
            if any(cell.code(target.target) == column for target in node.targets):
                last = node.value
        if cell is context.cell:
            break
    return last is not None and _gives_numbers(last)


def _gives_numbers(value: cst.BaseExpression) -> bool:
    """Return whether it is like `….astype(int)`, `….dt.days`, `….dt.total_seconds()`."""
    if isinstance(value, cst.Attribute):
        return value.attr.value == "days"
    if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
        return False
    if value.func.attr.value == "total_seconds":
        return True
    dtype = argument(value, "dtype", 0)
    if value.func.attr.value != "astype" or dtype is None:
        return False
    name = string(dtype.value) or dotted_name(dtype.value).rpartition(".")[2]
    return bool(_NUMBERS.fullmatch(name))


def _converted(context: Context, node: cst.Call) -> tuple[cst.BaseExpression, str] | None:
    """Return the receiver of a lone `astype`, unless it is an array, and the type as text."""
    dtype = argument(node, "dtype", 0)
    if not isinstance(node.func, cst.Attribute) or dtype is None or len(node.args) != 1:
        return None
    owner = node.func.value
    if context.type_of(owner) == ARRAY:
        return None
    if isinstance(owner, cst.Attribute) and owner.attr.value == "values":
        return None
    return owner, string(dtype.value) or ""
