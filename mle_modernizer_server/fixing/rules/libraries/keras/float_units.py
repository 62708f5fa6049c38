"""Keras 3 takes no floating-point number of units; Keras 2 made it an integer.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import is_layer

_LAYERS = ("Dense", "LSTM", "GRU", "SimpleRNN", "Conv1D", "Conv2D", "Conv3D")


@codemod("keras-float-units", on=cst.Call, names=_LAYERS)
def whole(context: Context, node: cst.Call) -> Answer:
    """Rewrite `Dense(n / 2)` as `Dense(int(n / 2))`."""
    if not is_layer(context, node, *_LAYERS):
        return None
    given = argument(node, "units", 0) or argument(node, "filters")
    if given is None:
        return None
    value = given.value
    if isinstance(value, cst.BinaryOperation) and _divides(value):
        return one(node, node.with_deep_changes(given, value=_int(context, value)))
    if isinstance(value, cst.Float):
        return one(node, node.with_deep_changes(given, value=_int(context, value)))
    if isinstance(value, cst.Name) and context.evidence(node):
        return Unsure(f"where `{value.value}` gets its value is not looked into")
    return None


def _divides(value: cst.BinaryOperation) -> bool:
    parts = (value.left, value.right)
    return isinstance(value.operator, cst.Divide) or any(
        isinstance(part, cst.Float) or (isinstance(part, cst.BinaryOperation) and _divides(part))
        for part in parts
    )


def _int(context: Context, value: cst.BaseExpression) -> cst.BaseExpression:
    return expression(f"int({context.code(value.with_changes(lpar=[], rpar=[]))})")
