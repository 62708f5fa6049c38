"""`np.in1d` flattened its first argument; `np.isin` returns an array of the same shape.

https://numpy.org/doc/stable/reference/generated/numpy.isin.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, method_name, string
from mle_modernizer_server.code.types.type import INDEX, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, with_value

_FLAT = frozenset({"ravel", "flatten", "unique", "keys", "split"})
_FLAT_FUNCTIONS = frozenset(
    ("builtins.list", "builtins.range", "builtins.sorted", "numpy.arange", "numpy.unique")
)
_WHOLE = frozenset({"any", "all", "sum", "mean", "reshape"})


@codemod("numpy-in1d", on=cst.Call, functions=("numpy.in1d",))
def flat(context: Context, node: cst.Call) -> Answer:
    """`np.in1d(a, b)` → `np.isin(np.ravel(a), b)`, unless `a` evidently has one dimension."""
    asked = argument(node, "ar1", 0)
    if asked is None or asked.star or asked.keyword is not None:
        return None
    if _is_flat(context, asked.value) or _shape_is_lost(context, node):
        return None
    np, imports = context.module(node, "numpy", "np")
    value = expression(f"{np}.ravel({context.code(asked.value)})")
    func = node.func
    if isinstance(func, cst.Attribute):
        func = func.with_changes(attr=cst.Name("isin"))
    return one(node, with_value(node, asked, value).with_changes(func=func), imports)


def _is_flat(context: Context, value: cst.BaseExpression) -> bool:
    """Return whether it evidently has one dimension."""
    made = context.written(value)
    if context.type_of(value) in (SERIES, INDEX):
        return True
    if isinstance(made, (cst.List, cst.Tuple)):
        return not any(isinstance(part.value, (cst.List, cst.Tuple)) for part in made.elements)
    if isinstance(made, (cst.ListComp, cst.Set, cst.SetComp)):
        return True
    if isinstance(made, cst.Attribute):
        if made.attr.value == "values":
            return _is_flat(context, made.value)
        return made.attr.value in ("index", "columns")
    if isinstance(made, cst.Subscript):
        return string(key(made)) is not None
    if not isinstance(made, cst.Call):
        return False
    method = method_name(made)
    if method == "reshape":
        return len(made.args) == 1 and context.code(made.args[0].value) == "-1"
    return method in _FLAT or context.refers_to(made.func, *_FLAT_FUNCTIONS)


def _shape_is_lost(context: Context, node: cst.Call) -> bool:
    """Return whether the shape does not matter: `np.in1d(a, b).reshape(a.shape)`, `….all()`."""
    method = context.parent(node)
    if not isinstance(method, cst.Attribute) or method.attr.value not in _WHOLE:
        return False
    call = context.parent(method)
    return isinstance(call, cst.Call) and (bool(call.args) == (method.attr.value == "reshape"))
