"""The parts of a shape are numbers in TensorFlow 2, not `Dimension` objects.

`disable_v2_behavior()` brings those back, and the numbers of them are in `value` again.

https://www.tensorflow.org/guide/migrate/upgrade
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("tf-dimension-value", on=cst.Attribute, names=("value",))
def number(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `x.shape[1].value` as `x.shape[1]`, `x.get_shape()[1].value` as well."""
    if not isinstance(node.value, cst.Subscript):
        return None
    if any("disable_v2_behavior" in cell.source for cell in context.program.cells):
        return None
    shape = node.value.value
    if isinstance(shape, cst.Call):
        shape = shape.func
        names: tuple[str, ...] = ("get_shape", "compute_output_shape")
    else:
        names = ("shape", "input_shape", "output_shape")
    known = isinstance(shape, cst.Attribute) and shape.attr.value in names
    if not known and not context.evidence(node):
        return None
    return one(node, node.value)
