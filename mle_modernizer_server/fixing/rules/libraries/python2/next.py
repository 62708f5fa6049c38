"""Iterators have no method `next` since Python 3.0.

https://docs.python.org/3/whatsnew/3.0.html#operators-and-special-methods
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, rewritten
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
)

_VIEWS = frozenset(
    f"{how}{what}" for how in ("iter", "view", "") for what in ("items", "keys", "values")
)
"""Methods of dictionaries whose results are iterators in Python 2 only."""
_READERS = ("csv.reader", "csv.DictReader")


@codemod("python2-next", on=cst.Call, names=("next",))
def asked_by_function(context: Context, node: cst.Call) -> Answer:
    """Rewrite `reader.next()` as `next(reader)`; in Python 2 nothing else had such a method."""
    if not isinstance(node.func, cst.Attribute) or node.args:
        return None
    of_view = _is_view(node.func.value)
    told = context.program.python2 or of_view
    match = method_matches(context, node.func, ("next",), _READERS, distinctive=told)
    if match is not Match.YES:
        return undecided(context, node.func, match)
    asked = context.code(node.func.value)
    if of_view:
        asked = f"iter({asked})"
    text = f"next({asked})"
    return rewritten(node, text)


def _is_view(node: cst.BaseExpression) -> bool:
    called = node.func if isinstance(node, cst.Call) else None
    return isinstance(called, cst.Attribute) and called.attr.value in _VIEWS
