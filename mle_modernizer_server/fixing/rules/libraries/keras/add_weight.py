"""The first argument of `add_weight` is the shape in Keras 3; it was the name.

https://keras.io/api/layers/base_layer/#add_weight-method
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import positional, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named


@codemod("keras-add-weight-positional", on=cst.Call, names=("add_weight",))
def by_keyword(context: Context, node: cst.Call) -> Answer:
    """Rewrite `self.add_weight('w', (3, 4))` as `self.add_weight(name='w', shape=(3, 4))`."""
    if not isinstance(node.func, cst.Attribute) or any(arg.star for arg in node.args):
        return None
    places = positional(node)
    if not places or not _is_text(places[0].value):
        return None
    names = ("name", "shape", "dtype", "initializer", "regularizer", "trainable", "constraint")
    args = [
        named(arg, names[index]) if arg in places and index < len(names) else arg
        for index, arg in enumerate(node.args)
    ]
    return one(node, node.with_changes(args=args))


def _is_text(value: cst.BaseExpression) -> bool:
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        return value.func.attr.value == "format" and _is_text(value.func.value)
    if isinstance(value, cst.BinaryOperation):
        return _is_text(value.left) or _is_text(value.right)
    return isinstance(value, cst.FormattedString) or string(value) is not None
