"""Functions of NumPy that took generators and no longer do: a list takes the generator's place, and
Python's own sum that of np.sum.

https://numpy.org/doc/stable/release/1.25.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_STACKS = ("vstack", "hstack", "stack", "dstack", "column_stack", "row_stack", "concatenate")
_SUMS = frozenset(("numpy", "pylab", "matplotlib.pylab", "scipy"))
"""Modules whose star import binds `sum`."""
_LAZY = ("builtins.map", "builtins.filter", "builtins.zip", "builtins.reversed")


@codemod("numpy-stack-generators", on=cst.Call, functions=[f"numpy.{name}" for name in _STACKS])
def as_list(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.vstack(f(x) for x in xs)` as `np.vstack([f(x) for x in xs])`."""
    if not node.args or node.args[0].star:
        return None
    value = node.args[0].value
    if isinstance(value, cst.GeneratorExp):
        return one(value, cst.ListComp(value.elt, value.for_in))
    if isinstance(value, cst.Call) and context.refers_to(value.func, *_LAZY):
        return one(value, expression(f"list({context.code(value)})"))
    return None


@codemod("numpy-sum-generator", on=cst.Call, names=("sum",))
def summed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.sum(f(x) for x in xs)` as `sum(f(x) for x in xs)`, which it called.

    For arrays it returns their elementwise sum; np.sum of a list adds up all numbers.
    """
    if not isinstance(node.func, cst.Attribute) or len(node.args) != 1 or node.args[0].star:
        return None
    if not context.refers_to(node.func, "numpy.sum"):
        return None
    if not isinstance(node.args[0].value, cst.GeneratorExp):
        return None
    if context.program.lookup("sum", node).bindings or _SUMS.intersection(context.program.stars):
        return Unsure("the notebook has a `sum` of its own")
    return one(node.func, cst.Name("sum"))
