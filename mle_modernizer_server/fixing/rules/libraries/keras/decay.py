"""Keras 3 accepts the optimizers' argument `decay` and ignores it.

https://keras.io/guides/migrating_to_keras_3/

The step's learning rate was `lr / (1 + decay * iterations)`, which is `InverseTimeDecay`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, with_keyword, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses

_RATES = {
    "SGD": "0.01",
    "RMSprop": "0.001",
    "Adagrad": "0.01",
    "Adadelta": "1.0",
    "Adam": "0.001",
    "Adamax": "0.002",
}
_CHANGERS = ("ReduceLROnPlateau", "LearningRateScheduler")


@codemod("keras-decay", on=cst.Call, names=_RATES)
def schedule(context: Context, node: cst.Call) -> Answer:
    """`Adam(lr=1e-3, decay=1e-5)` → `Adam(learning_rate=InverseTimeDecay(1e-3, 1, 1e-5))`."""
    name = next(
        (
            address.rpartition(".")[2]
            for address in addresses(context, node.func)
            if address.startswith("keras.optimizers.")
        ),
        "",
    )
    decay = argument(node, "decay")
    if name not in _RATES or decay is None:
        return None
    if literal(decay.value) in (0, 0.0, None) and literal(decay.value) is not False:
        return one(node, without(node, [decay]))
    if _changes_rate(context):
        return Unsure("a callback sets the learning rate too, which a schedule does not allow")
    rate = argument(node, "learning_rate", 0) or argument(node, "lr")
    start = context.code(rate.value) if rate is not None else _RATES[name]
    local, imports = context.imported(
        node, "keras.optimizers.schedules", "InverseTimeDecay", "InverseTimeDecay"
    )
    text = expression(f"{local}({start}, 1, {context.code(decay.value)})")
    if rate is None:
        call = with_keyword(node, "learning_rate", text)
    elif rate.keyword is None:
        call = node.with_deep_changes(rate, value=text)
    else:
        new = named(rate, "learning_rate", text)
        call = node.with_deep_changes(rate, keyword=new.keyword, value=new.value)
    again = argument(call, "decay")
    assert again is not None
    return one(node, without(call, [again]), imports)


def _changes_rate(context: Context) -> bool:
    for cell in context.program.cells:
        for node in cell.places:
            if isinstance(node, (cst.Name, cst.Attribute)):
                last = node.value if isinstance(node, cst.Name) else node.attr.value
                parent = cell.places[node].parent
                if last in _CHANGERS and isinstance(parent, cst.Call) and parent.func is node:
                    return True
                if last == "set_value":
                    return True
    return False
