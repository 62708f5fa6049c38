"""Helpers for Keras code that several codemods share."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import Imported
from mle_modernizer_server.code.tree import argument, string
from mle_modernizer_server.fixing.rules.engine.context import Context
from mle_modernizer_server.fixing.rules.libraries.keras.aliases import keras_address


def addresses(context: Context, node: cst.CSTNode) -> frozenset[str]:
    """Return the possible addresses of the expression, `tensorflow.keras.X` as `keras.X`."""
    return frozenset(keras_address(name) for name in context.qualnames(node))


def is_layer(context: Context, call: cst.Call, *names: str) -> bool:
    """Return whether a call makes a layer of Keras: one of these, or any if no names are passed."""
    for address in addresses(context, call.func):
        parts = address.split(".")
        if parts[:2] == ["keras", "layers"] and (parts[-1] in names if names else True):
            return True
    return False


def is_standalone(context: Context, node: cst.CSTNode) -> bool:
    """Return whether the name comes from the package `keras` itself, not from TensorFlow's."""
    return context.comes_from(node, "keras")


def uses_keras(context: Context) -> bool:
    """Return whether the notebook imports Keras or TensorFlow at all."""
    return any(
        binding.bound.qualname.split(".")[0] in ("keras", "tensorflow")
        for cell in context.program.cells
        for bindings in cell.top.names.values()
        for binding in bindings
        if isinstance(binding.bound, Imported)
    ) or any(star.split(".")[0] in ("keras", "tensorflow") for star in context.program.stars)


def compiled_metrics(context: Context) -> frozenset[str]:
    """Return the literal names of metrics that the notebook's models are compiled with."""
    names: set[str] = set()
    for cell in context.program.cells:
        for node in cell.places:
            if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
                continue
            given = argument(node, "metrics", 2) if node.func.attr.value == "compile" else None
            if given is not None and isinstance(given.value, (cst.List, cst.Tuple)):
                names.update(text for item in given.value.elements if (text := string(item.value)))
            elif given is not None and (text := string(given.value)):
                names.add(text)
    return frozenset(names)
