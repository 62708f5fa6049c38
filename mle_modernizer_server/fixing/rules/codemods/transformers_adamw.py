"""`transformers.AdamW` was removed: PyTorch's does the same with its defaults written out.

https://github.com/huggingface/transformers/blob/main/MIGRATION_GUIDE_V5.md
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.removal import used, without_names
from mle_modernizer_server.fixing.rules.scene import Answer, Change, Fix, Scene, Unsure
from mle_modernizer_server.fixing.rules.tree import (
    argument,
    dotted_name,
    expression,
    same_literal,
    with_keyword,
    without,
)

_DEFAULTS = {"lr": (1, "1e-3"), "eps": (3, "1e-6"), "weight_decay": (4, "0.0")}


@codemod(cst.Call, "AdamW")
def optimizer(scene: Scene, node: cst.Call) -> Answer:
    """`AdamW(p, lr=2e-5)` → PyTorch's, with `eps=1e-6, weight_decay=0.0`."""
    names = set(scene.qualnames(node.func))
    if not names & {"transformers.AdamW", "transformers.optimization.AdamW"}:
        return None
    if any(arg.star for arg in node.args):
        return Unsure("its arguments cannot be told apart")
    bias = argument(node, "correct_bias", 5)
    if bias is not None and not same_literal(bias.value, True):
        return Unsure("PyTorch's AdamW always corrects the bias")
    call = node if bias is None else without(node, [bias])
    for name, (position, value) in _DEFAULTS.items():
        if argument(call, name, position) is None:
            call = with_keyword(call, name, expression(value))
    local, imports = scene.imported(node, "torch.optim", "AdamW", "AdamW")
    return Fix((Change(node, call.with_changes(func=expression(local))),), imports)


@codemod(cst.ImportFrom)
def imported(scene: Scene, node: cst.ImportFrom) -> Answer:
    """The name goes out of the import when nothing uses it any more."""
    module = dotted_name(node.module)
    if module not in ("transformers", "transformers.optimization"):
        return None
    if used(scene, f"{module}.AdamW"):
        return None
    return without_names(scene, node, ("AdamW",))
