"""Iterators have no method `next` since Python 3.0.

https://docs.python.org/3/whatsnew/3.0.html#operators-and-special-methods
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    unknown_object,
)

_READERS = ("csv.reader", "csv.DictReader")


@codemod("python2-next", on=cst.Call, names=("next",))
def asked_by_function(context: Context, node: cst.Call) -> Answer:
    """`reader.next()` → `next(reader)`; in Python 2 nothing else had such a method."""
    if not isinstance(node.func, cst.Attribute) or node.args:
        return None
    python2 = context.program.python2
    match = method_matches(context, node.func, ("next",), _READERS, distinctive=python2)
    if match is Match.NO:
        return None
    if match is Match.UNKNOWN:
        return Unsure(unknown_object(context, node.func))
    text = f"next({context.code(node.func.value)})"
    return one(node, expression(text).with_changes(lpar=node.lpar, rpar=node.rpar))
