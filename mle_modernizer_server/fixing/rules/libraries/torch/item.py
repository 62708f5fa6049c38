"""A loss is a tensor without dimensions since PyTorch 0.4: `loss.data[0]` is `loss.item()`.

https://pytorch.org/blog/pytorch-0_4_0-migration-guide/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, owner


@codemod("torch-data-index", on=cst.Subscript)
def number(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `loss.data[0]` as `loss.item()`, also `loss[0]` if the run failed."""
    place = key(node)
    if place is None or not same_literal(place, 0):
        return None
    of_data = owner(node.value, "data")
    is_loss = isinstance(of_data, cst.Name) and _is_loss(of_data.value)
    if not is_loss and not context.evidence(node):
        return None
    loss = node.value if of_data is None else of_data
    return one(node, expression(f"{receiver_text(loss)}.item()"))


def _is_loss(name: str) -> bool:
    return name.lower() == "loss" or name.lower().endswith("_loss")
