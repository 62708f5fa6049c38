"""The optimizers' attribute `lr` is `learning_rate` in Keras 3, a variable with `assign`.

https://keras.io/guides/migrating_to_keras_3/

Assigning to `lr` raises nothing and changes nothing.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses, uses_keras

_BACKEND = ("keras.backend.set_value", "keras.backend.get_value", "keras.backend.eval")


@codemod("keras-set-value-lr", on=cst.Call, names=("set_value", "get_value", "eval"))
def value(context: Context, node: cst.Call) -> Answer:
    """Rewrite `K.set_value(m.optimizer.lr, v)` as `m.optimizer.learning_rate.assign(v)`."""
    if not node.args:
        return None
    found = addresses(context, node.func) & set(_BACKEND)
    rate = node.args[0].value
    if not found or not _is_rate(rate, ("lr", "learning_rate")):
        return None
    assert isinstance(rate, cst.Attribute)
    owner = context.code(rate.value)
    if "keras.backend.set_value" in found:
        if len(node.args) != 2:
            return None
        text = f"{owner}.learning_rate.assign({context.code(node.args[1].value)})"
    else:
        text = f"float({owner}.learning_rate)"
    return one(node, expression(text))


@codemod("keras-optimizer-lr", on=cst.Attribute, names=("lr",), written=False)
@codemod("keras-optimizer-set-lr", on=cst.Attribute, names=("lr",), written=True)
def attribute(context: Context, node: cst.Attribute, written: bool) -> Answer:
    """Rewrite `m.optimizer.lr` as `m.optimizer.learning_rate`."""
    if not _is_rate(node, ("lr",)) or not uses_keras(context):
        return None
    if isinstance(context.parent(node), cst.AssignTarget) is not written:
        return None
    return one(node, node.with_changes(attr=cst.Name("learning_rate")))


def _is_rate(node: cst.BaseExpression, names: tuple[str, ...]) -> bool:
    return (
        isinstance(node, cst.Attribute)
        and node.attr.value in names
        and isinstance(node.value, cst.Attribute)
        and node.value.attr.value == "optimizer"
    )
