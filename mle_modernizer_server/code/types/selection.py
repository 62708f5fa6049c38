"""Type of an expression in square brackets: a column, rows, a part of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from mle_modernizer_server.code.types.type import (
    ARRAY,
    FRAME,
    FRAME_GROUPS,
    INDEX,
    LABEL,
    SCALAR,
    SERIES,
    SERIES_GROUPS,
    TEXT,
    Type,
)

KindOf = Callable[[cst.CSTNode], Type | None]


def selected(receiver: Type, elements: Sequence[cst.SubscriptElement], of: KindOf) -> Type | None:
    """Return the type of `receiver[elements]`; None if unknown."""
    indices = [element.slice for element in elements]
    if receiver == FRAME and len(indices) == 1:
        return _selected(of, indices[0], SERIES, FRAME)
    if receiver in (SERIES, INDEX) and len(indices) == 1:
        return _picked(of, receiver, indices[0])
    if receiver == FRAME_GROUPS:
        if len(indices) == 1:
            return _selected(of, indices[0], SERIES_GROUPS, FRAME_GROUPS)
        return FRAME_GROUPS
    if receiver.name in ("pandas.loc", "pandas.iloc", "pandas.ix"):
        one_row = (
            receiver.name == "pandas.iloc"
            and isinstance(indices[0], cst.Index)
            and of(indices[0].value) == SCALAR
        )
        if receiver.items[0] == FRAME and len(indices) == 1 and one_row:
            return SERIES
        return _located(of, receiver.items[0], indices)
    if receiver == ARRAY:
        return ARRAY if any(_is_many(of, index) for index in indices) else None
    if receiver.name in ("builtins.list", "builtins.tuple") and len(indices) == 1:
        index = indices[0]
        if isinstance(index, cst.Slice):
            return Type(receiver.name, (receiver.each,))
        if isinstance(index, cst.Index) and isinstance(index.value, cst.Integer):
            at = int(index.value.evaluated_value)
            return receiver.items[at] if at < len(receiver.items) else receiver.each
        return receiver.each
    return receiver if receiver == TEXT else None


def _picked(of: KindOf, receiver: Type, index: cst.BaseSlice) -> Type | None:
    """Return the type of an item of a Series or an index."""
    if _is_many(of, index):
        return receiver
    if not _is_one(of, index):
        return None
    return SCALAR if receiver == SERIES else LABEL


def _selected(of: KindOf, index: cst.BaseSlice, one: Type, many: Type) -> Type | None:
    if _is_one(of, index):
        return one
    is_mask = isinstance(index, cst.Index) and of(index.value) == FRAME
    return many if is_mask or _is_many(of, index) else None


def _is_one(of: KindOf, index: cst.BaseSlice) -> bool:
    return isinstance(index, cst.Index) and of(index.value) in (SCALAR, TEXT, LABEL)


def _is_many(of: KindOf, index: cst.BaseSlice) -> bool:
    if isinstance(index, cst.Slice):
        return True
    assert isinstance(index, cst.Index)
    inferred = of(index.value)
    several = inferred is not None and inferred.name == "builtins.list"
    return several or inferred in (SERIES, INDEX, ARRAY)


def _located(of: KindOf, base: Type | None, indices: Sequence[cst.BaseSlice]) -> Type | None:
    if base == SERIES:
        return SERIES if _is_many(of, indices[0]) else None
    rows_many = _is_many(of, indices[0])
    if len(indices) == 1:
        return FRAME if rows_many else None
    columns_many = _is_many(of, indices[1])
    column_one = _is_one(of, indices[1])
    if rows_many and column_one:
        return SERIES
    return FRAME if rows_many and columns_many else None
