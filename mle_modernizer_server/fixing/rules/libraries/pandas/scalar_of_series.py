"""`float(series)` and `int(series)` are errors since pandas 3.0, even for one value.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text
from mle_modernizer_server.code.types.type import SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAMES = ("builtins.float", "builtins.int")


@codemod("pandas-float-of-series", on=cst.Call, functions=_NAMES)
def first(context: Context, node: cst.Call) -> Answer:
    """Rewrite `float(s)` as `float(s.iloc[0])`."""
    if len(node.args) != 1:
        return None
    if not context.evidence(node):
        return None
    arg = node.args[0]
    inferred = context.type_of(arg.value)
    if inferred is not None and inferred != SERIES:
        return None
    if inferred is None:
        return Unsure(f"what `{context.code(arg.value)}` is cannot be told from the code")
    value = expression(f"{receiver_text(arg.value)}.iloc[0]")
    return one(arg.value, value)
