"""`fillna(method=…)` was removed in pandas 3.0; `ffill` and `bfill` are methods of their own.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, literal, string, without

_NEW = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}


@codemod("pandas-fillna-method", on=cst.Call, names=("fillna",))
def own_method(context: Context, node: cst.Call) -> Answer:
    """`df.fillna(method='pad', limit=2)` → `df.ffill(limit=2)`."""
    method = argument(node, "method")
    if method is None or not isinstance(node.func, cst.Attribute):
        return None
    new = _NEW.get(string(method.value) or "")
    if new is None:
        return Unsure("the fill method is not written out")
    value = argument(node, "value")
    if any(arg.keyword is None for arg in node.args) or (
        value is not None and literal(value.value) is not None
    ):
        return Unsure("a fill value and a method are given at once")
    call = without(node, [method] if value is None else [method, value])
    return one(node, call.with_changes(func=node.func.with_changes(attr=cst.Name(new))))
