"""A Sequence's `__len__` must return an integer; Keras 2 rounded it.

https://keras.io/api/utils/python_utils/#pydataset-class
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses

_BASES = ("keras.utils.Sequence", "keras.utils.PyDataset")


@codemod("keras-sequence-length", on=cst.Return)
def whole(context: Context, node: cst.Return) -> Answer:
    """Rewrite `return np.ceil(n / b)` as `return int(np.ceil(n / b))`."""
    above = list(context.cell.ancestors(node))
    function = next((one for one in above if isinstance(one, cst.FunctionDef)), None)
    owner = next((one for one in above if isinstance(one, cst.ClassDef)), None)
    if function is None or function.name.value != "__len__" or owner is None:
        return None
    if not any(addresses(context, base.value) & set(_BASES) for base in owner.bases):
        return None
    value = node.value
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        rounds = value.func.attr.value in ("ceil", "floor", "round", "rint")
        if not rounds or "math" in context.code(value.func.value):
            return None
    elif not (isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Divide)):
        return None
    return one(node, node.with_changes(value=expression(f"int({context.code(value)})")))
