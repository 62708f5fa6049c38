"""`&`, `|`, `^` and `-` between Indexes were set operations; now they are elementwise.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import receiver_text
from mle_modernizer_server.code.types.type import INDEX
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, rewritten
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_COLLECTIONS = ("pandas.Index", "builtins.list", "builtins.tuple", "builtins.set", "pandas.Series")


@codemod(
    "pandas-index-set-operations",
    on=cst.BinaryOperation,
    methods={cst.BitAnd: "intersection", cst.BitOr: "union", cst.BitXor: "symmetric_difference"},
)
@codemod("pandas-index-minus", on=cst.BinaryOperation, methods={cst.Subtract: "difference"})
def as_sets(
    context: Context, node: cst.BinaryOperation, methods: dict[type[cst.BaseBinaryOp], str]
) -> Answer:
    """Rewrite `a.columns & b.columns` as `a.columns.intersection(b.columns)`."""
    method = methods.get(type(node.operator))
    if method is None:
        return None
    if context.type_of(node.left) != INDEX:
        return None
    right = context.type_of(node.right)
    if right is None or right.name not in _COLLECTIONS:
        return None
    text = f"{receiver_text(node.left)}.{method}({context.code(node.right)})"
    return rewritten(node, text)
