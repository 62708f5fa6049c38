"""A GPU that the code demands, and the machine does not have: the device that is there.

https://docs.pytorch.org/docs/stable/notes/cuda.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Assigned
from mle_modernizer_server.code.tree import (
    args_text,
    argument,
    code_of,
    expression,
    method_name,
    receiver_text,
    string,
    with_keyword,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, NewImport, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_CHOICE = "'cuda' if {}.cuda.is_available() else 'cpu'"


@codemod("torch-no-gpu", on=cst.Call, names=("cuda",))
def moved(context: Context, node: cst.Call) -> Answer:
    """Rewrite `model.cuda()` as `model.to(device)`, once a run has found no GPU."""
    if not isinstance(node.func, cst.Attribute) or not _has_failed(context):
        return None
    if context.qualnames(node.func):
        return None  # a function of a module
    kept = [arg for arg in node.args if arg.keyword and arg.keyword.value == "non_blocking"]
    device, imports = _device(context, node)
    rest = f", {args_text(kept)}" if kept else ""
    owner = receiver_text(node.func.value)
    return one(node, expression(f"{owner}.to({device}{rest})"), imports)


@codemod("torch-no-gpu", on=cst.Call, names=("device", "to"))
def named(context: Context, node: cst.Call) -> Answer:
    """`torch.device('cuda:0')` → `torch.device('cuda' if torch.cuda.is_available() else 'cpu')`."""
    if not node.args or not _has_failed(context):
        return None
    name = string(node.args[0].value)
    if name is None or name.partition(":")[0] != "cuda" or len(node.args) > 1:
        return None
    is_device = context.refers_to(node.func, "torch.device")
    is_move = method_name(node) == "to"
    if not (is_device or is_move):
        return None
    torch, imports = context.module(node, "torch", "torch")
    arg = node.args[0].with_changes(value=expression(_CHOICE.format(torch)))
    return one(node, node.with_changes(args=[arg]), imports)


@codemod("torch-no-gpu", on=cst.Call, functions=("torch.load",))
def loaded(context: Context, node: cst.Call) -> Answer:
    """`torch.load(f)` → `torch.load(f, map_location='cpu')`, for tensors saved on a GPU."""
    if not _has_failed(context):
        return None
    if argument(node, "map_location", 1) is not None or any(arg.star for arg in node.args):
        return None
    if not any("deserialize" in error.evalue for error in context.run.errors):
        return None
    return one(node, with_keyword(node, "map_location", expression("'cpu'")))


def _has_failed(context: Context) -> bool:
    return any(context.rule.matches(error) for error in context.run.errors)


def _device(context: Context, node: cst.Call) -> tuple[str, tuple[NewImport, ...]]:
    """Return the code of a device that exists, by the notebook's own name for it if it has one."""
    found = context.program.lookup("device", node)
    bounds = [binding.bound for binding in found.bindings]
    if bounds and all(
        isinstance(bound, Assigned) and "is_available" in code_of(bound.value) for bound in bounds
    ):
        return "device", ()
    torch, imports = context.module(node, "torch", "torch")
    return _CHOICE.format(torch), imports
