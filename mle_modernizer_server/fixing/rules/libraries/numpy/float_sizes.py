"""Sizes and counts that are fractions: NumPy before 1.12 truncated them to integers.

https://numpy.org/doc/stable/release/1.12.0-notes.html

`int()` truncates in the same way. Only if a run failed: a quotient may be an integer.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, method_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_COUNTS = {"linspace": ("num", 2), "logspace": ("num", 2), "geomspace": ("num", 2)}
_SIZES = {"zeros": 0, "ones": 0, "empty": 0, "full": 0, "eye": 0}
_NO_NAMES = 3
"""Depth from which on names are not resolved to their values."""
_METHODS = ("reshape",)
_ROUNDED = frozenset(
    f"{module}.{name}"
    for module, names in {
        "numpy": ("ceil", "floor", "round", "rint", "trunc", "sqrt"),
        "math": ("sqrt",),
    }.items()
    for name in names
)


@codemod("numpy-float-sizes", on=cst.Call, names=(*_COUNTS, *_SIZES, *_METHODS, "range"))
def whole(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.linspace(a, b, n / 2)` as `np.linspace(a, b, int(n / 2))`."""
    return _cut_off(context, _sizes(context, node))


@codemod("numpy-float-counts", on=cst.Call, names=tuple(_COUNTS))
def whole_count(context: Context, node: cst.Call) -> Answer:
    """Truncate a count that is certain to be a fraction without a run: a quotient in Python 3."""
    called = context.qualnames(node.func)
    if not called or called[0] not in {f"numpy.{name}" for name in _COUNTS}:
        return None
    count = argument(node, *_COUNTS[called[0].rpartition(".")[2]])
    if count is None or not _is_fraction(context, context.written(count.value), _NO_NAMES):
        return None
    return one(count.value, expression(f"int({context.code(count.value)})"))


def _cut_off(context: Context, numbers: list[cst.BaseExpression]) -> Answer:
    """Put `int()` around the fractions if the run failed there."""
    fractions = [number for number in numbers if _is_fraction(context, number)]
    if not fractions or not context.evidence(fractions[0]):
        return None
    return Fix(tuple(Change(each, expression(f"int({context.code(each)})")) for each in fractions))


@codemod("numpy-float-sizes", on=cst.SubscriptElement)
def whole_place(context: Context, node: cst.SubscriptElement) -> Answer:
    """Rewrite `x[n / 2:]` as `x[int(n / 2):]`."""
    index = node.slice
    if isinstance(index, cst.Index):
        return _cut_off(context, [index.value])
    places = (index.lower, index.upper) if isinstance(index, cst.Slice) else ()
    return _cut_off(context, [place for place in places if place is not None])


def _sizes(context: Context, node: cst.Call) -> list[cst.BaseExpression]:
    """Return each expression that is passed as a size or count."""
    called = context.qualnames(node.func)
    name = called[0] if called else ""
    given: list[cst.BaseExpression] = []
    if name == "builtins.range":
        given = [arg.value for arg in node.args if not arg.star]
    elif method_name(node) in _METHODS:
        given = [arg.value for arg in node.args if not arg.star and arg.keyword is None]
    elif name.startswith("numpy."):
        last = name.rpartition(".")[2]
        if last in _COUNTS:
            count = argument(node, *_COUNTS[last])
            given = [] if count is None else [count.value]
        elif last in _SIZES:
            shape = argument(node, "N" if last == "eye" else "shape", 0)
            given = [] if shape is None else [shape.value]
    parts: list[cst.BaseExpression] = []
    for size in given:
        if isinstance(size, (cst.Tuple, cst.List)):
            parts.extend(element.value for element in size.elements)
        else:
            parts.append(size)
    return parts


def _is_fraction(context: Context, node: cst.BaseExpression, depth: int = 0) -> bool:
    """Return whether it is a quotient, or rounded by NumPy: `n / 2 + 1`, `np.ceil(x)`, a name."""
    if isinstance(node, cst.Name):
        written = context.all_written(node)
        return depth < _NO_NAMES and any(_is_fraction(context, each, depth + 1) for each in written)
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, cst.Divide):
            return True
        sides = (node.left, node.right)
        return any(_is_fraction(context, side, depth) for side in sides)
    if isinstance(node, cst.Call):
        return context.refers_to(node.func, *_ROUNDED)
    return isinstance(node, cst.Float)
