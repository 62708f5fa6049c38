"""Questions to Keras code that several codemods ask."""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.scene import Scene
from mle_modernizer_server.fixing.rules.tree import keyword_arg
from mle_modernizer_server.fixing.rules.twins import keras_address


def addresses(scene: Scene, node: cst.CSTNode) -> frozenset[str]:
    """Addresses the expression may stand for, `tensorflow.keras.X` told as `keras.X`."""
    return frozenset(keras_address(name) for name in scene.qualnames(node))


def is_layer(scene: Scene, call: cst.Call, *names: str) -> bool:
    """Whether a call makes a layer of Keras: one of these, or any."""
    for address in addresses(scene, call.func):
        parts = address.split(".")
        if parts[:2] == ["keras", "layers"] and (parts[-1] in names if names else True):
            return True
    return False


def is_standalone(scene: Scene, node: cst.CSTNode) -> bool:
    """Whether the name comes from the package `keras` itself, not from TensorFlow's."""
    return any(name.startswith("keras.") for name in scene.qualnames(node))


def named(arg: cst.Arg, keyword: str, value: cst.BaseExpression | None = None) -> cst.Arg:
    """The argument given by this keyword, with another value if one is given."""
    new = keyword_arg(keyword, arg.value if value is None else value)
    return arg.with_changes(keyword=new.keyword, equal=new.equal, value=new.value, star="")
