"""`print ("%.2f") % score` and `print -score` were statements; Python 3 parses them differently.

https://docs.python.org/3/whatsnew/3.0.html#print-is-a-function
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("python2-print-operator", on=cst.Expr)
def operator_inside(context: Context, node: cst.Expr) -> Answer:
    """Rewrite `print("%.2f") % score` as `print("%.2f" % score)`."""
    operators: list[cst.BinaryOperation] = []
    inner = node.value
    while isinstance(inner, cst.BinaryOperation) and not inner.lpar:
        if not isinstance(inner.operator, (cst.Modulo, cst.Add)):
            return None
        operators.append(inner)
        inner = inner.left
    if not operators or not isinstance(inner, cst.Call) or len(inner.args) != 1:
        return None
    if not context.refers_to(inner.func, "builtins.print") or inner.args[0].keyword:
        return None
    printed: cst.BaseExpression = inner.args[0].value
    if inner.args[0].star:
        return None
    if isinstance(printed, (cst.BinaryOperation, cst.IfExp, cst.Lambda)) and not printed.lpar:
        printed = printed.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    for operator in reversed(operators):
        printed = operator.with_changes(left=printed)
    return one(node.value, inner.with_changes(args=[inner.args[0].with_changes(value=printed)]))


@codemod("python2-print-method", on=cst.Expr)
def method_inside(context: Context, node: cst.Expr) -> Answer:
    """`print (a > 2).sum()` → `print((a > 2).sum())`; the result of print has no attributes.

    Further values may follow: `print (a > 2).sum(), "of", n`.
    """
    inner = node.value
    if isinstance(inner, cst.Tuple) and not inner.lpar and inner.elements:
        inner = inner.elements[0].value
    first = inner
    while isinstance(inner, (cst.Attribute, cst.Subscript, cst.Call)):
        below = inner.func if isinstance(inner, cst.Call) else inner.value
        if isinstance(below, cst.Name):
            break
        inner = below
    if inner is first or not isinstance(inner, cst.Call) or len(inner.args) != 1:
        return None
    if not context.refers_to(inner.func, "builtins.print") or node.value.lpar or first.lpar:
        return None
    text = context.code(node.value).removeprefix("print").lstrip()
    if text.endswith(","):
        text += " end=' '"
    return one(node.value, cst.parse_expression(f"print({text})"))


@codemod("python2-print-operator", on=cst.Expr)
def sign_or_list_inside(context: Context, node: cst.Expr) -> Answer:
    """`print -score` → `print(-score)`, `print [1, 2]` → `print([1, 2])`."""
    printed = _printed(node.value)
    if printed is None or not context.refers_to(printed, "builtins.print"):
        return None
    if not context.program.python2 and not context.evidence(node):
        return None
    text = context.code(node.value).removeprefix("print").lstrip()
    return one(node.value, cst.parse_expression(f"print({text})"))


def _printed(node: cst.BaseExpression) -> cst.Name | None:
    """Return the `print` that is the left operand of a minus, or is subscripted."""
    if node.lpar:
        return None
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.left, cst.Name) and isinstance(node.operator, cst.Subtract):
            return node.left if not node.left.lpar else None
        return _printed(node.left)
    if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Name):
        return node.value if not node.value.lpar else None
    if isinstance(node, (cst.Subscript, cst.Attribute)):
        return _printed(node.value)
    return _printed(node.func) if isinstance(node, cst.Call) else None
