"""Text is Unicode since Python 3.0 and cannot be decoded once more.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import without
from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_WITH_ENCODING = 2
"""Arguments of `str(bytes, encoding)`."""


@codemod("python2-decode", on=cst.Call, names=("decode",))
def text_as_it_is(context: Context, node: cst.Call) -> Answer:
    """Rewrite `line.decode('utf-8')` as `line` if the run has shown that it is text."""
    if not isinstance(node.func, cst.Attribute) or context.qualnames(node.func):
        return None
    inferred = context.type_of(node.func.value)
    if inferred is not None and inferred.name != "builtins.str":
        return None
    if not context.evidence(node):
        return Unsure(f"`{context.code(node.func.value)}` may be bytes")
    return one(node, node.func.value)


@codemod("python2-text-decoded", on=cst.Call, names=("str", "unicode"))
def without_encoding(context: Context, node: cst.Call) -> Answer:
    """Rewrite `str(line, 'utf-8')` as `str(line)` if the run has shown that it is text."""
    names = set(context.qualnames(node.func))
    if not names & {"builtins.str", "builtins.unicode"} or len(node.args) < _WITH_ENCODING:
        return None
    if node.args[0].keyword is not None or any(arg.star for arg in node.args):
        return None
    if context.type_of(node.args[0].value) != TEXT and not context.evidence(node):
        return Unsure(f"`{context.code(node.args[0].value)}` may be bytes")
    return one(node, without(node, node.args[1:]))
