"""Several columns of a groupby need a list since pandas 2.0: `groupby('g')[['a', 'b']]`.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import method_name
from mle_modernizer_server.code.types.type import FRAME_GROUPS
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-groupby-columns", on=cst.Subscript)
def as_list(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `df.groupby('g')['a', 'b']` as `df.groupby('g')[['a', 'b']]`."""
    if method_name(node.value) != "groupby" and context.type_of(node.value) != FRAME_GROUPS:
        return None
    indices = [element.slice for element in node.slice]
    if not all(isinstance(index, cst.Index) for index in indices):
        return None
    if len(indices) == 1:
        only = indices[0]
        if not (isinstance(only, cst.Index) and isinstance(only.value, cst.Tuple)):
            return None
        labels = ", ".join(context.code(element.value) for element in only.value.elements)
    else:
        labels = ", ".join(context.code(index) for index in indices)
    new = cst.parse_expression(f"[{labels}]")
    element = cst.SubscriptElement(cst.Index(new))
    return one(node, node.with_changes(slice=[element]))
