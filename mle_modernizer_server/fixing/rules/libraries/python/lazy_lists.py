"""`map`, `zip`, `filter` and `dict.keys()` give no lists in Python 3.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Scene, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression
from mle_modernizer_server.fixing.rules.generic.target import function_matches

_LAZY = ("builtins.map", "builtins.filter", "builtins.zip")
_TAKERS = ("numpy.array", "numpy.asarray", "builtins.len", "numpy.mean", "numpy.random.choice")
_VIEWS = ("keys", "values", "items")


@codemod("python-lazy-arrays", on=cst.Call, names=("array", "asarray", "len", "mean", "choice"))
def listed(scene: Scene, node: cst.Call) -> Answer:
    """`np.array(map(f, xs))` → `np.array(list(map(f, xs)))`."""
    if not function_matches(scene, node.func, _TAKERS) or not node.args or node.args[0].star:
        return None
    value = node.args[0].value
    lazy = _is_lazy(scene, value)
    view = _is_view(scene, value) and not function_matches(scene, node.func, ("builtins.len",))
    if not (lazy or view):
        return None
    return one(value, expression(f"list({scene.code(value)})"))


@codemod("python-lazy-arrays", on=cst.Subscript)
def indexed(scene: Scene, node: cst.Subscript) -> Answer:
    """`zip(a, b)[0]` → `list(zip(a, b))[0]`."""
    if not (_is_lazy(scene, node.value) or _is_view(scene, node.value)):
        return None
    return one(node.value, expression(f"list({scene.code(node.value)})"))


def _is_lazy(scene: Scene, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and function_matches(scene, node.func, _LAZY)


def _is_view(scene: Scene, node: cst.BaseExpression) -> bool:
    """`d.keys()` of what is known to be a dict."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node.args:
        return False
    kind = scene.kind(node.func.value)
    is_dict = kind is not None and kind.name == "builtins.dict"
    return is_dict and node.func.attr.value in _VIEWS
