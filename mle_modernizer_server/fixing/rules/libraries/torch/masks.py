"""Masks are tensors of bool since PyTorch 1.2.

https://github.com/pytorch/pytorch/releases/tag/v1.2.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, method_name, receiver_text
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("torch-masked-fill", on=cst.Call, names=("masked_fill", "masked_fill_", "masked_select"))
def of_bool(context: Context, node: cst.Call) -> Answer:
    """Rewrite `x.masked_fill(mask, 0)` as `x.masked_fill(mask.bool(), 0)` if the run failed."""
    if not context.evidence(node):
        return None
    function = context.refers_to(node.func, "torch.masked_select")
    mask = argument(node, "mask", 1 if function else 0)
    if mask is None or _is_bool(mask.value):
        return None
    new = expression(f"{receiver_text(mask.value)}.bool()")
    return one(node, node.with_deep_changes(mask, value=new))


def _is_bool(value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Comparison):
        return True
    return method_name(value) == "bool"
