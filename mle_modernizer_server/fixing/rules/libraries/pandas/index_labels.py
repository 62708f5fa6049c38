"""The kind of labels of a table's rows and columns: integers, or texts and times.

Old versions of pandas took an integer for a label if the labels are numbers, and for a position
otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import argument, literal, method_name, same_literal, string
from mle_modernizer_server.code.types.type import ARRAY, FRAME, SERIES, TEXT, Type
from mle_modernizer_server.fixing.rules.engine.context import Context
from mle_modernizer_server.fixing.rules.engine.shapes import index
from mle_modernizer_server.fixing.rules.libraries.pandas.row_numbers import (
    READERS,
    indexed_in_place,
    may_have_other_index,
)


class Labels(Enum):
    """Kind of the labels of rows or columns."""

    NUMBERS = "numbers"
    OTHERS = "texts or times"
    UNKNOWN = "unknown"


_WHOLE_TYPES = ("int", "'int'", '"int"', "'int64'", '"int64"', "np.int64", "np.int32")
_KEEP_LABELS = frozenset(
    {"dropna", "fillna", "copy", "head", "tail", "sort_values", "sort_index", "sample", "assign"}
    | {"drop_duplicates", "round", "replace", "query"}
)
_LEVELS = re.compile(
    r"MultiIndex|\b(stack|unstack|pivot_table|crosstab)\(|keys\s*=\s*\["
    r"|(set_index|groupby)\(\s*(by\s*=\s*|keys\s*=\s*)?\[|index_col\s*=\s*[\[(]|index\s*=\s*\[\s*[\[(]"
)
"""Code that makes rows with labels of several levels."""


def row_labels(context: Context, table: cst.BaseExpression) -> Labels:
    """Return the kind of labels of a table's rows."""
    if not may_have_other_index(context, table):
        return Labels.NUMBERS
    if isinstance(table, cst.Name) and indexed_in_place(context, table.value):
        return Labels.UNKNOWN
    made = _of_rows(context, table)
    if made is Labels.UNKNOWN and _is_asked_for_texts(context, table):
        return Labels.OTHERS
    return made


def column_labels(context: Context, table: cst.BaseExpression) -> Labels:
    """Return the kind of labels of a table's columns: numbers if it is made without names."""
    if not isinstance(table, cst.Name) or _has_columns_named(context, table.value):
        return Labels.UNKNOWN
    made = {_of_columns(context, value) for value in context.all_written(table)}
    if Labels.NUMBERS in made and _gets_named_column(context, table.value):
        return Labels.UNKNOWN
    return made.pop() if len(made) == 1 else Labels.UNKNOWN


