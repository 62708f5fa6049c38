"""Iterators have no method `next`: that of a DataLoader lost it in PyTorch 1.13.

https://github.com/pytorch/pytorch/releases/tag/v1.13.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("torch-iterator-next", on=cst.Call, names=("next",))
def following(context: Context, node: cst.Call) -> Answer:
    """`iter(loader).next()` → `next(iter(loader))`, also where a name was given the iterator."""
    if not isinstance(node.func, cst.Attribute) or node.args:
        return None
    made = context.all_written(node.func.value)
    if not made or not all(
        isinstance(value, cst.Call) and context.qualnames(value.func) == ("builtins.iter",)
        for value in made
    ):
        return None
    if context.program.lookup("next", node).bindings:
        return None  # the notebook's own
    return one(node, expression(f"next({context.code(node.func.value)})"))
