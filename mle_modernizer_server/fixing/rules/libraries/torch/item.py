"""A loss is a tensor without dimensions since PyTorch 0.4: `loss.data[0]` is `loss.item()`.

https://pytorch.org/blog/pytorch-0_4_0-migration-guide/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("torch-data-index", on=cst.Subscript)
def number(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `loss.data[0]` as `loss.item()`, also `loss[0]` if the run failed."""
    if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
        return None
    if not same_literal(node.slice[0].slice.value, 0):
        return None
    owner = node.value
    data = isinstance(owner, cst.Attribute) and owner.attr.value == "data"
    if isinstance(owner, cst.Attribute) and data:
        owner = owner.value
    failed = context.evidence(node)
    if not failed and not (data and isinstance(owner, cst.Name) and _is_loss(owner.value)):
        return None
    return one(node, expression(f"{receiver_text(owner)}.item()"))


def _is_loss(name: str) -> bool:
    return name.lower() == "loss" or name.lower().endswith("_loss")
