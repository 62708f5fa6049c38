"""A column of a DataFrame as people write it: `df['a']`, `df.a`, `df.loc[:, 'a']`."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import literal, method_name, string
from mle_modernizer_server.code.types import returns
from mle_modernizer_server.code.types.type import FRAME, LABEL, SCALAR, TEXT
from mle_modernizer_server.fixing.rules.engine.context import Context, Unsure
from mle_modernizer_server.fixing.rules.engine.shapes import index, is_everything, key, owner

_ACCESSORS = ("columns", "index", "values", "loc", "iloc", "ix", "at", "iat", "T", "dtypes")
_NO_COLUMNS = frozenset((*_ACCESSORS, "str", "dt", "cat", "groupby", "name", "sparse"))

_PAIRS = ("items", "iteritems", "most_common")
"""Methods that return pairs of a label and a value to iterate over."""


@dataclass(frozen=True)
class Column:
    """One column and the DataFrame it belongs to."""

    frame: cst.BaseExpression
    name: str
    """Code of the label."""
    whole: cst.Subscript | None = None
    """`df.loc[:, 'a']`, which can be assigned to unchanged."""

    def expression(self, context: Context) -> cst.Subscript:
        """Return an expression for the column that can be assigned to."""
        if self.whole is not None:
            return self.whole.deep_clone()
        column = cst.parse_expression(f"{context.code(self.frame)}[{self.name}]")
        assert isinstance(column, cst.Subscript)
        return column


def column_of(context: Context, node: cst.CSTNode) -> Column | Unsure | None:
    """Return the column of an expression; None if it is no column, or a copy of one."""
    if isinstance(node, cst.Attribute):
        return _attribute(context, node)
    if not isinstance(node, cst.Subscript):
        return None
    table = owner(node.value, "loc")
    if table is not None and len(node.slice) == 2:
        label = index(node.slice[1].slice)
        if label is not None and string(label) is not None and is_everything(node.slice[0].slice):
            return Column(table, context.code(label), node)
        return None
    label = key(node)
    if label is None or not _is_label(context, label):
        return None
    return _known(context, node.value, context.code(label))


def lasts(node: cst.BaseExpression) -> bool:
    """Return whether a table outlives its statement: an assignment to a copy is lost.

    `df`, `self.df`, `tables[0]` do; `df.head()`, `df.iloc[:9]`, `df[['a', 'b']]` do not.
    """
    if isinstance(node, cst.Name):
        return True
    if isinstance(node, cst.Attribute):
        return node.attr.value not in _ACCESSORS and lasts(node.value)
    item = (cst.SimpleString, cst.Integer, cst.Name, cst.Subscript)
    return isinstance(node, cst.Subscript) and isinstance(key(node), item) and lasts(node.value)


def _is_label(context: Context, index: cst.BaseExpression) -> bool:
    """Return whether an index is one label: text, or a loop variable of unknown values."""
    if string(index) is not None:
        return True
    inferred = context.type_of(index)
    if inferred is not None:
        return inferred in (TEXT, SCALAR, LABEL)
    if isinstance(index, cst.Subscript):
        return _is_item_of_pair(context, index)
    if isinstance(index, cst.BinaryOperation):
        return _is_lengthened_label(context, index)
    bounds = context.bounds(index)
    return bool(bounds) and all(
        isinstance(bound, Assigned)
        and (None in bound.path or _is_other_label(context, bound, context.code(index)))
        for bound in bounds
    )


def _is_other_label(context: Context, bound: Assigned, name: str) -> bool:
    """Return whether a name was assigned another name's label, or a text: `column = language`."""
    if bound.path or (isinstance(bound.value, cst.Name) and bound.value.value == name):
        return False
    if isinstance(bound.value, cst.BinaryOperation):
        return _is_lengthened_label(context, bound.value)
    return isinstance(bound.value, (cst.Name, cst.SimpleString)) and _is_label(context, bound.value)


def _is_lengthened_label(context: Context, value: cst.BinaryOperation) -> bool:
    """Return whether the value is `name + '_before'` of a loop variable: a label made of
    another.
    """
    if not isinstance(value.operator, cst.Add):
        return False
    sides = [side for side in (value.left, value.right) if string(side) is None]
    if len(sides) != 1 or not isinstance(sides[0], cst.Name):
        return False
    bounds = context.bounds(sides[0])
    return bool(bounds) and all(
        isinstance(bound, Assigned) and None in bound.path for bound in bounds
    )


def _is_item_of_pair(context: Context, node: cst.Subscript) -> bool:
    """Return whether the node is `z[0]` in `for z in zip(…)`, like `a` in `for a, b in zip(…)`."""
    if type(literal(index(node.slice[0].slice))) is not int:
        return False
    bounds = context.bounds(node.value)
    return bool(bounds) and all(
        isinstance(bound, Assigned) and bound.path == (None,) and _gives_pairs(context, bound.value)
        for bound in bounds
    )


def _gives_pairs(context: Context, value: cst.BaseExpression) -> bool:
    if not isinstance(value, cst.Call):
        return False
    if {"builtins.zip", "builtins.enumerate"} & set(context.qualnames(value.func)):
        return True
    return method_name(value) in _PAIRS


def _attribute(context: Context, node: cst.Attribute) -> Column | Unsure | None:
    name = node.attr.value
    if name in _NO_COLUMNS or returns.has(FRAME, name) or context.qualnames(node):
        return None
    if isinstance(node.value, cst.Name) and node.value.value == "self":
        return None
    return _known(context, node.value, repr(node.attr.value))


def _known(context: Context, frame: cst.BaseExpression, name: str) -> Column | Unsure | None:
    inferred = context.type_of(frame)
    if inferred == FRAME:
        return Column(frame, name)
    if inferred is not None:
        return None
    if context.cell.cell_id in context.run.warned:
        return Column(frame, name)
    return Unsure(f"it cannot be told whether `{context.code(frame)}` is a DataFrame")
