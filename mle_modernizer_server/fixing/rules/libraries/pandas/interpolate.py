"""`interpolate` refuses tables with columns of objects since pandas 3.0; it left those alone.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    receiver_text,
    same_literal,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    Unsure,
    one,
    rewritten,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-interpolate-text", on=cst.Call, names=("interpolate",))
def of_numbers(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.interpolate()` as `df.assign(**df.select_dtypes('number').interpolate())`."""
    if not isinstance(node.func, cst.Attribute) or not context.evidence(node):
        return None
    table = node.func.value
    if isinstance(table, cst.Call) and context.code(table).endswith(".select_dtypes('number')"):
        return None
    if not isinstance(table, (cst.Name, cst.Attribute)):
        return Unsure("the table has no name")
    inplace = argument(node, "inplace")
    call = node if inplace is None else without(node, [inplace])
    numbers = expression(f"{receiver_text(table)}.select_dtypes('number')")
    inner = context.code(call.with_changes(func=node.func.with_changes(value=numbers), lpar=[]))
    if inplace is not None and same_literal(inplace.value, True):
        return one(node, expression(f"{receiver_text(table)}.update({inner})"))
    return rewritten(node, f"{receiver_text(table)}.assign(**{inner})")
