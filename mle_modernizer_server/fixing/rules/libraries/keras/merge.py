"""`merge([a, b], mode=…)` of Keras 1 became one function per mode in Keras 2.

https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, dotted_name, expression, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.removal import used, without_names
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses

_FUNCTIONS = {
    "sum": "add",
    "mul": "multiply",
    "concat": "concatenate",
    "ave": "average",
    "max": "maximum",
    "dot": "dot",
    "cos": "dot",
}
_MERGE = "keras.layers.merge"


@codemod("keras-merge-layer", on=cst.Call, names=("merge",))
def function(context: Context, node: cst.Call) -> Answer:
    """Rewrite `merge([a, b], mode='concat', concat_axis=1)` as `concatenate([a, b], axis=1)`."""
    if _MERGE not in addresses(context, node.func):
        return None
    if any(arg.star for arg in node.args) or not node.args:
        return Unsure("its arguments cannot be told apart")
    mode = argument(node, "mode", 1)
    name = "sum" if mode is None else string(mode.value)
    if name not in _FUNCTIONS:
        return Unsure("its mode is not written out")
    parts = [context.code(node.args[0].value)]
    axis = argument(node, "concat_axis", 2)
    axes = argument(node, "dot_axes", 3)
    if name == "concat" and axis is not None:
        parts.append(f"axis={context.code(axis.value)}")
    if name in ("dot", "cos"):
        parts.append(f"axes={context.code(axes.value) if axes else '1'}")
    if name == "cos":
        parts.append("normalize=True")
    label = argument(node, "name")
    if label is not None:
        parts.append(f"name={context.code(label.value)}")
    if argument(node, "output_shape") is not None:
        return Unsure("it has an output_shape of its own")
    wanted = _FUNCTIONS[name]
    module = next(one for one in context.qualnames(node.func)).rpartition(".")[0]
    local, imports = context.imported(node, module, wanted, wanted)
    text = expression(f"{local}({', '.join(parts)})")
    return Fix((Change(node, text.with_changes(lpar=node.lpar, rpar=node.rpar)),), imports)


@codemod("keras-merge-layer", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Remove the import of `merge` (and of an unused `Merge`) if no call is left."""
    module = dotted_name(node.module)
    if module not in ("keras.layers", "tensorflow.keras.layers"):
        return None
    if isinstance(node.names, cst.ImportStar):
        return None
    names = {alias.evaluated_name for alias in node.names} & {"merge", "Merge"}
    gone = {name for name in names if not used(context, f"{module}.{name}")}
    if names - gone:
        return Unsure(f"`{min(names - gone)}` is used")
    return without_names(context, node, gone) if gone else None
