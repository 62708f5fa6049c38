"""A whole number in square brackets is a label since pandas 3.0, never a position.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

Nothing is done unless the run failed at the place: on an index of whole numbers they always were
labels.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    descendants,
    expression,
    literal,
    receiver_text,
    string,
)
from mle_modernizer_server.fixing.rules.types.type import SERIES

_WHOLE_NUMBERS = re.compile(r"Int64HashTable|RangeIndex|indexes/range\.py|Int64Engine")


@codemod("pandas-integer-position", on=cst.Subscript)
def by_position(scene: Scene, node: cst.Subscript) -> Answer:
    """`df.dtypes[0]` → `df.dtypes.iloc[0]`, where the run failed with `KeyError: 0`."""
    if not _candidate(scene, node):
        return None
    if not scene.evidence(node) and not _like_one_that_failed(scene, node):
        return None
    if any(_WHOLE_NUMBERS.search("\n".join(error.traceback)) for error in scene.failing()):
        return Unsure("the index holds whole numbers: the label is missing")
    if scene.kind(node.value) is None:
        statement = scene.statement(node)
        others = [
            other
            for other in descendants(statement or node)
            if isinstance(other, cst.Subscript) and other is not node and _candidate(scene, other)
        ]
        same = all(scene.code(other.value) == scene.code(node.value) for other in others)
        if others and not same:
            return Unsure("several things in the line may be the Series")
    return one(node.value, expression(f"{receiver_text(node.value)}.iloc"))


def _like_one_that_failed(scene: Scene, node: cst.Subscript) -> bool:
    """Whether the run failed in this cell at the same Series, or a column of the same table."""
    if not scene.failing():
        return False
    return any(
        isinstance(other, cst.Subscript)
        and other is not node
        and _candidate(scene, other)
        and _of_one_index(scene, other.value, node.value)
        and scene.evidence(other)
        for other in scene.cell.places
    )


def _of_one_index(scene: Scene, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    if scene.code(one) == scene.code(other):
        return True
    columns = (one, other)
    return all(_is_column(column) for column in columns) and (
        len({scene.code(column.value) for column in columns if isinstance(column, cst.Subscript)})
        == 1
    )


def _is_column(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.Subscript)
        and isinstance(node.value, cst.Name)
        and len(node.slice) == 1
        and isinstance(node.slice[0].slice, cst.Index)
        and string(node.slice[0].slice.value) is not None
    )


def _candidate(scene: Scene, node: cst.Subscript) -> bool:
    index = node.slice[0].slice
    if len(node.slice) != 1 or not isinstance(index, cst.Index):
        return False
    if type(literal(index.value)) is not int:
        return False
    if isinstance(node.value, cst.Attribute) and node.value.attr.value in ("iloc", "loc", "iat"):
        return False
    kind = scene.kind(node.value)
    return kind is None or kind == SERIES
