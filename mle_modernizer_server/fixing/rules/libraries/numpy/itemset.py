"""`itemset` was removed in NumPy 2.0; an assignment sets an element.

https://numpy.org/doc/stable/numpy_2_0_migration_guide.html#ndarray-and-scalar-methods
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import receiver_text
from mle_modernizer_server.code.types.type import ARRAY
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.lines import small_statement
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches


@codemod("numpy-itemset", on=cst.Call, names=("itemset",))
def assigned(context: Context, node: cst.Call) -> Answer:
    """Rewrite `a.itemset((0, 1), v)` as `a[0, 1] = v`."""
    statement = context.parent(node)
    if not isinstance(node.func, cst.Attribute):
        return None
    match = method_matches(context, node.func, ("itemset",), (ARRAY.name,), distinctive=True)
    if match is not Match.YES:
        return None
    if not isinstance(statement, cst.Expr) or len(node.args) != 2:
        return Unsure("it is not a statement with a place and a value")
    place, value = (arg.value for arg in node.args)
    array = receiver_text(node.func.value)
    if isinstance(place, cst.Tuple):
        index = ", ".join(context.code(element.value) for element in place.elements)
        target = f"{array}[{index}]"
    elif isinstance(place, cst.Integer):
        target = f"{array}.flat[{context.code(place)}]"
    else:
        return Unsure("the place may be one number or several")
    line = small_statement(f"{target} = {context.code(value)}")
    return one(statement, line.with_changes(semicolon=statement.semicolon))
