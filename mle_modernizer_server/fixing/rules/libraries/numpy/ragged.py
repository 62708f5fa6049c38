"""Lists of unequal length became object arrays automatically until NumPy 1.24.

https://numpy.org/doc/stable/release/1.24.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, has_double_star, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod(
    "numpy-array-of-lists",
    on=cst.Call,
    functions=(
        "numpy.array",
        "numpy.asarray",
    ),
)
def of_objects(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.array(lists)` as `np.array(lists, dtype=object)` if the run failed at it."""
    if argument(node, "dtype", 1) or has_double_star(node) or not node.args:
        return None
    if not context.evidence(node):
        return None
    return one(node, with_keyword(node, "dtype", cst.Name("object")))
