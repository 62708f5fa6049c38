"""`model.layers.pop()` removes nothing any more: `layers` is a copy.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, same_literal
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import uses_keras


@codemod("keras-layers-pop", on=cst.Call, names=("pop",))
def last_layer(context: Context, node: cst.Call) -> Answer:
    """Rewrite `m.layers.pop()` as `m.pop()` (Sequential) or a model that ends one layer earlier."""
    func = node.func
    if not (
        isinstance(func, cst.Attribute)
        and isinstance(func.value, cst.Attribute)
        and func.value.attr.value == "layers"
    ):
        return None
    model = func.value.value
    inferred = context.type_of(model)
    known = inferred is not None and "keras" in inferred.name
    if not known and (inferred is not None or not uses_keras(context)):
        return None
    if node.args and not same_literal(node.args[0].value, -1):
        return Unsure("it takes away another layer than the last")
    if inferred is not None and inferred.name.endswith(".Sequential"):
        return one(node, expression(f"{context.code(model)}.pop()"))
    statement = context.parent(node)
    if not isinstance(statement, cst.Expr) or not isinstance(model, (cst.Name, cst.Attribute)):
        return Unsure("the layer that is taken away is used")
    local, imports = context.imported(node, "keras.models", "Model", "Model")
    name = context.code(model)
    new = cst.parse_statement(f"{name} = {local}({name}.inputs, {name}.layers[-2].output)")
    assert isinstance(new, cst.SimpleStatementLine)
    small = new.body[0].with_changes(semicolon=statement.semicolon)
    return Fix((Change(statement, small),), imports)
