"""Dates as integers counted nanoseconds; since pandas 3.0 the unit depends on the dates.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#datetime-timedelta-resolution-inference
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    expression,
    literal,
    receiver_text,
    string,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_WHOLE = ("builtins.int", "numpy.int64", "numpy.int", "numpy.uint64", "numpy.int_")
_WHOLE_TEXTS = ("int", "int64", "i8", "uint64")

_ZONE = re.compile(r"\butc\s*=\s*True|\btz_(localize|convert)\b|\btz\s*=")


@codemod("pandas-datetime-integers", on=cst.Call, names=("astype", "view"))
def in_nanoseconds(context: Context, node: cst.Call) -> Answer:
    """Rewrite `d.astype('int64')` as `d.astype('datetime64[ns]').astype('int64')`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    dtype = argument(node, "dtype", 0)
    if dtype is None:
        return None
    if string(dtype.value) not in _WHOLE_TEXTS and not context.refers_to(dtype.value, *_WHOLE):
        return None
    if not _dates(context, node.func.value, 4):
        return None
    dates = node.func.value
    of_array = isinstance(dates, cst.Attribute) and dates.attr.value == "values"
    if not of_array and any(_ZONE.search(cell.source) for cell in context.program.cells):
        return Unsure("dates with a time zone cannot be cast to those without one")
    code = f"{receiver_text(dates)}.astype('datetime64[ns]')"
    new = node.with_changes(
        func=node.func.with_changes(value=expression(code), attr=cst.Name("astype"))
    )
    return one(node, new)


def _dates(context: Context, node: cst.BaseExpression, depth: int) -> bool:
    """Return whether an expression is known to be a column of dates, of a unit nobody chose."""
    if depth == 0:
        return False
    if isinstance(node, cst.Call):
        return context.refers_to(node.func, "pandas.to_datetime", "pandas.date_range")
    if isinstance(node, cst.Attribute) and node.attr.value in ("values", "index"):
        return node.attr.value == "values" and _dates(context, node.value, depth - 1)
    if isinstance(node, cst.Name):
        values = context.every_value(node)
        return bool(values) and all(_dates(context, value, depth - 1) for value in values)
    label = _label(context, node)
    return label is not None and label in _date_columns(context, node)


def _label(context: Context, node: cst.BaseExpression) -> str | None:
    if isinstance(node, cst.Attribute) and not context.qualnames(node):
        return node.attr.value
    return string(key(node))


def _date_columns(context: Context, column: cst.BaseExpression) -> set[str]:
    """Return the labels of columns that `to_datetime` or `parse_dates` converted before this use.

    The argument of `df['t'] = pd.to_datetime(df['t'].astype(int), unit='s')` is a number, there and
    in a function that does the same.
    """
    here, place = context.program.place(column)
    found: set[str] = set()
    numbers: set[str] = set()
    for cell in context.program.cells:
        if "to_datetime" not in cell.source and "parse_dates" not in cell.source:
            continue
        for node, where in cell.places.items():
            earlier = (cell.number, where.order) < (here.number, place.order)
            if isinstance(node, cst.Assign) and isinstance(node.value, cst.Call):
                if context.refers_to(node.value.func, "pandas.to_datetime"):
                    targets = (_label(context, target.target) for target in node.targets)
                    labels = {label for label in targets if label is not None}
                    of_numbers = argument(node.value, "unit") is not None
                    if cell is here and any(part is column for part in descendants(node.value)):
                        numbers |= labels
                    elif earlier and (where.scope is place.scope or not of_numbers):
                        found |= labels
            elif isinstance(node, cst.Arg) and node.keyword is not None and earlier:
                value = literal(node.value) if node.keyword.value == "parse_dates" else None
                if isinstance(value, list):
                    found.update(item for item in value if isinstance(item, str))
    return found - numbers
