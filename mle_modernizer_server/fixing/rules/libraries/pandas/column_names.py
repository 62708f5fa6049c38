"""`df.columns.values[0] = 'a'` fails since pandas 3.0: the array can only be read.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#read-only-numpy-arrays
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import literal


@codemod("pandas-column-names-values", on=cst.Assign)
def renamed(context: Context, node: cst.Assign) -> Answer:
    """`df.columns.values[0] = 'a'` → `df.rename(columns={df.columns[0]: 'a'}, inplace=True)`."""
    target = node.targets[0].target
    if len(node.targets) != 1 or not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return None
    values, index = target.value, target.slice[0].slice
    if not isinstance(values, cst.Attribute) or values.attr.value != "values":
        return None
    labels = values.value
    if not isinstance(labels, cst.Attribute) or labels.attr.value != "columns":
        return None
    if not isinstance(index, cst.Index) or type(literal(index.value)) is not int:
        return None
    old = f"{context.code(labels)}[{context.code(index.value)}]"
    table = context.code(labels.value)
    text = f"{table}.rename(columns={{{old}: {context.code(node.value)}}}, inplace=True)"
    return one(node, cst.Expr(cst.parse_expression(text)))
