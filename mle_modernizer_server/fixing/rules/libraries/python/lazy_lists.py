"""`map`, `zip`, `filter` and `dict.keys()` return no lists in Python 3.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_LAZY = ("builtins.map", "builtins.filter", "builtins.zip")
_TAKERS = ("numpy.array", "numpy.asarray", "builtins.len", "numpy.mean", "numpy.random.choice")
_VIEWS = ("keys", "values", "items")


@codemod("python-lazy-arrays", on=cst.Call, functions=_TAKERS)
def listed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.array(map(f, xs))` as `np.array(list(map(f, xs)))`."""
    if not node.args or node.args[0].star:
        return None
    value = node.args[0].value
    lazy = _is_lazy(context, value)
    view = _is_view(context, value) and not context.refers_to(node.func, "builtins.len")
    if not (lazy or view):
        return None
    return one(value, expression(f"list({context.code(value)})"))


@codemod("python-lazy-arrays", on=cst.Subscript)
def indexed(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `zip(a, b)[0]` as `list(zip(a, b))[0]`."""
    if not (_is_lazy(context, node.value) or _is_view(context, node.value)):
        return None
    return one(node.value, expression(f"list({context.code(node.value)})"))


def _is_lazy(context: Context, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and context.refers_to(node.func, *_LAZY)


def _is_view(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether it is like `d.keys()` of a known dict."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node.args:
        return False
    inferred = context.type_of(node.func.value)
    is_dict = inferred is not None and inferred.name == "builtins.dict"
    return is_dict and node.func.attr.value in _VIEWS
