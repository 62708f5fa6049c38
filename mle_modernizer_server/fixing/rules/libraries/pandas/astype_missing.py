"""`astype(str)` leaves missing values missing since pandas 3.0; they had become the text `nan`.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, string
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES


@codemod("pandas-astype-missing", on=cst.Call, names=("astype",))
def with_the_text_nan(context: Context, node: cst.Call) -> Answer:
    """`df['a'].astype(str)` → `df['a'].astype(str).fillna('nan')`, where the run failed."""
    dtype = argument(node, "dtype", 0)
    if dtype is None or not isinstance(node.func, cst.Attribute) or not context.evidence(node):
        return None
    if context.type_of(node.func.value) not in (SERIES, FRAME, None):
        return None
    is_text = string(dtype.value) == "str" or "builtins.str" in context.qualnames(dtype.value)
    above = context.parent(node)
    if not is_text or (isinstance(above, cst.Attribute) and above.attr.value == "fillna"):
        return None
    filled = cst.Attribute(value=node, attr=cst.Name("fillna"))
    return one(node, cst.Call(func=filled, args=[cst.Arg(cst.SimpleString("'nan'"))]))
