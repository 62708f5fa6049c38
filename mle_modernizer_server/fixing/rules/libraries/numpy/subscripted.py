"""`np.cast[dtype](x)` and `np.nbytes[dtype]` were removed in NumPy 2.0.

https://numpy.org/doc/stable/release/2.0.0-notes.html#numpy-2-0-python-api-removals
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("numpy-cast", on=cst.Subscript)
def by_dtype(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `np.cast['f'](x)` as `np.asarray(x, dtype='f')`."""
    names = context.qualnames(node.value)
    if names not in (("numpy.cast",), ("numpy.nbytes",)) or len(node.slice) != 1:
        return None
    dtype = context.code(node.slice[0].slice)
    np, imports = context.module(node, "numpy", "np")
    if names == ("numpy.nbytes",):
        return one(node, expression(f"{np}.dtype({dtype}).itemsize"), imports)
    call = context.parent(node)
    if not isinstance(call, cst.Call) or call.func is not node or len(call.args) != 1:
        return Unsure("the cast is not called at once")
    value = context.code(call.args[0].value)
    return one(call, expression(f"{np}.asarray({value}, dtype={dtype})"), imports)
