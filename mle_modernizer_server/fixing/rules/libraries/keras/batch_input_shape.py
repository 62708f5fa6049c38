"""Keras 3 layers have no `batch_input_shape`: an `Input` goes before the first layer.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, method_name, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.lines import line_of, own_line
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import is_layer


@codemod("keras-batch-input-shape", on=cst.Call)
def first_layer(context: Context, node: cst.Call) -> Answer:
    """Rewrite `m.add(LSTM(4, batch_input_shape=s))` as `m.add(Input(batch_shape=s))` before it."""
    given = argument(node, "batch_input_shape")
    if given is None or not is_layer(context, node):
        return None
    local, imports = context.imported(node, "keras.layers", "Input", "Input")
    first = f"{local}(batch_shape={context.code(given.value)})"
    layer = without(node, [given])
    above = context.parent(node)
    if isinstance(above, cst.Element):
        items = context.parent(above)
        if isinstance(items, cst.List) and items.elements[0] is above:
            element = cst.Element(expression(first), comma=_comma(items))
            new = items.with_changes(
                elements=[element, above.with_changes(value=layer), *items.elements[1:]]
            )
            return Fix((Change(items, new),), imports)
    if isinstance(above, cst.Arg):
        add = context.parent(above)
        line = own_line(context, context.parent(add))
        if line is not None and isinstance(add, cst.Call) and method_name(add) == "add":
            above_it = line_of(f"{context.code(add.func)}({first})")
            above_it = above_it.with_changes(leading_lines=line.leading_lines)
            after = line.with_deep_changes(node, args=layer.args).with_changes(leading_lines=[])
            return Fix((Change(line, cst.FlattenSentinel([above_it, after])),), imports)
    return Unsure("the layer is not put into a model right there")


def _comma(items: cst.List) -> cst.Comma:
    space: cst.BaseParenthesizableWhitespace = cst.SimpleWhitespace(" ")
    if isinstance(items.lbracket.whitespace_after, cst.ParenthesizedWhitespace):
        space = items.lbracket.whitespace_after
    return cst.Comma(whitespace_after=space)
