"""In Python 2 the quotient of two integers was an integer.

https://docs.python.org/3/whatsnew/3.0.html#integers

Only if the notebook is Python 2 and both operands are evidently integers.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned, Imported
from mle_modernizer_server.code.tree import descendants
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_WHOLE_OPERATORS = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)
_WHOLE_CALLS = frozenset({"builtins.len", "builtins.int", "builtins.ord"})
_DEPTH = 6


@codemod("python2-division", on=cst.BinaryOperation)
def whole_division(context: Context, node: cst.BinaryOperation) -> Answer:
    """Rewrite `len(train) / 2` as `len(train) // 2`."""
    operator = node.operator
    if not isinstance(operator, cst.Divide) or not context.program.python2:
        return None
    if _true_division(context):
        return None
    if not (_whole(context, node.left, _DEPTH) and _whole(context, node.right, _DEPTH)):
        return None
    if _is_cut_off(context, node):
        return None
    whole = cst.FloorDivide(operator.whitespace_before, operator.whitespace_after)
    code = context.code(node)
    return Fix(
        (Change(node, node.with_changes(operator=whole)),),
        remark=f"`{code}` divides integers, which gave an integer in Python 2; if a fraction was "
        "meant, keep `/`.",
    )


def _is_cut_off(context: Context, node: cst.BinaryOperation) -> bool:
    """Return whether `int(…)` around it makes both equal, as it does without negative numbers."""
    arg = context.parent(node)
    call = context.parent(arg) if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call) or len(call.args) != 1:
        return False
    if not context.refers_to(call.func, "builtins.int"):
        return False
    return not any(isinstance(part, (cst.Minus, cst.Subtract)) for part in _operators(node))


def _operators(node: cst.CSTNode) -> Iterator[cst.CSTNode | None]:
    for part in descendants(node):
        if isinstance(part, (cst.BinaryOperation, cst.UnaryOperation)):
            yield part.operator


def _true_division(context: Context) -> bool:
    return any(
        isinstance(binding.bound, Imported) and binding.bound.qualname == "__future__.division"
        for cell in context.program.cells
        for binding in cell.top.names.get("division", ())
    )


def _whole(context: Context, node: cst.BaseExpression, depth: int) -> bool:
    """Return whether the expression is evidently an integer."""
    if depth == 0:
        return False
    if isinstance(node, cst.Integer):
        return True
    if isinstance(node, cst.Call):
        return context.refers_to(node.func, *_WHOLE_CALLS)
    if isinstance(node, cst.Subscript):
        return isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape"
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.Minus) and _whole(context, node.expression, depth - 1)
    if isinstance(node, cst.BinaryOperation):
        if not isinstance(node.operator, (*_WHOLE_OPERATORS, cst.Divide)):
            return False
        return _whole(context, node.left, depth - 1) and _whole(context, node.right, depth - 1)
    if isinstance(node, cst.Name):
        bounds = context.bounds(node)
        return bool(bounds) and all(
            isinstance(bound, Assigned) and _binds_whole(context, bound, depth - 1)
            for bound in bounds
        )
    return False


def _binds_whole(context: Context, bound: Assigned, depth: int) -> bool:
    """Return whether a name is bound to an integer: itself, out of a shape, or a loop counter."""
    value, path = bound.value, bound.path
    if not path:
        return _whole(context, value, depth)
    if isinstance(value, cst.Attribute) and value.attr.value == "shape":
        return len(path) == 1
    called = set(context.qualnames(value.func)) if isinstance(value, cst.Call) else set()
    if path == (None,):
        return bool(called & {"builtins.range", "builtins.xrange"})
    return path == (None, 0) and "builtins.enumerate" in called
