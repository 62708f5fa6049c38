"""`WarmupLinearSchedule` became `get_linear_schedule_with_warmup`, with other arguments.

https://huggingface.co/docs/transformers/migration
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_aliases

_NEW = {
    "WarmupLinearSchedule": "get_linear_schedule_with_warmup",
    "WarmupConstantSchedule": "get_constant_schedule_with_warmup",
    "WarmupCosineSchedule": "get_cosine_schedule_with_warmup",
    "ConstantLRSchedule": "get_constant_schedule",
}
_ARGUMENTS = {"warmup_steps": "num_warmup_steps", "t_total": "num_training_steps"}


@codemod("transformers-warmup", on=cst.Call, names=(*_NEW, *_NEW.values()))
def arguments(context: Context, node: cst.Call) -> Answer:
    """Rename `warmup_steps` and `t_total`."""
    if not context.comes_from(node.func, "transformers"):
        return None
    args = [
        arg.with_changes(keyword=cst.Name(_ARGUMENTS[arg.keyword.value]))
        if arg.keyword is not None and arg.keyword.value in _ARGUMENTS
        else arg
        for arg in node.args
    ]
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return None
    return one(node, node.with_changes(args=args))


@codemod("transformers-warmup", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Import the new function as the old name: `from transformers import WarmupLinearSchedule`."""
    if dotted_name(node.module) != "transformers":
        return None

    def renamed(alias: cst.ImportAlias) -> cst.ImportAlias:
        old = dotted_name(alias.name)
        if old not in _NEW:
            return alias
        local = alias.asname or cst.AsName(cst.Name(old))
        return alias.with_changes(name=cst.Name(_NEW[old]), asname=local)

    return with_aliases(node, renamed)
