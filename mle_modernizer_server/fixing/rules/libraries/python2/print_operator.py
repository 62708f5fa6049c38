"""`print ("%.2f") % score` was one statement in Python 2; Python 3 prints first and fails then.

https://docs.python.org/3/whatsnew/3.0.html#print-is-a-function
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("python2-print-operator", on=cst.Expr)
def operator_inside(context: Context, node: cst.Expr) -> Answer:
    """`print("%.2f") % score` → `print("%.2f" % score)`."""
    operators: list[cst.BinaryOperation] = []
    inner = node.value
    while isinstance(inner, cst.BinaryOperation) and not inner.lpar:
        if not isinstance(inner.operator, (cst.Modulo, cst.Add)):
            return None
        operators.append(inner)
        inner = inner.left
    if not operators or not isinstance(inner, cst.Call) or len(inner.args) != 1:
        return None
    if "builtins.print" not in context.qualnames(inner.func) or inner.args[0].keyword:
        return None
    printed: cst.BaseExpression = inner.args[0].value
    if inner.args[0].star:
        return None
    if isinstance(printed, (cst.BinaryOperation, cst.IfExp, cst.Lambda)) and not printed.lpar:
        printed = printed.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    for operator in reversed(operators):
        printed = operator.with_changes(left=printed)
    return one(node.value, inner.with_changes(args=[inner.args[0].with_changes(value=printed)]))
