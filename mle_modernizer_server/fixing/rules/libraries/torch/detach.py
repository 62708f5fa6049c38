"""A tensor with a gradient cannot become an array since PyTorch 0.4.

https://pytorch.org/blog/pytorch-0_4_0-migration-guide/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("torch-numpy-grad", on=cst.Call, names=("numpy",))
def without_gradient(context: Context, node: cst.Call) -> Answer:
    """Rewrite `y.cpu().numpy()` as `y.cpu().detach().numpy()` if the run failed."""
    if not isinstance(node.func, cst.Attribute) or not context.evidence(node):
        return None
    owner = node.func.value
    if ".detach()" in context.code(owner):
        return None
    new = expression(f"{receiver_text(owner)}.detach()")
    return one(node, node.with_changes(func=node.func.with_changes(value=new)))
