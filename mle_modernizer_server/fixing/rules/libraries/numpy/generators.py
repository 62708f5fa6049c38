"""Functions of NumPy that took generators and no longer do: a list takes the generator's place.

https://numpy.org/doc/stable/release/1.25.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression
from mle_modernizer_server.fixing.rules.generic.target import function_matches

_STACKS = ("vstack", "hstack", "stack", "dstack", "column_stack", "row_stack", "concatenate")
_LAZY = ("builtins.map", "builtins.filter", "builtins.zip", "builtins.reversed")


@codemod("numpy-stack-generators", on=cst.Call, names=_STACKS, functions=_STACKS, lazy=_LAZY)
@codemod("numpy-sum-generator", on=cst.Call, names=("sum",), functions=("sum",), lazy=())
def as_list(
    context: Context, node: cst.Call, functions: tuple[str, ...], lazy: tuple[str, ...]
) -> Answer:
    """`np.vstack(f(x) for x in xs)` → `np.vstack([f(x) for x in xs])`."""
    if not function_matches(context, node.func, [f"numpy.{name}" for name in functions]):
        return None
    if not node.args or node.args[0].star:
        return None
    value = node.args[0].value
    if isinstance(value, cst.GeneratorExp):
        return one(value, cst.ListComp(value.elt, value.for_in))
    if isinstance(value, cst.Call) and function_matches(context, value.func, lazy):
        return one(value, expression(f"list({context.code(value)})"))
    return None
