"""`kdeplot(data=a, data2=b)` is `kdeplot(x=a, y=b)` since seaborn 0.11.

https://seaborn.pydata.org/whatsnew/v0.11.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named, with_arg


@codemod("seaborn-kdeplot-data2", on=cst.Call, names=("kdeplot",))
def second(context: Context, node: cst.Call) -> Answer:
    """Pass the first variable as x, the second as y."""
    two = argument(node, "data2")
    if two is None or not context.refers_to(node.func, "seaborn.kdeplot"):
        return None
    call = node.with_deep_changes(two, keyword=cst.Name("y"))
    first = argument(call, "data", 0)
    if first is None:
        return one(node, call)
    return one(node, with_arg(call, first, named(first, "x")))
