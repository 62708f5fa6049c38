"""Optimizers named by a string get today's defaults, which are not those of Keras 2.

https://github.com/keras-team/keras/releases/tag/2.4.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, string, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_PINS = {
    "Adadelta": {"learning_rate": "1.0"},
    "Adagrad": {"learning_rate": "0.01", "initial_accumulator_value": "0.0"},
    "Nadam": {"learning_rate": "0.002"},
    "Adamax": {"learning_rate": "0.002"},
}


@codemod("keras-pin-adadelta", on=cst.Call, names=("compile",), name="Adadelta")
@codemod("keras-pin-adagrad", on=cst.Call, names=("compile",), name="Adagrad")
@codemod("keras-pin-nadam", on=cst.Call, names=("compile",), name="Nadam")
@codemod("keras-pin-adamax", on=cst.Call, names=("compile",), name="Adamax")
def by_name(context: Context, node: cst.Call, name: str) -> Answer:
    """`compile(optimizer='adadelta')` → `compile(optimizer=Adadelta(learning_rate=1.0))`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    given = argument(node, "optimizer", 0)
    if given is None or (string(given.value) or "").lower() != name.lower():
        return None
    if not any(star.split(".")[0] == "keras" for star in _roots(context)):
        return None
    local, imports = context.imported(node, "keras.optimizers", name, name)
    text = ", ".join(f"{key}={value}" for key, value in _PINS[name].items())
    new = node.with_deep_changes(given, value=expression(f"{local}({text})"))
    return Fix((Change(node, new),), imports)


@codemod("keras-pin-adadelta", on=cst.Call, names=("Adadelta",), name="Adadelta")
@codemod("keras-pin-adagrad", on=cst.Call, names=("Adagrad",), name="Adagrad")
@codemod("keras-pin-nadam", on=cst.Call, names=("Nadam",), name="Nadam")
@codemod("keras-pin-adamax", on=cst.Call, names=("Adamax",), name="Adamax")
def by_class(context: Context, node: cst.Call, name: str) -> Answer:
    """Rewrite `Adadelta()` as `Adadelta(learning_rate=1.0)`."""
    if any(arg.star for arg in node.args):
        return None
    if not context.refers_to(node.func, f"keras.optimizers.{name}"):
        return None
    call = node
    for key, value in _PINS[name].items():
        rate = key == "learning_rate"
        if argument(node, key, 0 if rate else None) or (rate and argument(node, "lr")):
            continue
        call = with_keyword(call, key, expression(value))
    return None if call is node else Fix((Change(node, call),))


def _roots(context: Context) -> list[str]:
    """Return the modules that the notebook's names are imported from."""
    return [
        name
        for cell in context.program.cells
        for node in cell.places
        if isinstance(node, (cst.ImportFrom, cst.Import))
        for name in _modules(node)
    ]


def _modules(node: cst.ImportFrom | cst.Import) -> list[str]:
    module = cst.Module([])
    if isinstance(node, cst.ImportFrom):
        return [module.code_for_node(node.module)] if node.module is not None else []
    return [module.code_for_node(alias.name) for alias in node.names]
