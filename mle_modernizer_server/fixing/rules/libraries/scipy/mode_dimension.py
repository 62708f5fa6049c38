"""`scipy.stats.mode` drops the dimension it counted over, since SciPy 1.11.

https://docs.scipy.org/doc/scipy/release/1.11.0-notes.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    has_double_star,
    same_literal,
    with_keyword,
)
from mle_modernizer_server.fixing.rules.generic.target import function_matches

_NUMBERS = frozenset({"builtins.int", "builtins.float"})


@codemod("scipy-stats-mode", on=cst.Call, names=("mode",))
def kept(context: Context, node: cst.Call) -> Answer:
    """`stats.mode(x)[0][0]` → `stats.mode(x, keepdims=True)[0][0]`."""
    if not function_matches(context, node.func, ("scipy.stats.mode",)) or has_double_star(node):
        return None
    axis = argument(node, "axis", 1)
    if argument(node, "keepdims", 3) or (axis is not None and same_literal(axis.value, None)):
        return None
    if _is_one_number(context, node):
        return None
    return one(node, with_keyword(node, "keepdims", cst.Name("True")))


def _is_one_number(context: Context, node: cst.Call) -> bool:
    """`int(stats.mode(x)[0])`: NumPy makes numbers of arrays of one number no more."""
    read = context.parent(node)
    if not isinstance(read, (cst.Attribute, cst.Subscript)):
        return False
    above = context.parent(read)
    if isinstance(above, cst.BinaryOperation):
        return isinstance(above.operator, cst.Modulo) and above.right is read
    call = context.parent(above) if isinstance(above, cst.Arg) else None
    return isinstance(call, cst.Call) and bool(_NUMBERS & set(context.qualnames(call.func)))
