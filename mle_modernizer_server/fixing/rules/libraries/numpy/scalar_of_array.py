"""Only arrays without dimensions are numbers since NumPy 2.4.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression
from mle_modernizer_server.fixing.rules.generic.target import function_matches
from mle_modernizer_server.fixing.rules.types.type import SCALAR, TEXT

_MATH = ("sqrt", "log", "exp", "floor", "ceil", "sin", "cos", "log10", "log2", "log1p", "fabs")
_FUNCTIONS = ("builtins.float", "builtins.int", *(f"math.{name}" for name in _MATH))


@codemod("numpy-float-of-array", on=cst.Call, names=("float", "int", *_MATH))
def squeezed(context: Context, node: cst.Call) -> Answer:
    """`float(a)` → `float(np.squeeze(a))`, where the run failed at it."""
    if not function_matches(context, node.func, _FUNCTIONS) or len(node.args) != 1:
        return None
    value = node.args[0].value
    if node.args[0].star or context.type_of(value) in (SCALAR, TEXT) or not context.evidence(node):
        return None
    if isinstance(value, cst.Call) and function_matches(context, value.func, ("numpy.squeeze",)):
        return None
    np, imports = context.module(node, "numpy", "np")
    return one(value, expression(f"{np}.squeeze({context.code(value)})"), imports)


@codemod("numpy-float-of-array", on=cst.BinaryOperation)
def formatted(context: Context, node: cst.BinaryOperation) -> Answer:
    """`'%.2f' % a` → `'%.2f' % np.squeeze(a)`, where the run failed at it."""
    if not isinstance(node.operator, cst.Modulo) or context.type_of(node.left) != TEXT:
        return None
    value = node.right
    if isinstance(value, (cst.Tuple, cst.Dict)) or context.type_of(value) in (SCALAR, TEXT):
        return None
    if not context.evidence(node):
        return None
    if isinstance(value, cst.Call) and function_matches(context, value.func, ("numpy.squeeze",)):
        return None
    np, imports = context.module(node, "numpy", "np")
    return one(value, expression(f"{np}.squeeze({context.code(value)})"), imports)
