"""Optimizers named by a string get today's defaults, which are not those of Keras 2.

https://github.com/keras-team/keras/releases/tag/2.4.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Fix, Scene
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    expression,
    string,
    with_keyword,
)

_PINS = {
    "keras-pin-adadelta": ("Adadelta", {"learning_rate": "1.0"}),
    "keras-pin-adagrad": (
        "Adagrad",
        {"learning_rate": "0.01", "initial_accumulator_value": "0.0"},
    ),
    "keras-pin-nadam": ("Nadam", {"learning_rate": "0.002"}),
    "keras-pin-adamax": ("Adamax", {"learning_rate": "0.002"}),
}


@codemod(cst.Call, "compile")
def by_name(scene: Scene, node: cst.Call) -> Answer:
    """`compile(optimizer='adadelta')` → `compile(optimizer=Adadelta(learning_rate=1.0))`."""
    if scene.entry.id not in _PINS or not isinstance(node.func, cst.Attribute):
        return None
    name, pins = _PINS[scene.entry.id]
    given = argument(node, "optimizer", 0)
    if given is None or (string(given.value) or "").lower() != name.lower():
        return None
    if not any(star.split(".")[0] == "keras" for star in _roots(scene)):
        return None
    local, imports = scene.imported(node, "keras.optimizers", name, name)
    text = ", ".join(f"{key}={value}" for key, value in pins.items())
    new = node.with_deep_changes(given, value=expression(f"{local}({text})"))
    return Fix((Change(node, new),), imports)


@codemod(cst.Call, "Adadelta", "Adagrad", "Nadam", "Adamax")
def by_class(scene: Scene, node: cst.Call) -> Answer:
    """`Adadelta()` → `Adadelta(learning_rate=1.0)`."""
    if scene.entry.id not in _PINS or any(arg.star for arg in node.args):
        return None
    name, pins = _PINS[scene.entry.id]
    if f"keras.optimizers.{name}" not in scene.qualnames(node.func):
        return None
    call = node
    for key, value in pins.items():
        rate = key == "learning_rate"
        if argument(node, key, 0 if rate else None) or (rate and argument(node, "lr")):
            continue
        call = with_keyword(call, key, expression(value))
    return None if call is node else Fix((Change(node, call),))


def _roots(scene: Scene) -> list[str]:
    """What the names of the notebook are imported from."""
    return [
        name
        for cell in scene.program.cells
        for node in cell.places
        if isinstance(node, (cst.ImportFrom, cst.Import))
        for name in _modules(node)
    ]


def _modules(node: cst.ImportFrom | cst.Import) -> list[str]:
    module = cst.Module([])
    if isinstance(node, cst.ImportFrom):
        return [module.code_for_node(node.module)] if node.module is not None else []
    return [module.code_for_node(alias.name) for alias in node.names]
