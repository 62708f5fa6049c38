"""A column that the notebook makes of a number, into which it then writes texts or fractions.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html

Until pandas 3.0 the column changed its type. `pandas-upcasting-setitem` handles failures of a run;
here the code shows both the creation and the assignment.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Bound
from mle_modernizer_server.code.tree import descendants, literal, string
from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import index, key, only_target, owner
from mle_modernizer_server.fixing.rules.libraries.pandas.upcast import with_column_converted

_FILLED = {"numpy.zeros", "numpy.ones"}
_ACCESSORS = ("loc", "at")
_FRACTIONS = ("mean", "std", "var", "predict_proba")
_OTHER = "other"

_Column = tuple[str, str]
"""Name of a table and label of one of its columns."""


@codemod("pandas-column-of-numbers", on=cst.Assign)
def converted(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `df.loc[m, 'a'] = 'x'` as `df['a'] = df['a'].astype(object)` in the line before."""
    column = _written_into(node)
    refused = None if column is None else _refused(context, node.value)
    if column is None or refused is None:
        return None
    made: set[str] = set()
    for other in context.nodes(cst.Assign):
        if other is node:
            break
        if _whole_column(other) == column:
            made.add(_made_of(context, other.value) if _together(context, other, node) else _OTHER)
        if _written_into(other) == column and _refused(context, other.value):
            return None  # the column is converted before that assignment
    numbers = {"whole"} if refused == "'float64'" else {"whole", "float"}
    if not made or not made <= numbers:
        return None
    target = node.targets[0].target
    assert isinstance(target, cst.Subscript)
    label = context.code(target.slice[1].slice)
    return with_column_converted(context, node, f"{column[0]}[{label}]", refused)


def _together(context: Context, one: cst.Assign, other: cst.Assign) -> bool:
    """Return whether both assign to one table, at top level or in the same function."""
    scopes = [context.program.place(assigned)[1].scope for assigned in (one, other)]
    if scopes[0] is not scopes[1] and not all(scope.is_top for scope in scopes):
        return False
    before, now = (_table(assigned) for assigned in (one, other))
    if before is None or now is None:
        return False
    known = context.program.lookup(before.value, before).bindings
    return all(
        binding in known or _is_made_of(binding.bound, now.value)
        for binding in context.program.lookup(now.value, now).bindings
    )


def _table(node: cst.Assign) -> cst.Name | None:
    """Return the table that is written into."""
    target: cst.BaseExpression = node.targets[0].target
    while isinstance(target, (cst.Subscript, cst.Attribute)):
        target = target.value
    return target if isinstance(target, cst.Name) else None


def _is_made_of(bound: Bound, table: str) -> bool:
    """Return whether a table is made of the one of the same name: `df = df.dropna()`."""
    return isinstance(bound, Assigned) and any(
        isinstance(part, cst.Name) and part.value == table for part in descendants(bound.value)
    )


def _written_into(node: cst.Assign) -> _Column | None:
    """Return the column of which some rows are assigned to: `df.loc[m, 'a'] = x`."""
    target = only_target(node)
    if not isinstance(target, cst.Subscript) or len(target.slice) != 2:
        return None
    table, name = owner(target.value, *_ACCESSORS), string(index(target.slice[1].slice))
    return (table.value, name) if name is not None and isinstance(table, cst.Name) else None


def _whole_column(node: cst.Assign) -> _Column | None:
    """Return the column that is made or replaced as a whole: `df['a'] = x`."""
    target = node.targets[0].target
    name = string(key(target))
    if name is None or not isinstance(target, cst.Subscript):
        return None
    return (target.value.value, name) if isinstance(target.value, cst.Name) else None


def _made_of(context: Context, value: cst.BaseExpression) -> str:
    """Return the kind of a column's values: integers, floating-point numbers, or something else."""
    given = literal(value)
    if type(given) is int:
        return "whole"
    if type(given) is float:
        return "float"
    if isinstance(value, cst.Call) and len(value.args) == 1:
        return "float" if context.refers_to(value.func, *_FILLED) else _OTHER
    return _OTHER


def _refused(context: Context, value: cst.BaseExpression) -> str | None:
    """Return the type a column of numbers needs to take a value; None if it takes it as it is."""
    if string(value) is not None or context.type_of(value) == TEXT:
        return "object"
    given = literal(value)
    fraction = type(given) is float and not given.is_integer()
    divided = isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Divide)
    called = value.func if isinstance(value, cst.Call) else None
    averaged = isinstance(called, cst.Attribute) and called.attr.value in _FRACTIONS
    return "'float64'" if fraction or divided or averaged else None
