"""Only arrays without dimensions are numbers since NumPy 2.4.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, literal, method_name, receiver
from mle_modernizer_server.code.types.type import ARRAY, FRAME, SCALAR, SERIES, TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_MATH = ("sqrt", "log", "exp", "floor", "ceil", "sin", "cos", "log10", "log2", "log1p", "fabs")
_FUNCTIONS = ("builtins.float", "builtins.int", *(f"math.{name}" for name in _MATH))


@codemod("numpy-float-of-array", on=cst.Call, functions=_FUNCTIONS)
def squeezed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `float(a)` as `float(np.squeeze(a))` if the run failed at it."""
    if len(node.args) != 1:
        return None
    value = node.args[0].value
    if node.args[0].star or context.type_of(value) in (SCALAR, TEXT) or not context.evidence(node):
        return None
    return _squeezed(context, value)


@codemod("numpy-float-of-dimensions", on=cst.Call, functions=_FUNCTIONS)
def squeezed_before(context: Context, node: cst.Call) -> Answer:
    """Rewrite `int(np.where(a == b)[0])` as `int(np.squeeze(np.where(a == b)[0]))`."""
    if len(node.args) != 1:
        return None
    value = node.args[0].value
    if node.args[0].star or not _has_dimensions(context, context.written(value)):
        return None
    return _squeezed(context, value)


def _has_dimensions(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether it is an array that has a dimension for any number of elements."""
    if isinstance(value, cst.Subscript):
        found = value.value
        if not isinstance(found, cst.Call) or literal(key(value)) != 0:
            return False
        where = context.refers_to(found.func, "numpy.where") and len(found.args) == 1
        return where or context.refers_to(found.func, "numpy.nonzero")
    if isinstance(value, cst.Attribute):
        return value.attr.value == "values" and context.type_of(value.value) in (SERIES, FRAME)
    if not isinstance(value, cst.Call):
        return False
    if context.refers_to(value.func, "numpy.argwhere", "numpy.flatnonzero"):
        return True
    if (column := receiver(value, "unique")) is not None:
        return context.type_of(column) == SERIES
    return method_name(value) == "predict" and context.type_of(value) == ARRAY


def _squeezed(context: Context, value: cst.BaseExpression) -> Answer:
    if isinstance(value, cst.Call) and context.refers_to(value.func, "numpy.squeeze"):
        return None
    np, imports = context.module(value, "numpy", "np")
    return one(value, expression(f"{np}.squeeze({context.code(value)})"), imports)


@codemod("numpy-float-of-array", on=cst.BinaryOperation)
def formatted(context: Context, node: cst.BinaryOperation) -> Answer:
    """Rewrite `'%.2f' % a` as `'%.2f' % np.squeeze(a)` if the run failed at it."""
    if not isinstance(node.operator, cst.Modulo) or context.type_of(node.left) != TEXT:
        return None
    value = node.right
    if isinstance(value, (cst.Tuple, cst.Dict)) or context.type_of(value) in (SCALAR, TEXT):
        return None
    return _squeezed(context, value) if context.evidence(node) else None
