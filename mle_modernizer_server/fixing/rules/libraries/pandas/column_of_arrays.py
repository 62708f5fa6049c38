"""A column of arrays with one number each is no column of numbers for `astype` since NumPy 2.4.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-column-of-arrays", on=cst.Call, names=("astype",))
def items(context: Context, node: cst.Call) -> Answer:
    """`df['a'].astype(float)` → `df['a'].map(np.ndarray.item).astype(float)` if it failed."""
    if not isinstance(node.func, cst.Attribute) or not context.evidence(node):
        return None
    column = node.func.value
    known = context.type_of(column) == SERIES or isinstance(column_of(context, column), Column)
    if not known or context.code(column).endswith(".ndarray.item)"):
        return None
    np, imports = context.module(node, "numpy", "np")
    return one(column, expression(f"{receiver_text(column)}.map({np}.ndarray.item)"), imports)