def may_have_no_names(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether the labels of columns may be numbers, according to the code.

    They are if a table is made of an array, or of the values of another one: `df.T`,
    `pd.get_dummies(df.a)`, `pd.crosstab(df.a, df.b)`.
    """
    if isinstance(table, cst.Name):
        if _has_columns_named(context, table.value):
            return False
        return any(_may_be_numbered(context, value) for value in context.all_written(table))
    return _may_be_numbered(context, table)


def _may_be_numbered(context: Context, made: cst.BaseExpression) -> bool:
    """Return whether this expression may make columns with numbers as labels."""
    if isinstance(made, cst.Attribute):
        return made.attr.value == "T"
    if not isinstance(made, cst.Call):
        return False
    names = set(context.qualnames(made.func))
    if "pandas.DataFrame" in names:
        return (
            bool(made.args)
            and argument(made, "columns", 2) is None
            and not isinstance(made.args[0].value, (cst.Dict, cst.DictComp))
            and context.type_of(made.args[0].value) not in (Type("builtins.dict"), FRAME)
        )
    if "pandas.get_dummies" in names:
        of_table = bool(made.args) and context.type_of(made.args[0].value) == FRAME
        return not of_table and argument(made, "prefix", 1) is None
    if "pandas.concat" in names:
        axis = argument(made, "axis", 1)
        return axis is not None and not same_literal(axis.value, 0)
    if {"pandas.crosstab", "pandas.pivot_table", "pandas.pivot"} & names:
        return True
    if not isinstance(made.func, cst.Attribute):
        return False
    method = made.func.attr.value
    if method in ("transpose", "unstack", "pivot", "pivot_table"):
        return True
    return method in (*_KEEP_LABELS, "apply", "astype") and may_have_no_names(
        context, made.func.value
    )


def may_have_levels(context: Context) -> bool:
    """Return whether some table of the notebook may have rows with labels of several levels."""
    return any(_LEVELS.search(cell.source) for cell in context.program.cells)


def rows_asked_for(
    context: Context, table: cst.BaseExpression, *accessors: str
) -> Iterator[cst.Subscript]:
    """Yield the uses of accessors on the same table: `df.ix[…]`; none if it has no name."""
    if not isinstance(table, cst.Name):
        return
    meant = context.program.lookup(table.value, table).bindings
    for node in context.nodes(cst.Subscript):
        if (
            isinstance(node.value, cst.Attribute)
            and node.value.attr.value in accessors
            and isinstance(other := node.value.value, cst.Name)
            and other.value == table.value
            and context.program.lookup(other.value, other).bindings == meant
        ):
            yield node


def _of_rows(context: Context, node: cst.BaseExpression, depth: int = 0) -> Labels:
    """Return the kind of labels according to the expression that makes the table."""
    if depth > 5:
        return Labels.UNKNOWN
    if isinstance(node, cst.Name):
        bindings = context.program.lookup(node.value, node).bindings
        if not all(isinstance(one.bound, Assigned) and not one.bound.path for one in bindings):
            return Labels.UNKNOWN
        values = context.all_written(node)
        made = {_of_rows(context, value, depth + 1) for value in values if value is not node}
        return made.pop() if len(made) == 1 else Labels.UNKNOWN
    if not isinstance(node, cst.Call):
        return Labels.UNKNOWN
    if context.refers_to(node.func, "pandas.DataFrame", "pandas.Series"):
        given = argument(node, "index", 1)
        return _of_index(context, given.value) if given is not None else Labels.UNKNOWN
    if not isinstance(node.func, cst.Attribute):
        return Labels.UNKNOWN
    method, receiver = node.func.attr.value, node.func.value
    if method == "set_index" and node.args and isinstance(node.args[0].value, cst.Call):
        return _of_index(context, node.args[0].value)
    if method in _KEEP_LABELS and argument(node, "ignore_index") is None:
        return _of_rows(context, receiver, depth + 1)
    if method == "describe" and context.type_of(receiver) in (FRAME, SERIES):
        return Labels.OTHERS  # names of statistics
    if method in ("corr", "cov"):
        while isinstance(receiver, (cst.Subscript, cst.Attribute)):
            receiver = receiver.value  # some of its rows or columns
        return column_labels(context, receiver)
    return Labels.UNKNOWN


def _of_index(context: Context, node: cst.BaseExpression) -> Labels:
    """Return the kind of labels according to the values that are passed as an index."""
    given = literal(node)
    if isinstance(given, (list, tuple)) and given:
        if all(isinstance(one, str) for one in given) and isinstance(node, cst.List):
            return Labels.OTHERS
        return Labels.NUMBERS if all(type(one) is int for one in given) else Labels.UNKNOWN
    if not isinstance(node, cst.Call):
        return Labels.UNKNOWN
    names = set(context.qualnames(node.func))
    if {"pandas.date_range", "pandas.to_datetime", "pandas.period_range"} & names:
        return Labels.OTHERS
    if {"builtins.range", "numpy.arange"} & names:
        return Labels.NUMBERS
    if method_name(node) == "astype" and node.args:
        whole = context.code(node.args[0].value) in _WHOLE_TYPES
        return Labels.NUMBERS if whole else Labels.UNKNOWN
    return Labels.UNKNOWN


def _is_asked_for_texts(context: Context, table: cst.BaseExpression) -> bool:
    """Return whether a row of the same table is accessed by a text: `df.ix['Austria']`."""
    return any(
        (label := index(node.slice[0].slice)) is not None
        and (string(label) is not None or context.type_of(label) == TEXT)
        and not isinstance(context.parent(node), cst.AssignTarget)
        for node in rows_asked_for(context, table, "ix", "loc")
    )


def _of_columns(context: Context, value: cst.BaseExpression) -> Labels:
    if not isinstance(value, cst.Call):
        return Labels.UNKNOWN
    names = set(context.qualnames(value.func))
    if names & set(READERS):
        header = argument(value, "header")
        unnamed = header is not None and same_literal(header.value, None)
        if unnamed and argument(value, "names") is None:
            return Labels.NUMBERS
        return Labels.UNKNOWN if header is not None else Labels.OTHERS
    if "pandas.DataFrame" in names and value.args:
        if argument(value, "columns", 2) is not None or any(arg.star for arg in value.args):
            return Labels.UNKNOWN
        data = value.args[0].value
        if isinstance(data, cst.Attribute) and data.attr.value == "data":
            return Labels.NUMBERS  # of a data set that comes with a library
        return Labels.NUMBERS if context.type_of(data) == ARRAY else Labels.UNKNOWN
    return Labels.UNKNOWN


def _has_columns_named(context: Context, name: str) -> bool:
    """Return whether something is assigned to `columns` of a table of this name."""
    return any(
        node.attr.value == "columns"
        and isinstance(node.value, cst.Name)
        and node.value.value == name
        and isinstance(context.parent(node), cst.AssignTarget)
        for node in context.nodes(cst.Attribute)
    )


def _gets_named_column(context: Context, name: str) -> bool:
    """Return whether a column with a name is put into a table: `df['target'] = y`."""
    return any(
        isinstance(target := node.target, cst.Subscript)
        and isinstance(target.value, cst.Name)
        and target.value.value == name
        and (label := index(target.slice[0].slice)) is not None
        and type(literal(label)) is not int
        for node in context.nodes(cst.AssignTarget)
    )
