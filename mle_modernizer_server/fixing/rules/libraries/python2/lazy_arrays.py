"""`np.array(map(f, x))` is an array of one object since Python 3.0.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.python2.lazy_lists import gives_list
from mle_modernizer_server.fixing.rules.tables import table

_MAKERS = table("python", "array-makers", frozenset[str])


@codemod(
    "python2-lazy-arrays",
    on=cst.Call,
    names=(name.removeprefix("numpy.") for name in sorted(_MAKERS)),
)
def of_a_list(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.array(map(f, x))` as `np.array(list(map(f, x)))`."""
    if not node.args or node.args[0].keyword or node.args[0].star:
        return None
    given = node.args[0].value
    if not isinstance(given, cst.Call) or not gives_list(context, given):
        return None
    if not context.refers_to(node.func, *_MAKERS):
        return None
    if isinstance(given.func, cst.Name) and given.func.value == "range":
        return None
    if isinstance(given.func, cst.Attribute) and _may_be_of_table(context, given.func):
        return None
    if context.program.lookup("list", node).bindings:
        return None
    return one(given, cst.Call(cst.Name("list"), [cst.Arg(given)]))


def _may_be_of_table(context: Context, func: cst.Attribute) -> bool:
    """Return whether the receiver may be a pandas object, whose keys() is an index.

    In Python 3 nobody used `np.array(d.keys())` of a dictionary, so that the rest are tables.
    """
    inferred = context.type_of(func.value)
    if inferred is not None:
        return inferred in (FRAME, SERIES)
    known = context.program.python2 or context.evidence(func)
    return func.attr.value == "keys" and not known
