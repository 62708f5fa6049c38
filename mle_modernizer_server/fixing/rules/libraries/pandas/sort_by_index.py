"""`DataFrame.sort()` without columns sorted by the index; removed in pandas 0.20.

https://pandas.pydata.org/docs/whatsnew/v0.17.0.html#changes-to-sorting-api
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument
from mle_modernizer_server.fixing.rules.types.type import FRAME


@codemod("pandas-sort", on=cst.Call, names=("sort",))
def by_index(context: Context, node: cst.Call) -> Answer:
    """`df.sort(inplace=True)` → `df.sort_index(inplace=True)`."""
    if not isinstance(node.func, cst.Attribute) or context.type_of(node.func.value) != FRAME:
        return None
    if argument(node, "columns", 0) is not None or any(arg.star for arg in node.args):
        return None
    return one(node.func.attr, cst.Name("sort_index"))
