"""`inspect.getargspec` was removed in Python 3.11.

https://docs.python.org/3/whatsnew/3.11.html#removed
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.moves import fix_import, fix_reference
from mle_modernizer_server.fixing.rules.rule import Move

_OLD = "inspect.getargspec"
_MOVE = Move(do="move", names={_OLD: "inspect.getfullargspec"})


@codemod("python-getargspec", on=cst.Attribute, names=("getargspec",))
def renamed(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `inspect.getargspec(f).args` as `inspect.getfullargspec(f).args`."""
    call = context.parent(node)
    if (
        isinstance(call, cst.Call)
        and call.func is node
        and context.refers_to(node, _OLD)
        and _unpacked(context, call)
    ):
        new = call.with_changes(func=node.with_changes(attr=cst.Name("getfullargspec")))
        return one(call, expression(f"{cst.Module([]).code_for_node(new)}[:4]"))
    return fix_reference(context, node, _MOVE)


@codemod("python-getargspec", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from inspect import getargspec` as the new function under the old name."""
    if dotted_name(node.module) != "inspect":
        return None
    return fix_import(context, node, _MOVE)


def _unpacked(context: Context, call: cst.Call) -> bool:
    """Return whether the result is unpacked into four parts; there are seven now.

    `args, varargs, keywords, defaults = …`.
    """
    assign = context.parent(call)
    return isinstance(assign, cst.Assign) and any(
        isinstance(target.target, (cst.Tuple, cst.List)) for target in assign.targets
    )
