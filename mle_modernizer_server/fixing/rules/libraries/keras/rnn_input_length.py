"""Recurrent layers and convolutions lost `input_length`; `input_dim` alone is another shape.

https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named
from mle_modernizer_server.fixing.rules.libraries.keras.names import is_layer

_LAYERS = ("LSTM", "GRU", "SimpleRNN", "Conv1D", "Convolution1D")


@codemod("keras-rnn-input-length", on=cst.Call, names=_LAYERS)
def shape(context: Context, node: cst.Call) -> Answer:
    """Rewrite `LSTM(4, input_dim=3, input_length=5)` as `LSTM(4, input_shape=(5, 3))`."""
    if not is_layer(context, node, *_LAYERS):
        return None
    dim, length = argument(node, "input_dim"), argument(node, "input_length")
    if dim is None:
        return None if length is None else Unsure("there is no `input_dim` beside `input_length`")
    steps = "None" if length is None else context.code(length.value)
    new = named(dim, "input_shape", expression(f"({steps}, {context.code(dim.value)})"))
    call = node.with_deep_changes(dim, keyword=new.keyword, value=new.value)
    gone = argument(call, "input_length")
    return one(node, call if gone is None else without(call, [gone]))
