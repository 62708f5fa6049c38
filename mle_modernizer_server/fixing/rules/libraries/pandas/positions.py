"""Integers in square brackets are labels since pandas 3.0, never positions.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

Nothing is done unless the run failed at the place: on an index of whole numbers they always were
labels.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Bound
from mle_modernizer_server.code.tree import (
    descendants,
    expression,
    literal,
    method_name,
    receiver_text,
    string,
)
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, owner

_NO_NUMBERS = re.compile(r"['\"]|Timestamp\(|Period\(")
_WHOLE_NUMBERS = re.compile(r"Int64HashTable|RangeIndex|indexes/range\.py|Int64Engine")


@codemod("pandas-integer-position", on=cst.Subscript)
def by_position(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `df.dtypes[0]` as `df.dtypes.iloc[0]` if the run failed with `KeyError: 0`."""
    if not _candidate(context, node):
        return None
    if not context.evidence(node) and not _like_one_that_failed(context, node):
        return None
    if _are_positions(context, key(node)):
        return _by_positions(context, node)
    if any(_WHOLE_NUMBERS.search("\n".join(error.traceback)) for error in context.failing()):
        return Unsure("the index holds whole numbers: the label is missing")
    if context.type_of(node.value) is None:
        statement = context.statement(node)
        others = [
            other
            for other in descendants(statement or node)
            if isinstance(other, cst.Subscript) and other is not node and _candidate(context, other)
        ]
        same = all(context.code(other.value) == context.code(node.value) for other in others)
        if others and not same:
            return Unsure("several things in the line may be the Series")
        if any(
            isinstance(other, cst.Attribute) and other.attr.value == "iloc"
            for other in descendants(statement or node)
        ):
            return None  # the other one failed, which uses a position now
    return one(node.value, expression(f"{receiver_text(node.value)}.iloc"))


def _by_positions(context: Context, node: cst.Subscript) -> Answer:
    """`y[train]` → `y.iloc[train]` if the run reports that its labels are texts or dates."""
    wanted = f"index of {context.code(node.value)}"
    facts = (fact for error in context.failing() for fact in error.facts if fact.name == wanted)
    labels = next((fact.value for fact in facts), None)
    if labels is None:
        return Unsure("the run does not tell of what the labels are")
    if not _NO_NUMBERS.match(labels):
        return Unsure("the index holds whole numbers: the labels are missing")
    return one(node.value, expression(f"{receiver_text(node.value)}.iloc"))


def _like_one_that_failed(context: Context, node: cst.Subscript) -> bool:
    """Return whether the run failed in this cell at the same Series or a column of its table."""
    if not context.failing():
        return False
    return any(
        isinstance(other, cst.Subscript)
        and other is not node
        and _candidate(context, other)
        and _of_one_index(context, other.value, node.value)
        and context.evidence(other)
        for other in context.cell.places
    )


def _of_one_index(context: Context, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    if context.code(one) == context.code(other):
        return True
    columns = (one, other)
    return all(_is_column(column) for column in columns) and (
        len({context.code(column.value) for column in columns if isinstance(column, cst.Subscript)})
        == 1
    )


def _is_column(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.Subscript)
        and isinstance(node.value, cst.Name)
        and string(key(node)) is not None
    )


def _candidate(context: Context, node: cst.Subscript) -> bool:
    place = key(node)
    if place is None or owner(node.value, "iloc", "loc", "iat") is not None:
        return False
    if type(literal(place)) is not int and not (
        _counted(context, place) or _are_positions(context, place)
    ):
        return False
    inferred = context.type_of(node.value)
    return inferred is None or inferred == SERIES


def _are_positions(context: Context, place: cst.BaseExpression | None) -> bool:
    """Return whether a cross-validator's `split` yields it: `for train, test in folds.split(X)`.

    The folds of scikit-learn before 0.18 were iterables themselves: `for train, test in folds`.
    """
    bounds = context.bounds(place) if place is not None else []
    return bool(bounds) and all(_is_of_split(context, bound) for bound in bounds)


def _is_of_split(context: Context, bound: Bound) -> bool:
    if not isinstance(bound, Assigned) or bound.path[-1:] not in ((0,), (1,)):
        return False
    folds = context.written(bound.value)
    if bound.path[:-1] == (None, 1) and isinstance(folds, cst.Call) and len(folds.args) == 1:
        folds = context.written(folds.args[0].value)  # enumerate(folds.split(X))
    elif bound.path[:-1] != (None,):
        return False
    if not isinstance(folds, cst.Call):
        return False
    if method_name(folds) == "split":
        return bool(folds.args)
    return context.comes_from(folds.func, "sklearn")


def _counted(context: Context, index: cst.BaseExpression) -> bool:
    """Return whether it is an integer of a loop, or arithmetic with such: `i * 5 + 1`."""
    if isinstance(index, cst.BinaryOperation):
        return isinstance(
            index.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)
        ) and all(
            type(literal(side)) is int or _counted(context, side)
            for side in (index.left, index.right)
        )
    bounds = context.bounds(index)
    return bool(bounds) and all(map(_counts, bounds))


def _counts(bound: Bound) -> bool:
    """Return whether it is the number in `for i in range(…)` or `for i, x in enumerate(…)`."""
    if not (isinstance(bound, Assigned) and isinstance(bound.value, cst.Call)):
        return False
    path = {"range": (None,), "xrange": (None,), "enumerate": (None, 0)}
    called = bound.value.func
    return isinstance(called, cst.Name) and path.get(called.value) == bound.path
