"""`stack` keeps missing values since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v2.1.0.html#whatsnew-210-enhancements-new-stack
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, keyword_arg, literal, with_keyword, without
from mle_modernizer_server.code.types.type import FRAME
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches, unknown_object


@codemod("pandas-stack", on=cst.Call, names=("stack",))
def without_missing(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.stack()` as `df.stack().dropna(how='all')`; `stack(dropna=False)` keeps them."""
    if not isinstance(node.func, cst.Attribute):
        return None
    match = method_matches(context, node.func, ("stack",), (FRAME.name,))
    dropna = argument(node, "dropna", 1)
    if match is Match.NO:
        return None
    if match is Match.UNKNOWN:
        return None if dropna is None else Unsure(unknown_object(context, node.func))
    rest = node if dropna is None else without(node, [dropna])
    if dropna is not None and literal(dropna.value) is False:
        return one(node, with_keyword(rest, "future_stack", cst.Name("True")))
    above = context.parent(node)
    if isinstance(above, cst.Attribute) and above.attr.value == "dropna":
        return None if dropna is None else one(node, rest)
    if argument(node, "future_stack") is not None:
        return None
    inner = rest.with_changes(lpar=[], rpar=[])
    how = keyword_arg("how", cst.SimpleString("'all'"))
    new = cst.Call(cst.Attribute(inner, cst.Name("dropna")), [how])
    return one(node, new.with_changes(lpar=node.lpar, rpar=node.rpar))
