"""A tuple, list or array of one element is not spread over the rows that are set, since pandas 1.1.

https://pandas.pydata.org/docs/whatsnew/v1.1.0.html

`df.loc[mask, 'a'] = 0,` is the usual form: a comma that nobody meant. Values of other lengths than
the rows' and one were refused before, too, so what is refused today has one element.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import receiver_text, string
from mle_modernizer_server.code.types.type import ARRAY, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import only_target
from mle_modernizer_server.fixing.rules.libraries.pandas.chained_setitem import (
    is_mask,
    only_element,
)

_OF_ARRAYS = frozenset({"mode", "values", "unique", "predict", "to_numpy", "array", "asarray"})
"""Last parts of the names of functions and attributes that return an array or a Series."""


@codemod("pandas-one-element", on=cst.Assign)
def element(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `df.loc[mask, 'a'] = 0,` as `df.loc[mask, 'a'] = 0`."""
    target = only_target(node)
    if not isinstance(target, cst.Subscript):
        return None
    failed = context.evidence(node)
    if not failed and not _is_column_of_rows(context, target):
        return None
    only = only_element(node.value)
    if only is not None:
        return one(node.value, only)
    if not failed or isinstance(node.value, cst.Subscript) or _last_name(node.value) == "item":
        return None
    written = context.written(node.value)
    if only_element(written) is not None:
        return one(node.value, cst.parse_expression(f"{context.code(node.value)}[0]"))
    if context.type_of(node.value) in (ARRAY, SERIES) or _last_name(written) in _OF_ARRAYS:
        value = cst.parse_expression(f"{receiver_text(node.value)}.item()")
        return one(node.value, value)
    return Unsure("whether the value is one element is unknown")


def _is_column_of_rows(context: Context, target: cst.Subscript) -> bool:
    """Return whether a target is one column of the rows of a mask: `df.loc[df.a > 1, 'b']`."""
    base = target.value
    if not isinstance(base, cst.Attribute) or base.attr.value != "loc" or len(target.slice) != 2:
        return False
    rows, column = (one.slice for one in target.slice)
    if not isinstance(rows, cst.Index) or not isinstance(column, cst.Index):
        return False
    return string(column.value) is not None and is_mask(context, rows.value)


def _last_name(value: cst.BaseExpression) -> str:
    called = value.func if isinstance(value, cst.Call) else value
    return called.attr.value if isinstance(called, cst.Attribute) else ""
