"""Text is Unicode since Python 3.0 and cannot be decoded once more.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("python2-decode", on=cst.Call, names=("decode",))
def text_as_it_is(context: Context, node: cst.Call) -> Answer:
    """`line.decode('utf-8')` → `line`, where the run has shown that it is text."""
    if not isinstance(node.func, cst.Attribute) or context.qualnames(node.func):
        return None
    inferred = context.type_of(node.func.value)
    if inferred is not None and inferred.name != "builtins.str":
        return None
    if not context.evidence(node):
        return Unsure(f"`{context.code(node.func.value)}` may be bytes")
    return one(node, node.func.value)
