"""`torch.stft` needs an argument to return pairs of real numbers.

https://github.com/pytorch/pytorch/releases/tag/v2.0.0

`torch.istft` takes complex numbers only since PyTorch 2.0.

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


@codemod("torch-istft", on=cst.Call, names=("istft",))
def complex_input(context: Context, node: cst.Call) -> Answer:
    """Rewrite `torch.istft(x, n)` as `torch.istft(torch.view_as_complex(x), n)`."""
    given = argument(node, "input", 0)
    if given is None or not context.refers_to(node.func, "torch.istft"):
        return None
    if "view_as_complex" in context.code(given.value) or not context.evidence(node):
        return None
    torch, imports = context.module(node, "torch", "torch")
    new = expression(f"{torch}.view_as_complex({context.code(given.value)})")
    return one(node, node.with_deep_changes(given, value=new), imports)
