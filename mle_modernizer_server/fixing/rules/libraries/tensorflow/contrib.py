"""Layers and initializers of tf.contrib, rewritten as those of TensorFlow 1 itself.

Both compute the same; defaults and the names of arguments and variables differ.
https://github.com/tensorflow/tensorflow/blob/r1.15/tensorflow/contrib/layers/python/layers
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst

from mle_modernizer_server.code.tree import literal, same_literal, string
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    rewritten,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import arguments
from mle_modernizer_server.fixing.rules.generic.templates import leave_out_of_import
from mle_modernizer_server.fixing.rules.tables import table

_CONTRIB = ("tensorflow.contrib.layers.", "tensorflow.compat.v1.contrib.layers.")
_VARIABLES = re.compile(r"\b(weights|biases)(:0)?$")
"""The end of a variable's old name."""
_TRUNCATED = 1.3 * 0.87962566103423978**2
"""Factor from contrib's variance to that of a truncated normal distribution: 1.3 times the
requested variance before truncation; TensorFlow divides by the square of its own correction."""


@dataclass(frozen=True)
class _Layer:
    """A function of tf.contrib.layers and the one of tf.layers that computes the same."""

    new: str
    parameters: tuple[str, ...]
    """Names of the old parameters, in order."""
    renamed: Mapping[str, str]
    """New name by old name; other parameters must be absent (or None)."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Old defaults by new name if they differ; `{relu}` is `tf.nn.relu`."""


_LAYERS = table("tensorflow", "contrib-layers", dict[str, _Layer])
_INITIALIZERS = ("xavier_initializer", "xavier_initializer_conv2d", "variance_scaling_initializer")


@codemod("tf-contrib-layers", on=cst.Call, names=_LAYERS)
def layer(context: Context, node: cst.Call) -> Answer:
    """Rewrite `fully_connected(x, 5)` as `tf.layers.dense(x, 5, activation=tf.nn.relu)`."""
    name = _name_of(context, node.func)
    if name not in _LAYERS:
        return None
    old = _LAYERS[name]
    if "activation_fn" in old.parameters and _reads_variables(context):
        return Unsure("the notebook looks for variables called weights or biases")
    given = arguments(node, old.parameters)
    if given is None or not given.keys() <= set(old.parameters):
        return Unsure("its arguments cannot be told apart")
    new: dict[str, str] = {}
    for parameter, value in given.items():
        if parameter == "scope" and string(value) is None and not _is_none(value):
            return Unsure("the scope is not written out as text")
        if parameter == "biases_initializer" and _is_none(value):
            new["use_bias"] = "False"
        elif parameter == "keep_prob":
            new["rate"] = f"1 - {_bracketed(context, value)}"
        elif parameter in old.renamed:
            new[old.renamed[parameter]] = context.code(value)
        elif not _is_none(value):
            return Unsure(f"tf.layers.{old.new} has no {parameter}")
    called, nn, imports = _address(context, node, f"layers.{old.new}", "nn.relu")
    for parameter, default in old.defaults.items():
        new.setdefault(parameter, default.replace("{relu}", nn))
    leading = [old.renamed.get(one, "") for one in old.parameters[:2]]
    first = [new.pop(one) for one in leading if one in new]
    text = ", ".join([*first, *(f"{key}={value}" for key, value in new.items())])
    return rewritten(node, f"{called}({text})", imports)


@codemod("tf-contrib-layers", on=cst.ImportFrom, names_left=tuple(_LAYERS))
@codemod("tf-contrib-xavier", on=cst.ImportFrom, names_left=_INITIALIZERS)
def from_contrib(context: Context, node: cst.ImportFrom, names_left: tuple[str, ...]) -> Answer:
    """Remove unused names from imports of tf.contrib."""
    addresses = tuple(f"{_CONTRIB[0]}{name}" for name in names_left)
    return leave_out_of_import(context, node, addresses)


@codemod("tf-contrib-xavier", on=cst.Call, names=_INITIALIZERS)
def initializer(context: Context, node: cst.Call) -> Answer:
    """`xavier_initializer()` → `glorot_uniform_initializer()`, and variance_scaling as it was."""
    name = _name_of(context, node.func)
    if name not in _INITIALIZERS:
        return None
    is_xavier = name != "variance_scaling_initializer"
    parameters = (*(() if is_xavier else ("factor", "mode")), "uniform", "seed", "dtype")
    given = arguments(node, parameters)
    if given is None or not given.keys() <= set(parameters):
        return Unsure("its arguments cannot be told apart")
    uniform = literal(given.pop("uniform")) if "uniform" in given else is_xavier
    factor = literal(given.pop("factor")) if "factor" in given else 1.0 if is_xavier else 2.0
    mode = string(given.pop("mode")) if "mode" in given else "FAN_AVG" if is_xavier else "FAN_IN"
    if not isinstance(uniform, bool) or not isinstance(factor, int | float) or mode is None:
        return Unsure("its distribution is not written out")
    rest = [f"{key}={context.code(value)}" for key, value in given.items()]
    if is_xavier and uniform:
        new, first = "glorot_uniform_initializer", []
    else:
        new = "variance_scaling_initializer"
        scale = factor if uniform else round(factor * _TRUNCATED, 8)
        distribution = "uniform" if uniform else "truncated_normal"
        first = [f"scale={scale}", f'mode="{mode.lower()}"', f'distribution="{distribution}"']
    called, _, imports = _address(context, node, new)
    return rewritten(node, f"{called}({', '.join([*first, *rest])})", imports)


def _name_of(context: Context, func: cst.BaseExpression) -> str:
    """Return the name of a function of tf.contrib.layers; empty for any other."""
    for address in context.qualnames(func):
        for before in _CONTRIB:
            if address.startswith(before):
                return address.removeprefix(before)
    return ""


def _reads_variables(context: Context) -> bool:
    """Return whether a text of the notebook is the old name of a renamed variable."""
    return any(
        isinstance(node, cst.SimpleString) and _VARIABLES.search(string(node) or "")
        for cell in context.program.cells
        for node in cell.places
    )


def _is_none(value: cst.BaseExpression) -> bool:
    return same_literal(value, None)


def _bracketed(context: Context, value: cst.BaseExpression) -> str:
    code = context.code(value)
    simple = isinstance(value, (cst.Name, cst.Attribute, cst.Call, cst.Float, cst.Integer))
    return code if simple or value.lpar else f"({code})"


def _address(
    context: Context, node: cst.Call, function: str, other: str = ""
) -> tuple[str, str, tuple[NewImport, ...]]:
    """Return the names of two functions of TensorFlow 1 in the notebook, and the needed imports."""
    func: cst.BaseExpression = node.func
    while isinstance(func, cst.Attribute):
        func = func.value
        names = context.qualnames(func)
        if "tensorflow.compat.v1" in names or "tensorflow" in names:
            code = context.code(func)
            before = code if "tensorflow.compat.v1" in names else f"{code}.compat.v1"
            return f"{before}.{function}", f"{code}.{other}", ()
    local, imports = context.imported(node, "tensorflow.compat", "v1", "tf")
    return f"{local}.{function}", f"{local}.{other}", tuple(imports)
