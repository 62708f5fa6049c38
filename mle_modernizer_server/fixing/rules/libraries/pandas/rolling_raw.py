"""`apply` of a moving window got arrays; since pandas 1.0 it gets Series unless `raw=True`.

https://pandas.pydata.org/docs/whatsnew/v0.23.0.html#rolling-expanding-apply-accepts-raw-false-to-pass-a-series-to-the-function
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, has_double_star, with_keyword

_WINDOWS = ("rolling", "expanding")


@codemod("pandas-rolling-apply-raw", on=cst.Call, names=("apply",))
def raw(context: Context, node: cst.Call) -> Answer:
    """`s.rolling(3).apply(f)` → `s.rolling(3).apply(f, raw=True)`."""
    if not isinstance(node.func, cst.Attribute) or argument(node, "raw", 1):
        return None
    if has_double_star(node) or not node.args or not _window(node.func.value):
        return None
    return one(node, with_keyword(node, "raw", cst.Name("True")))


def _window(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Subscript):
        return _window(node.value)
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and node.func.attr.value in _WINDOWS
    )
