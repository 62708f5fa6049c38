"""`unicode` and `basestring` are `str` since Python 3.0.

Texts that Python 2 encoded to its `str` would become bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.moves import fix_reference
from mle_modernizer_server.fixing.rules.rule import Move

_TEXTS = ("unicode", "basestring")
_MOVE = Move(do="move", names={f"builtins.{name}": "builtins.str" for name in _TEXTS})


@codemod("python2-text", on=cst.Name, names=_TEXTS)
def text_type(context: Context, node: cst.Name) -> Answer:
    """Rewrite `isinstance(x, unicode)` as `isinstance(x, str)`."""
    answer = fix_reference(context, node, _MOVE)
    if answer is not None and _is_encoded(context, node):
        return Unsure("what is encoded was text in Python 2 and would be bytes, with no error")
    return answer


def _is_encoded(context: Context, node: cst.Name) -> bool:
    """Return whether a use of `unicode` serves to encode a text.

    `unicode(x).encode('utf-8')`, or `if isinstance(x, unicode): x = x.encode('utf-8')`.
    """
    below: cst.CSTNode = node
    for above in context.cell.ancestors(node):
        if isinstance(above, cst.Attribute) and above.attr.value == "encode":
            return isinstance(below, cst.Call) and below.func is node
        if isinstance(above, (cst.If, cst.IfExp)) and above.test is below:
            return ".encode(" in context.code(above.body)
        if isinstance(above, (cst.BaseStatement, cst.Lambda)):
            return False
        below = above
    return False
