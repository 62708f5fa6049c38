"""Keras 3 removed `get_output_at` and similar methods; `output` is that of a layer called once.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_PARTS = {
    "get_output_at": "output",
    "get_input_at": "input",
    "get_output_shape_at": "output.shape",
    "get_input_shape_at": "input.shape",
}


@codemod("keras-get-output-at", on=cst.Call, names=_PARTS)
def only_call(context: Context, node: cst.Call) -> Answer:
    """Rewrite `layer.get_output_at(0)` as `layer.output`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    index = argument(node, "node_index", 0)
    if index is None or not same_literal(index.value, 0):
        return Unsure("the layer was called more than once")
    part = _PARTS[node.func.attr.value]
    return one(node, expression(f"{context.code(node.func.value)}.{part}"))
