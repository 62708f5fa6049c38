"""Keras 1 on Theano had the channels of an image first, by its settings; Keras 3 has them last.

https://keras.io/api/utils/config_utils/#set_image_data_format-function
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.lines import behind
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import imported_modules
from mle_modernizer_server.fixing.rules.libraries.keras.names import is_layer

_LAYERS = (
    *("Conv2D", "Convolution2D", "ZeroPadding2D", "MaxPooling2D", "AveragePooling2D"),
    *("SeparableConv2D", "SeparableConvolution2D"),
)
_SAID = re.compile(r"image_data_format|image_dim_ordering|data_format|dim_ordering")
_CHANNELS = (1, 3)
_LAST = re.compile(r"channel|depth", re.IGNORECASE)
_SWITCH = 'keras.config.set_image_data_format("channels_first")'


@codemod("keras-theano-order", on=cst.Call, names=_LAYERS)
def first_layer(context: Context, node: cst.Call) -> Answer:
    """Set the order before the first model if its input has the channels first."""
    if not is_layer(context, node, *_LAYERS):
        return None
    shape = argument(node, "input_shape")
    if shape is None or not _has_channels_first(shape.value):
        return None
    if any(_SAID.search(cell.source) for cell in context.program.cells):
        return None
    for cell in context.program.cells:
        for statement in cell.module.body:
            if any(map(_is_keras, imported_modules(statement))):
                return behind(statement, "import keras", _SWITCH)
    return Unsure("Keras is not imported at the top level of a cell")


def _has_channels_first(node: cst.BaseExpression) -> bool:
    """Return whether a shape of three begins, and does not end, with a number of channels."""
    if not isinstance(node, cst.Tuple) or len(node.elements) != 3:
        return False
    first, _, last = (element.value for element in node.elements)
    size = literal(last)
    named = isinstance(last, cst.Name) and not _LAST.search(last.value)
    return literal(first) in _CHANNELS and (named or (type(size) is int and size > 4))


def _is_keras(module: str) -> bool:
    return module.split(".")[0] == "keras" or module.startswith("tensorflow")
