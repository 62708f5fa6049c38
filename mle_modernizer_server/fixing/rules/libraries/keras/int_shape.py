"""Keras 3 takes no number for a shape: `Input(shape=4)`, `Dense(2, input_shape=(4))`.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key, owner
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses, is_layer

_INPUTS = ("keras.Input", "keras.layers.Input", "keras.layers.InputLayer")


@codemod("keras-input-int-shape", on=cst.Call)
def as_tuple(context: Context, node: cst.Call) -> Answer:
    """Rewrite `Input(shape=4)` as `Input(shape=(4,))`."""
    if addresses(context, node.func) & set(_INPUTS):
        given = argument(node, "shape", 0) or argument(node, "input_shape")
    elif argument(node, "input_shape") is not None and is_layer(context, node):
        given = argument(node, "input_shape")
    else:
        return None
    if given is None:
        return None
    value = given.value
    if not _is_number(value):
        if isinstance(value, cst.Name) and context.evidence(node):
            return Unsure(f"whether `{value.value}` is a number cannot be told from the code")
        return None
    inner = value.with_changes(lpar=[], rpar=[])
    new = expression(f"({context.code(inner)},)")
    return one(node, node.with_deep_changes(given, value=new))


def _is_number(value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Integer):
        return True
    if isinstance(value, cst.Call):
        return isinstance(value.func, cst.Name) and value.func.value in ("len", "int")
    of_shape = isinstance(value, cst.Subscript) and owner(value.value, "shape") is not None
    return of_shape and key(value) is not None
