"""Categorical plots of seaborn ignored `data` next to vectors; since 0.13 it must be as long.

https://seaborn.pydata.org/whatsnew/v0.13.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, positional, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_VARIABLES = ("x", "y", "hue")
_VECTORS = (cst.Attribute, cst.Subscript, cst.Call, cst.List, cst.Tuple, cst.BinaryOperation)


@codemod("seaborn-data-of-other-length", on=cst.Call)
def without_data(context: Context, node: cst.Call) -> Answer:
    """Rewrite `sns.barplot(x=n.index, y=n, data=d)` as `sns.barplot(x=n.index, y=n)`."""
    data = argument(node, "data")
    is_plot = context.comes_from(node.func, "seaborn")
    if data is None or not is_plot or not context.evidence(node):
        return None
    given = [argument(node, name) for name in _VARIABLES]
    variables = [one.value for one in (*given, *positional(node)) if one is not None]
    if not all(_is_vector(context, variable) for variable in variables):
        return Unsure("one of the variables may be the name of a column")
    return one(node, without(node, [data]))


def _is_vector(context: Context, variable: cst.BaseExpression) -> bool:
    written = context.all_written(variable)
    return bool(written) and all(isinstance(value, _VECTORS) for value in written)
