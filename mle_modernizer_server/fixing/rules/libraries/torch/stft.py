"""`torch.stft` needs an argument to return pairs of real numbers.

https://github.com/pytorch/pytorch/releases/tag/v2.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("torch-stft", on=cst.Call, functions=("torch.stft",))
def pairs(context: Context, node: cst.Call) -> Answer:
    """Rewrite `torch.stft(x, n)` as `torch.view_as_real(torch.stft(x, n, return_complex=True))`."""
    if argument(node, "return_complex"):
        return None
    torch, imports = context.module(node, "torch", "torch")
    call = with_keyword(node, "return_complex", cst.Name("True"))
    text = cst.Module([]).code_for_node(call)
    return one(node, expression(f"{torch}.view_as_real({text})"), imports)
