"""Since version 4 models return an object; unpacked like a tuple, it yields names of its parts.

https://huggingface.co/docs/transformers/v4.0.0/migration
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("transformers-tuple-output", on=cst.Call, names=("from_pretrained",))
def tuples(context: Context, node: cst.Call) -> Answer:
    """Rewrite `BertModel.from_pretrained(n)` as `BertModel.from_pretrained(n, return_dict=False)`.

    Only if the notebook unpacks the model's result into several names.
    """
    func = node.func
    if not isinstance(func, cst.Attribute) or argument(node, "return_dict") is not None:
        return None
    address = next(iter(context.qualnames(func.value)), "")
    if not address.startswith("transformers.") or not _is_model(address.rpartition(".")[2]):
        return None
    statement = context.parent(node)
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    name = context.code(statement.targets[0].target)
    if not any(
        isinstance(other.value, cst.Call)
        and isinstance(other.targets[0].target, (cst.Tuple, cst.List))
        and context.code(other.value.func) == name
        for other in context.nodes(cst.Assign)
    ):
        return None
    return one(node, with_keyword(node, "return_dict", expression("False")))


def _is_model(name: str) -> bool:
    return not name.startswith("TF") and (name.endswith("Model") or "For" in name)
