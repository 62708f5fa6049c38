"""`Sequential.predict_classes` was removed in TensorFlow 2.6.

https://github.com/tensorflow/tensorflow/releases/tag/v2.6.0

It was `argmax` over several outputs, and `> 0.5` of a single one.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal, string, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, rewritten
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.keras.names import is_layer

_EITHER = "(lambda p: p.argmax(axis=-1) if p.shape[-1] > 1 else (p > 0.5).astype('int32'))({})"


@codemod("keras-predict-classes", on=cst.Call, names=("predict_classes",))
def classes(context: Context, node: cst.Call) -> Answer:
    """`m.predict_classes(x)` → `m.predict(x).argmax(axis=-1)` or `(m.predict(x) > 0.5)…`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    call = node.with_changes(
        func=node.func.with_changes(attr=cst.Name("predict")), lpar=[], rpar=[]
    )
    if argument(node, "verbose", 2) is None:
        call = with_keyword(call, "verbose", cst.Integer("0"))
    text = cst.Module([]).code_for_node(call)
    heads = _heads(context)
    if heads == {"many"}:
        new = f"{text}.argmax(axis=-1)"
    elif heads == {"one"}:
        new = f"({text} > 0.5).astype('int32')"
    else:
        new = _EITHER.format(text)
    return rewritten(node, new)


def _heads(context: Context) -> set[str]:
    """Return whether the notebook's models have one output or several; both if unknown."""
    found: set[str] = set()
    for node in context.nodes(cst.Call):
        if is_layer(context, node, "Dense"):
            units = argument(node, "units", 0) or argument(node, "output_dim")
            activation = argument(node, "activation", 1)
            if activation is not None and string(activation.value) == "softmax":
                found.add("many")
            elif units is not None and literal(units.value) == 1:
                found.add("one")
        elif (
            is_layer(context, node, "Activation")
            and node.args
            and string(node.args[0].value) == "softmax"
        ):
            found.add("many")
    return found
