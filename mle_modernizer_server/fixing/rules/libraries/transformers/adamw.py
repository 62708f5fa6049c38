"""`transformers.AdamW` was removed: PyTorch's does the same with the old defaults written out.

https://github.com/huggingface/transformers/blob/main/MIGRATION_GUIDE_V5.md
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    same_literal,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.moves import fix_import
from mle_modernizer_server.fixing.rules.rule import Move

_OLD = ("transformers.AdamW", "transformers.optimization.AdamW")
_MOVE = Move(do="move", names=dict.fromkeys(_OLD, "torch.optim.AdamW"))
_DEFAULTS = {"lr": (1, "1e-3"), "eps": (3, "1e-6"), "weight_decay": (4, "0.0")}


@codemod("transformers-adamw", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Move the import, and add `eps=1e-6, weight_decay=0.0` to every `AdamW(p, lr=2e-5)`."""
    moved = fix_import(context, node, _MOVE)
    if not isinstance(moved, Fix):
        return moved
    changes = list(moved.changes)
    for cell in context.program.cells:
        for call in cell.places:
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
                continue
            if context.refers_to(call.func, *_OLD):
                new = _with_defaults(call)
                if isinstance(new, Unsure):
                    return new
                changes.append(Change(call, new))
    return Fix(tuple(changes), moved.imports)


@codemod("transformers-adamw", on=cst.Call, functions=_OLD)
def spelled_out(context: Context, node: cst.Call) -> Answer:
    """`transformers.AdamW(p)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    new = _with_defaults(node)
    if isinstance(new, Unsure):
        return new
    local, imports = context.imported(node, "torch.optim", "AdamW", "AdamW")
    return Fix((Change(node, new.with_changes(func=expression(local))),), imports)


def _with_defaults(call: cst.Call) -> cst.Call | Unsure:
    if any(arg.star for arg in call.args):
        return Unsure("its arguments cannot be told apart")
    bias = argument(call, "correct_bias", 5)
    if bias is not None and not same_literal(bias.value, True):
        return Unsure("PyTorch's AdamW always corrects the bias")
    new = call if bias is None else without(call, [bias])
    for name, (position, value) in _DEFAULTS.items():
        if argument(new, name, position) is None:
            new = with_keyword(new, name, expression(value))
    return new
