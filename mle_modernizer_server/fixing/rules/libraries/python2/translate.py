"""`text.translate(None, characters)` removed characters from the texts of Python 2.

So did `text.translate(string.maketrans('', ''), characters)`.

https://docs.python.org/3/library/stdtypes.html#str.translate
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import same_literal, string
from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, rewritten
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import unknown_object


@codemod("python2-translate", on=cst.Call, names=("translate",))
def by_table(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.translate(None, ',;')` as `s.translate(str.maketrans('', '', ',;'))`."""
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 2:
        return None
    if any(arg.keyword or arg.star for arg in node.args):
        return None
    table, characters = (arg.value for arg in node.args)
    if not (same_literal(table, None) or _is_identity(table)) or context.qualnames(node.func):
        return None
    owner = context.type_of(node.func.value)
    if owner not in (None, TEXT):
        return None
    if _is_encoded(context, node.func.value):
        return Unsure("what was encoded holds bytes in Python 3, which this code does not expect")
    if owner is None and not context.program.python2 and not context.evidence(node):
        return Unsure(unknown_object(context, node.func))
    gone = f"str.maketrans('', '', {context.code(characters)})"
    return rewritten(node, f"{context.code(node.func)}({gone})")


def _is_identity(table: cst.BaseExpression) -> bool:
    """Return whether it is `string.maketrans('', '')`, used only to delete characters."""
    if not isinstance(table, cst.Call) or len(table.args) != 2:
        return False
    func = table.func
    name = func.attr if isinstance(func, cst.Attribute) else func
    if not isinstance(name, cst.Name) or name.value != "maketrans":
        return False
    return all(string(arg.value) == "" for arg in table.args)


def _is_encoded(context: Context, node: cst.BaseExpression, depth: int = 3) -> bool:
    """Return whether it may be `text.encode('ascii').lower()`, or a name for that.

    Args:
        depth: How many names are followed.
    """
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value == "encode":
            return True
        node = node.func.value
    if not isinstance(node, cst.Name) or not depth:
        return False
    return any(_is_encoded(context, value, depth - 1) for value in context.all_written(node))
