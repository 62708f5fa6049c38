"""The categories of a column cannot be assigned to since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import only_target


@codemod("pandas-categories-attribute", on=cst.Assign)
def renamed(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `df.a.cat.categories = c` as `df['a'] = df['a'].cat.rename_categories(c)`."""
    target = only_target(node)
    if not isinstance(target, cst.Attribute):
        return None
    accessor = target.value
    if target.attr.value != "categories" or not isinstance(accessor, cst.Attribute):
        return None
    if accessor.attr.value != "cat":
        return None
    column = accessor.value
    written = context.written(column)
    if written is not column and isinstance(written, (cst.Attribute, cst.Subscript)):
        return Unsure("the column's table would not be changed any more")
    code = context.code(column)
    if isinstance(column, cst.Attribute) and not context.qualnames(column):
        code = f"{context.code(column.value)}[{column.attr.value!r}]"
    value = expression(f"{code}.cat.rename_categories({context.code(node.value)})")
    new = node.targets[0].with_changes(target=expression(code))
    return one(node, node.with_changes(targets=[new], value=value))
