"""A set chooses no rows or columns since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OWNERS = (FRAME.name, SERIES.name, "pandas.loc")


@codemod("pandas-set-indexer", on=cst.Subscript)
def as_list(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `df[set(names)]` as `df[list(set(names))]`."""
    inferred = context.type_of(node.value)
    if not (inferred is not None and inferred.name in _OWNERS):
        return None
    for element in node.slice:
        index = element.slice
        if isinstance(index, cst.Index) and _is_set(context, index.value):
            return one(index.value, expression(f"list({context.code(index.value)})"))
    return None


def _is_set(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, (cst.Set, cst.SetComp)):
        return True
    if isinstance(node, cst.BinaryOperation):
        return _is_set(context, node.left)
    return context.type_name(node) == "builtins.set"
