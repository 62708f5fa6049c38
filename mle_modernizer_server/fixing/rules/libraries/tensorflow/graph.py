"""A notebook with placeholders and sessions gets the namespace and the behaviour of TensorFlow 1.

https://www.tensorflow.org/guide/migrate/upgrade
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.tree import dotted, dotted_name
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_NAMES = (
    "placeholder",
    "placeholder_with_default",
    "sparse_placeholder",
    "Session",
    "InteractiveSession",
)
_WITHOUT_TENSORS = ("datasets", "utils", "preprocessing")
"""Parts of Keras that work on arrays: TensorFlow's mode of execution does not matter to them."""
_WITH_KERAS = "the notebook uses Keras as well, which needs eager execution"


@codemod("tf-placeholder", on=cst.Attribute, names=_NAMES)
def whole_notebook(context: Context, node: cst.Attribute) -> Answer:
    """`import tensorflow as tf` → `import tensorflow.compat.v1 as tf` without v2 behaviour."""
    if not context.refers_to(node, f"tensorflow.{node.attr.value}"):
        return None
    if not isinstance(node.value, cst.Name):
        return Unsure("TensorFlow is not imported under a short name")
    if any(True for _ in uses_of_keras(context)):
        return Unsure(_WITH_KERAS)
    changes: list[Change] = []
    for cell in context.program.cells:
        for other, place in cell.places.items():
            if not isinstance(other, cst.Import):
                continue
            if [dotted_name(alias.name) for alias in other.names] != ["tensorflow"]:
                continue
            line = place.parent
            alias = other.names[0]
            if alias.asname is None or not isinstance(line, cst.SimpleStatementLine):
                return Unsure("TensorFlow is not imported under a short name")
            new = other.with_changes(
                names=[alias.with_changes(name=dotted("tensorflow.compat.v1"))]
            )
            local = dotted_name(alias.asname.name)
            switch = cst.parse_statement(f"{local}.disable_v2_behavior()")
            first = line.with_changes(body=[new if part is other else part for part in line.body])
            changes.append(Change(line, cst.FlattenSentinel([first, switch])))
    return Fix(tuple(changes)) if changes else None


@codemod("tf-placeholder", on=cst.Attribute, names=("v1",))
def twice(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `tf.compat.v1.Session` as `tf.Session` if `tf` is `tensorflow.compat.v1` itself."""
    inner = node.value
    if not context.refers_to(node, "tensorflow.compat.v1.compat.v1"):
        return None
    if not isinstance(inner, cst.Attribute) or not isinstance(inner.value, cst.Name):
        return None
    return one(node, inner.value)


def uses_of_keras(context: Context, other_parts: tuple[str, ...] = ()) -> Iterator[cst.CSTNode]:
    """Yield the imports and uses of Keras in the notebook, except for parts that work on arrays.

    Args:
        context: A node of the notebook.
        other_parts: Further parts of Keras that do not count.
    """
    harmless = (*_WITHOUT_TENSORS, *other_parts)
    for cell in context.program.cells:
        for node, place in cell.places.items():
            if isinstance(node, cst.ImportFrom):
                if any(_is_keras(name, harmless) for name in _taken_from(node)):
                    yield node
            elif isinstance(node, cst.Import):
                if any(_is_keras(dotted_name(alias.name), harmless) for alias in node.names):
                    yield node
            elif isinstance(node, cst.Attribute) and node.attr.value == "keras":
                part = place.parent
                if not (isinstance(part, cst.Attribute) and part.attr.value in harmless):
                    yield node


def _taken_from(node: cst.ImportFrom) -> list[str]:
    module = dotted_name(node.module)
    if isinstance(node.names, cst.ImportStar):
        return [module]
    return [f"{module}.{dotted_name(alias.name)}" for alias in node.names]


def _is_keras(module: str, harmless: tuple[str, ...]) -> bool:
    parts = module.removeprefix("tensorflow.").split(".")
    return parts[0] == "keras" and not any(part in harmless for part in parts[1:2])
