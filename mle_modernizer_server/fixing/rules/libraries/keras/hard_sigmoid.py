"""`hard_sigmoid` is `relu6(x + 3) / 6` in Keras 3; it was `clip(0.2 * x + 0.5, 0, 1)`.

https://keras.io/api/layers/activations/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses, is_layer

_ARGUMENTS = ("activation", "recurrent_activation", "inner_activation")


@codemod("keras-hard-sigmoid", on=cst.Call)
def old_slope(context: Context, node: cst.Call) -> Answer:
    """Rewrite `LSTM(4, recurrent_activation='hard_sigmoid')` as the old function as a lambda."""
    given = [
        arg for name in _ARGUMENTS if (arg := argument(node, name)) and _is_it(context, arg.value)
    ]
    first = node.args[0] if node.args and is_layer(context, node, "Activation") else None
    if first is not None and first not in given and _is_it(context, first.value):
        given.append(node.args[0])
    if not given or not is_layer(context, node):
        return None
    local, imports = context.imported(node, "keras", "ops", "ops")
    new = expression(f"lambda x: {local}.clip(0.2 * x + 0.5, 0, 1)")
    args = [arg.with_changes(value=new) if arg in given else arg for arg in node.args]
    return Fix((Change(node, node.with_changes(args=args)),), imports)


def _is_it(context: Context, value: cst.BaseExpression) -> bool:
    if string(value) == "hard_sigmoid":
        return True
    return "keras.activations.hard_sigmoid" in addresses(context, value)
