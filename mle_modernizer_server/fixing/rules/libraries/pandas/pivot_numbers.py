"""Since pandas 2.0 `pivot_table` without `values` no longer leaves out text columns.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#numeric-only-default-value
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, with_keyword
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-pivot-numbers", on=cst.Call, names=("pivot_table",))
def of_numbers(context: Context, node: cst.Call) -> Answer:
    """`df.pivot_table(index='a')` → with `values=` the columns of numbers that are no keys."""
    if not isinstance(node.func, cst.Attribute) or not context.evidence(node):
        return None
    shift = 0
    table: cst.BaseExpression = node.func.value
    if context.refers_to(node.func, "pandas.pivot_table"):
        given = argument(node, "data", 0)
        if given is None:
            return None
        table, shift = given.value, 1
    elif context.type_of(table) not in (FRAME, None) or context.qualnames(node.func):
        return None
    if argument(node, "values", shift) is not None:
        return None
    if not isinstance(table, (cst.Name, cst.Attribute)):
        return Unsure("the table has no name")
    keys: list[str] = []
    for at, name in enumerate(("index", "columns"), start=1):
        arg = argument(node, name, at + shift)
        value = literal(arg.value) if arg is not None else []
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            return Unsure("its keys are not written out")
        keys += listed
    numbers = f"{context.code(table)}.select_dtypes(['number', 'bool']).columns"
    text = f"{numbers}.difference({keys!r}).tolist()"
    return one(node, with_keyword(node, "values", expression(text)))
