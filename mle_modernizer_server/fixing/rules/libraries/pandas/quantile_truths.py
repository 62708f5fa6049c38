"""NumPy computes no quantiles of booleans since 1.22; they counted as 0 and 1.

https://numpy.org/doc/stable/release/1.22.0-notes.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-quantile-truths", on=cst.Call, names=("quantile",))
def as_numbers(context: Context, node: cst.Call) -> Answer:
    """`df.quantile(.25)` → `df.select_dtypes(['number', 'bool']).astype(float).quantile(.25)`."""
    if not isinstance(node.func, cst.Attribute) or not context.evidence(node):
        return None
    table = node.func.value
    if context.type_of(table) != FRAME or context.code(table).endswith(".astype(float)"):
        return None
    numbers = f"{receiver_text(table)}.select_dtypes(['number', 'bool']).astype(float)"
    return one(node.func.value, expression(numbers))
