"""`scipy.stats.mode` drops the dimension it counted over, since SciPy 1.11.

https://docs.scipy.org/doc/scipy/release/1.11.0-notes.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Parameter
from mle_modernizer_server.code.tree import (
    argument,
    descendants,
    has_double_star,
    same_literal,
    with_keyword,
)
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NUMBERS = frozenset({"builtins.int", "builtins.float"})


@codemod("scipy-stats-mode", on=cst.Call, functions=("scipy.stats.mode",))
def kept(context: Context, node: cst.Call) -> Answer:
    """Rewrite `stats.mode(x)[0][0]` as `stats.mode(x, keepdims=True)[0][0]`."""
    if has_double_star(node):
        return None
    axis = argument(node, "axis", 1)
    if argument(node, "keepdims", 3) or (axis is not None and same_literal(axis.value, None)):
        return None
    if _is_one_number(context, node) or _is_aggregated(context, node):
        return None
    new = with_keyword(node, "keepdims", cst.Name("True"))
    data = argument(node, "a", 0)
    if data and not argument(node, "nan_policy", 2) and _may_lack_values(context, data.value):
        new = with_keyword(new, "nan_policy", cst.SimpleString("'omit'"))
    return one(node, new)


def _may_lack_values(context: Context, data: cst.BaseExpression) -> bool:
    """Return whether there may be missing values: they are counted now, and may be the mode.

    Seen in SciPy 1.4 and 1.15: `nan` was equal to nothing, and so the mode of missing values only.
    """
    if context.type_of(data) not in (SERIES, FRAME) and not _is_of_lambda(context, data):
        return False
    return all(
        not isinstance(part, cst.Attribute) or part.attr.value not in ("dropna", "fillna")
        for part in descendants(data)
    )


def _is_of_lambda(context: Context, data: cst.BaseExpression) -> bool:
    """Return whether it is the parameter of a lambda: `lambda x: stats.mode(x)`."""
    if not isinstance(data, cst.Name):
        return False
    return any(
        isinstance(one, Parameter) and isinstance(one.function, cst.Lambda)
        for one in context.bounds(data)
    )


def _is_aggregated(context: Context, node: cst.Call) -> bool:
    """Return whether an aggregation uses it, which today needs a single value.

    `groups.agg(lambda x: stats.mode(x)[0])`.
    """
    read = context.parent(node)
    if not isinstance(read, (cst.Attribute, cst.Subscript)):
        return False
    function = context.parent(read)
    if not isinstance(function, cst.Lambda):
        return False
    for above in context.cell.ancestors(function):
        if isinstance(above, cst.Arg) and above.keyword is not None:
            return above.keyword.value in ("aggfunc", "func")
        if isinstance(above, cst.Call):
            called = above.func
            return isinstance(called, cst.Attribute) and called.attr.value in ("agg", "aggregate")
        if isinstance(above, cst.BaseStatement):
            return False
    return False


def _is_one_number(context: Context, node: cst.Call) -> bool:
    """Return whether it is converted to a number, which NumPy no longer does with arrays.

    `int(stats.mode(x)[0])`.
    """
    read = context.parent(node)
    if not isinstance(read, (cst.Attribute, cst.Subscript)):
        return False
    above = context.parent(read)
    if isinstance(above, cst.BinaryOperation):
        return isinstance(above.operator, cst.Modulo) and above.right is read
    call = context.parent(above) if isinstance(above, cst.Arg) else None
    return isinstance(call, cst.Call) and context.refers_to(call.func, *_NUMBERS)
