"""Since pandas 3.0 `replace` leaves a column of objects if it replaced text by numbers.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html

It returned integers, and `fillna(False)` bools; classifiers and Keras refuse objects.
`infer_objects()` restores the old result.
"""

from __future__ import annotations

import re
from enum import Enum

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    receiver_text,
    same_literal,
    string,
)
from mle_modernizer_server.code.types.type import FRAME, SCALAR, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.lines import around, bare, behind
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_CONVERTED = ("infer_objects", "astype", "convert_dtypes", "convert_objects")
"""Methods that return the right type anyway."""


_MISSING = re.compile(r"\W*|n/?a|nan|none|null|missing|unknown", re.IGNORECASE)
"""A text that marks a missing value: the other texts of its column stay."""


_DATES = {"pandas.Timestamp", "pandas.to_datetime", "datetime.datetime", "datetime.date"}


_MADE = {
    *("pandas.DataFrame", "pandas.DataFrame.from_dict", "pandas.DataFrame.from_records"),
    *("pandas.read_excel", "pandas.read_pickle", "pandas.read_json"),
}
"""Functions that make tables with numbers and texts in one column."""


class _What(Enum):
    TEXT = "text"
    NUMBER = "a number"
    BOOL = "True or False"
    MAYBE = "cannot be told"
    OTHER = "neither text nor a number"


@codemod("pandas-replace-types", on=cst.Call, names=("replace",))
def replaced(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.replace({'a': 1})` as `s.replace({'a': 1}).infer_objects()`."""
    return _inferred(context, node) if _is_concerned(context, node) else None


@codemod("pandas-replace-types", on=cst.Call, names=("fillna",))
def filled(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.fillna(False)` as `s.fillna(False).infer_objects()`."""
    value = argument(node, "value", 0)
    if value is None or not isinstance(literal(value.value), bool) or not _has_table(context, node):
        return None
    return _inferred(context, node)


def may_leave_objects(context: Context, node: cst.Call, parent: cst.CSTNode | None) -> bool:
    """Return whether this call of `replace` may leave numbers in a column of objects.

    It replaced texts by numbers, or removed texts that marked missing values among numbers. The
    latter only in tables that are not all read from text files: their columns are texts.

    Args:
        context: Of a rule.
        node: The call, in any cell.
        parent: The node above it.
    """
    if isinstance(parent, cst.Attribute) and parent.attr.value in _CONVERTED:
        return False
    old = argument(node, "to_replace", 0)
    mark = None if old is None else string(context.written(old.value))
    if mark is not None and _MISSING.fullmatch(mark):
        return any(_MADE & set(context.qualnames(call.func)) for call in context.nodes(cst.Call))
    return _is_concerned(context, node)


def _inferred(context: Context, node: cst.Call) -> Answer:
    parent = context.parent(node)
    if isinstance(parent, cst.Attribute):
        if parent.attr.value in _CONVERTED:
            return None
        above = context.parent(parent)
        if (
            parent.attr.value == "replace"
            and isinstance(above, cst.Call)
            and _is_concerned(context, above)
        ):
            return None  # the outer call gets the `infer_objects()`
    inplace = argument(node, "inplace")
    if inplace is None or same_literal(inplace.value, False):
        return one(node, expression(f"{receiver_text(node)}.infer_objects()"))
    return _inferred_behind(context, node, parent) if same_literal(inplace.value, True) else None


def _inferred_behind(context: Context, node: cst.Call, parent: cst.CSTNode | None) -> Answer:
    """Insert `df[df.columns] = df.infer_objects()` in the line after an inplace `replace`.

    Another rule first converts `df['a'].replace(…, inplace=True)` to an assignment.
    """
    assert isinstance(node.func, cst.Attribute)
    table = node.func.value
    inferred = context.type_of(table)
    line = context.parent(parent) if isinstance(parent, cst.Expr) else None
    if not isinstance(table, cst.Name) or inferred not in (FRAME, SERIES):
        return None
    if not isinstance(line, cst.SimpleStatementLine) or line.body[-1] is not parent:
        return None
    name = table.value
    target = f"{name}[{name}.columns]" if inferred == FRAME else name
    text = f"{target} = {name}.infer_objects()"
    for after in around(context, line)[1]:
        code = bare(context, after)
        if code == text:
            return None
        if not code.startswith(f"{name}.replace("):
            break
    return behind(line, text)


def _has_table(context: Context, node: cst.Call) -> bool:
    return isinstance(node.func, cst.Attribute) and context.type_of(node.func.value) in (
        FRAME,
        SERIES,
    )


def _is_concerned(context: Context, node: cst.Call) -> bool:
    """Return whether a call may replace text by numbers."""
    if not isinstance(node.func, cst.Attribute) or context.qualnames(node.func):
        return False
    inferred = context.type_of(node.func.value)
    old, new = argument(node, "to_replace", 0), argument(node, "value", 1)
    if old is None or inferred not in (FRAME, SERIES, None):
        return False
    source = context.written(old.value)
    mark = string(source)
    if mark is not None and _MISSING.fullmatch(mark):
        return False
    if new is not None:
        before, after = _inference(context, old.value), _inference(context, new.value)
    elif isinstance(source, cst.Dict):
        before, after = _pairs(context, source)
    elif isinstance(source, (cst.DictComp, cst.Call, cst.Name, cst.Subscript)):
        before = after = {_What.MAYBE}
    else:
        return False
    certain = inferred is not None or (
        _certain(before, after) and not context.program.has_other_tables
    )
    return certain and _may_meet(before, after)


def _certain(before: set[_What], after: set[_What]) -> bool:
    return _What.TEXT in before and not after.isdisjoint((_What.NUMBER, _What.BOOL))


def _may_meet(before: set[_What], after: set[_What]) -> bool:
    return not before.isdisjoint((_What.TEXT, _What.BOOL, _What.MAYBE)) and not after.isdisjoint(
        (_What.NUMBER, _What.BOOL, _What.MAYBE)
    )


def _pairs(context: Context, display: cst.Dict) -> tuple[set[_What], set[_What]]:
    """Return the kinds of the keys and of the values, also in nested dicts."""
    before: set[_What] = set()
    after: set[_What] = set()
    for element in display.elements:
        if not isinstance(element, cst.DictElement):
            return {_What.MAYBE}, {_What.MAYBE}
        inner = context.written(element.value)
        if isinstance(inner, cst.Dict):
            old, new = _pairs(context, inner)
            before |= old
            after |= new
        else:
            before |= _inference(context, element.key)
            after |= _inference(context, element.value)
    return before, after


def _inference(context: Context, value: cst.BaseExpression) -> set[_What]:
    """Return the kinds of a value, or of the elements of a list."""
    value = context.written(value)
    if isinstance(value, (cst.List, cst.Tuple)):
        return {what for element in value.elements for what in _inference(context, element.value)}
    if isinstance(value, cst.Dict):
        return _pairs(context, value)[1]
    found = literal(value)
    if isinstance(found, bool):
        return {_What.BOOL}
    if isinstance(found, (int, float)) or context.type_of(value) == SCALAR:
        return {_What.NUMBER}
    if isinstance(found, str):
        return {_What.TEXT}
    if isinstance(value, cst.Call) and context.refers_to(value.func, *_DATES):
        return {_What.OTHER}
    if isinstance(value, (cst.Name, cst.Subscript, cst.Call, cst.ListComp, cst.DictComp)):
        return {_What.OTHER} if found is None else {_What.MAYBE}
    return {_What.OTHER}
