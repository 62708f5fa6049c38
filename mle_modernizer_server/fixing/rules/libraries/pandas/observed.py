"""`groupby` and `pivot_table` leave out categories that do not occur, since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import Assigned, Defined
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    has_double_star,
    literal,
    with_keyword,
)
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    function_matches,
    method_matches,
)
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES

_TEXTS = re.compile(r"""(['"])(.*?)\1""")
_ATTRIBUTES = re.compile(r"\.(\w+)")
_METHODS = {"astype", "cat", "codes", "cut", "qcut", "Categorical", "apply", "map"}
_INDIRECT = re.compile(r"\[\s*[A-Za-z_]\w*\s*\]|dtype\s*=\s*[A-Za-z_]|select_dtypes|columns")
"""Columns that a variable names."""
_MAKES_CATEGORIES = re.compile(r"['\"]category['\"]|Categorical|\bq?cut\(")


@codemod("pandas-groupby-observed", on=cst.Call, names=("groupby", "pivot_table"))
def all_of_them(context: Context, node: cst.Call) -> Answer:
    """`df.groupby('c')` → `df.groupby('c', observed=False)`, where there are categories at all."""
    if argument(node, "observed") or has_double_star(node):
        return None
    if not _may_be_categories(context, _keys(node)):
        return None
    if not function_matches(context, node.func, ("pandas.pivot_table",)):
        if not isinstance(node.func, cst.Attribute) or not node.args:
            return None
        names = (node.func.attr.value,)
        match = method_matches(context, node.func, names, (FRAME.name, SERIES.name))
        if match is not Match.YES or argument(node, "level"):
            return None
        if _is_mapping(context, argument(node, "by", 0)):
            return None
    return one(node, with_keyword(node, "observed", cst.Name("False")))


def _keys(node: cst.Call) -> frozenset[str] | None:
    """The columns that make the groups; None where they are not all written out."""
    names: set[str] = set()
    given = [argument(node, "by", 0)] if _is_groupby(node) else []
    if not _is_groupby(node):
        function = not isinstance(node.func, cst.Attribute) or argument(node, "data") is not None
        first = 1 if function or len(node.args) > 3 else 0
        given = [argument(node, "index", first + 1), argument(node, "columns", first + 2)]
        if any(arg.keyword is None for arg in node.args[1:]):
            return None
    for arg in given:
        value = None if arg is None else literal(arg.value)
        keys = value if isinstance(value, list) else [value] if value is not None else []
        if not all(isinstance(key, str) for key in keys):
            return None
        names.update(map(str, keys))
    return frozenset(names) if names else None


def _is_mapping(context: Context, by: cst.Arg | None) -> bool:
    """Whether a function or a dict makes the groups out of the labels: no categories then."""
    if by is None:
        return False
    if isinstance(by.value, (cst.Lambda, cst.Dict)):
        return True
    inferred = context.type_of(by.value)
    if inferred is not None and inferred.name == "builtins.dict":
        return True
    if not isinstance(by.value, cst.Name):
        return False
    bindings = context.program.lookup(by.value.value, by.value).bindings
    return bool(bindings) and all(
        isinstance(one.bound, Defined)
        or (isinstance(one.bound, Assigned) and isinstance(one.bound.value, cst.Lambda))
        for one in bindings
    )


def _is_groupby(node: cst.Call) -> bool:
    called = node.func
    name = called.attr if isinstance(called, cst.Attribute) else called
    return isinstance(name, cst.Name) and name.value == "groupby"


def _may_be_categories(context: Context, keys: frozenset[str] | None) -> bool:
    """Whether one of some columns may hold categories.

    A statement that makes categories is about the columns it names; one that names none (in a loop,
    or for a whole table) may be about any.
    """
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
