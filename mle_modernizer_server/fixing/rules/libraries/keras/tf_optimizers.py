"""Keras takes no optimizer of TensorFlow 1 any more: `compile(optimizer=tf.train.AdamOptimizer())`.

https://keras.io/api/optimizers/

Keras's own of the same kind get the defaults that TensorFlow's had
(https://github.com/tensorflow/tensorflow/tree/v1.15.0/tensorflow/python/training).
"""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from mle_modernizer_server.code.tree import argument, dotted, expression, method_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.tables import table


@dataclass(frozen=True)
class _Twin:
    name: str
    parameters: dict[str, str]
    """Keras's names by TensorFlow's, in the order of its signature."""
    defaults: dict[str, str]
    """Defaults of TensorFlow that differ from Keras's."""


_TWINS = table("keras", "tensorflow-optimizers", dict[str, _Twin])


@codemod("keras-tensorflow-optimizer", on=cst.Call, names=_TWINS)
def of_keras(context: Context, node: cst.Call) -> Answer:
    """Rewrite `tf.train.AdamOptimizer(0.01)` as `tf.keras.optimizers.Adam(0.01, epsilon=1e-08)`."""
    if not isinstance(node.func, cst.Attribute) or not _is_old(context, node.func):
        return None
    if not _is_compiled(context, node):
        return None
    alias = _TWINS[node.func.attr.value]
    module = context.code(node.func.value).removesuffix(".train").removesuffix(".compat.v1")
    args: list[cst.Arg] = []
    given: set[str] = set()
    for at, arg in enumerate(node.args):
        if arg.star:
            return Unsure("its arguments cannot be told apart")
        old = arg.keyword.value if arg.keyword else [*alias.parameters, "", ""][at]
        new = alias.parameters.get(old, "name" if old == "name" else "")
        if not new:
            if old == "use_locking":
                continue
            return Unsure(f"Keras has nothing for the argument {old}")
        given.add(new)
        keyword = None if arg.keyword is None and new == "learning_rate" else cst.Name(new)
        equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        args.append(arg.with_changes(keyword=keyword, equal=equal if keyword else arg.equal))
    for name, text in alias.defaults.items():
        if name not in given:
            equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
            args.append(cst.Arg(expression(text), cst.Name(name), equal))
    args = [arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for arg in args]
    func = dotted(f"{module}.keras.optimizers.{alias.name}")
    return one(node, node.with_changes(func=func, args=args))


def _is_old(context: Context, func: cst.Attribute) -> bool:
    wanted = {f"tensorflow.{middle}train.{func.attr.value}" for middle in ("", "compat.v1.")}
    code = context.code(func.value)
    if "tensorflow.compat.v1" in set(context.qualnames(func.value)) or not code.endswith(".train"):
        return False
    names = set(context.qualnames(func))
    new_style = f"tensorflow.compat.v1.train.{func.attr.value}" in names
    return bool(wanted & names) and (not new_style or ".compat.v1." in code)


def _is_compiled(context: Context, node: cst.Call) -> bool:
    """Return whether it is only used to compile a model."""
    above = context.parent(node)
    if isinstance(above, cst.Arg):
        return _is_optimizer(context, above)
    if not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return False
    target = above.targets[0].target
    if not isinstance(target, cst.Name):
        return False
    used = False
    for cell in context.program.cells:
        for other, place in cell.places.items():
            if not isinstance(other, cst.Name) or other.value != target.value or other is target:
                continue
            if isinstance(place.parent, cst.Attribute) and place.parent.value is other:
                return False  # optimizer.minimize(…)
            used = used or (
                isinstance(place.parent, cst.Arg) and _is_optimizer(context, place.parent)
            )
    return used


def _is_optimizer(context: Context, arg: cst.Arg) -> bool:
    call = context.parent(arg)
    return (
        isinstance(call, cst.Call)
        and method_name(call) == "compile"
        and argument(call, "optimizer", 0) is arg
    )
