"""`groupby` and `pivot_table` leave out categories that do not occur, since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html

Of several keys, combinations that do not occur never were groups of their own: they had no turn in
loops, functions did not see them, and their results were missing. With `observed=False` pandas 3.0
hands them to functions and loops as empty tables (tried with 2.2 and 3.1).
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Defined
from mle_modernizer_server.code.tree import argument, has_double_star, string, with_keyword
from mle_modernizer_server.code.types.type import FRAME, SERIES, TEXT
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches
from mle_modernizer_server.fixing.rules.libraries.pandas.tables_of_numbers import holds_numbers

_TEXTS = re.compile(r"""(['"])(.*?)\1""")
_ATTRIBUTES = re.compile(r"\.(\w+)")
_METHODS = {"astype", "cat", "codes", "cut", "qcut", "Categorical", "apply", "map"}
_INDIRECT = re.compile(r"\[\s*[A-Za-z_]\w*\s*\]|dtype\s*=\s*[A-Za-z_]|select_dtypes|columns")
"""Columns whose names are in a variable."""
_PARTS = {
    *("dt", "str", "index", "isnull", "isna", "notnull", "notna", "isin", "duplicated", "dtypes"),
}
"""Attributes of a column or of labels whose values are no categories."""
_NO_CATEGORIES = {
    *("pandas.Grouper", "pandas.TimeGrouper"),
    *("numpy.where", "numpy.floor", "numpy.array", "numpy.arange", "numpy.repeat"),
}
_BY_ROW = {
    *("transform", "cumcount", "cumsum", "cumprod", "cummax", "cummin", "shift", "diff", "rank"),
    *("ffill", "bfill", "pct_change", "head", "tail", "filter"),
}
_MAKES_CATEGORIES = re.compile(
    r"(astype\(\s*|dtype\s*=\s*|:\s*)['\"]category['\"]"
    r"|^\s*\w+\s*=\s*['\"]category['\"]\s*$|Categorical|\bq?cut\(",
    re.MULTILINE,
)


@codemod("pandas-groupby-observed", on=cst.Call, names=("groupby", "pivot_table"))
def all_of_them(context: Context, node: cst.Call) -> Answer:
    """`df.groupby('c')` → `df.groupby('c', observed=False)` if there are categories at all."""
    if argument(node, "observed") or has_double_star(node):
        return None
    if not _may_be_categories(context, _keys(context, node)):
        return None
    if not context.refers_to(node.func, "pandas.pivot_table"):
        if not isinstance(node.func, cst.Attribute) or not node.args:
            return None
        names = (node.func.attr.value,)
        match = method_matches(context, node.func, names, (FRAME.name, SERIES.name))
        if match is not Match.YES or argument(node, "level"):
            return None
        if holds_numbers(context, node.func.value):
            return None
        if _is_mapping(context, argument(node, "by", 0)) or _gives_rows(context, node):
            return None
    if _has_several_keys(context, node) and _sees_groups(context, node):
        return Unsure("empty groups would now be seen by functions, loops and size()")
    return one(node, with_keyword(node, "observed", cst.Name("False")))


def _has_several_keys(context: Context, node: cst.Call) -> bool:
    """Return whether more than one column may make the groups."""
    if not _is_groupby(node):
        return True
    by = argument(node, "by", 0)
    if by is None:
        return False
    value = context.written(by.value)
    if isinstance(value, (cst.List, cst.Tuple)):
        return len(value.elements) > 1
    return string(value) is None and not isinstance(value, (cst.Subscript, cst.Attribute))


def _sees_groups(context: Context, node: cst.Call) -> bool:
    """Return whether each group is visited: by the notebook's own function, a loop, `size`."""
    if not _is_groupby(node):
        how = argument(node, "aggfunc")
        return how is not None and not _is_named(context, how.value)
    for use in context.uses(node):
        cell = context.program.cell_of(use)
        above: cst.CSTNode | None = cell.places[use].parent
        if isinstance(above, (cst.For, cst.CompFor)):
            return True
        while isinstance(above, (cst.Subscript, cst.Attribute)):
            use, above = above, cell.places[above].parent
        if not isinstance(above, cst.Call) or not isinstance(use, cst.Attribute):
            continue
        called = use.attr.value
        if called in ("size", "pipe"):
            return True
        statistics = called in ("agg", "aggregate", "apply")
        if statistics and not all(_is_named(context, arg.value) for arg in above.args):
            return True
    return False


def _is_named(context: Context, how: cst.BaseExpression) -> bool:
    """Return whether statistics are names, or NumPy's: these compute nothing for no rows."""
    if isinstance(how, (cst.List, cst.Tuple)):
        return all(_is_named(context, element.value) for element in how.elements)
    if isinstance(how, cst.Dict):
        return all(_is_named(context, element.value) for element in how.elements)
    numpy = context.comes_from(how, "numpy")
    return numpy or context.type_of(how) == TEXT


def _gives_rows(context: Context, groups: cst.Call) -> bool:
    """Return whether each row gets a value of its group: no row has a missing category."""
    above = context.parent(groups)
    if isinstance(above, cst.Subscript):
        above = context.parent(above)
    return isinstance(above, cst.Attribute) and above.attr.value in _BY_ROW


def _keys(context: Context, node: cst.Call) -> frozenset[str] | None:
    """Return the columns that make the groups and may be categories; None if unknown."""
    given = [argument(node, "by", 0)] if _is_groupby(node) else []
    if not _is_groupby(node):
        function = not isinstance(node.func, cst.Attribute) or argument(node, "data") is not None
        first = 1 if function or len(node.args) > 3 else 0
        given = [argument(node, "index", first + 1), argument(node, "columns", first + 2)]
        if any(arg.keyword is None for arg in node.args[1:]):
            return None
    names: set[str] = set()
    for arg in given:
        keys = frozenset() if arg is None else _named(context, arg.value)
        if keys is None:
            return None
        names |= keys
    return frozenset(names)


def _named(context: Context, by: cst.BaseExpression) -> frozenset[str] | None:
    """Return the columns that a key names; none if the key is never a category."""
    label = string(by)
    if label is not None:
        return frozenset({label})
    if isinstance(by, (cst.List, cst.Tuple)):
        keys = [element.value for element in by.elements]
        arrays = [key for key in keys if isinstance(context.written(key), cst.List)]
        found = [_named(context, key) for key in keys if key not in arrays]
        return None if None in found else frozenset().union(*(one for one in found if one))
    if isinstance(by, cst.Name):
        given = context.written(by)
        return None if isinstance(given, cst.Name) else _named(context, given)
    column = column_of(context, by)
    if isinstance(column, Column):
        name = string(cst.parse_expression(column.name))
        return None if name is None else frozenset({name})
    return frozenset() if _is_computed(context, by) else None


def _is_computed(context: Context, by: cst.BaseExpression) -> bool:
    """Return whether a key is computed, and so no category.

    A comparison, arithmetic, a part of a date or a text, an array.
    """
    if isinstance(by, (cst.Comparison, cst.BinaryOperation, cst.UnaryOperation)):
        return True
    called = by.func if isinstance(by, cst.Call) else by
    if context.refers_to(called, *_NO_CATEGORIES):
        return True
    if isinstance(called, cst.Subscript):
        called = called.value  # `.str[0]`
    if isinstance(called, cst.Attribute) and called.attr.value == "index":
        return False  # the labels of an index may be categories
    while isinstance(called, cst.Attribute):
        if called.attr.value in _PARTS:
            return True
        called = called.value
    return False


def _is_mapping(context: Context, by: cst.Arg | None) -> bool:
    """Return whether a function or a dict maps labels to groups, which are no categories then."""
    if by is None:
        return False
    if isinstance(by.value, (cst.Lambda, cst.Dict)):
        return True
    if context.comes_from(by.value, "builtins"):
        return True
    inferred = context.type_of(by.value)
    if inferred is not None and inferred.name == "builtins.dict":
        return True
    if not isinstance(by.value, cst.Name):
        return False
    bounds = context.bounds(by.value)
    return bool(bounds) and all(
        isinstance(one, Defined)
        or (isinstance(one, Assigned) and isinstance(one.value, cst.Lambda))
        for one in bounds
    )


def _is_groupby(node: cst.Call) -> bool:
    called = node.func
    name = called.attr if isinstance(called, cst.Attribute) else called
    return isinstance(name, cst.Name) and name.value == "groupby"


def _may_be_categories(context: Context, keys: frozenset[str] | None) -> bool:
    """Return whether any of the columns may contain categories.

    A statement that makes categories is about the columns it names; one that names none (in a loop,
    or for a whole table) may be about any.
    """
    if keys is not None and not keys:
        return False
    for cell in context.program.cells:
        if not _MAKES_CATEGORIES.search(cell.source):
            continue
        if keys is None:
            return True
        for node in cell.places:
            if not isinstance(node, cst.SimpleStatementLine):
                continue
            code = cell.code(node)
            if not _MAKES_CATEGORIES.search(code):
                continue
            texts = {two for _, two in _TEXTS.findall(code)} - {"category"}
            named = texts | (set(_ATTRIBUTES.findall(code)) - _METHODS)
            if not named or named & keys or _INDIRECT.search(code):
                return True
    return False
