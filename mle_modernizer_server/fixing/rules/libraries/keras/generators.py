"""`fit_generator` and similar methods became `fit`, `evaluate` and `predict`.

https://github.com/keras-team/keras/releases/tag/2.4.0

They counted a fraction of a step as a whole one.

Numbers of steps must be integers in Keras 3; a fraction counted as one more step.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, without
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named
from mle_modernizer_server.fixing.rules.tables import table

_PARAMETERS = table("keras", "generator-methods", dict[str, tuple[str, ...]])
_GONE = [
    "workers",
    "use_multiprocessing",
    "max_queue_size",
    "pickle_safe",
    "nb_worker",
    "max_q_size",
    "wait_time",
]
_SAMPLES = ("samples_per_epoch", "nb_val_samples", "val_samples")
_OF_ALL = ("n", "samples", "nb_sample")
"""Attributes of a generator that count its samples."""
_RENAMED = {"generator": "x", "nb_epoch": "epochs"}
STEPS = ("steps_per_epoch", "validation_steps", "steps")


@codemod("keras-fit-generator", on=cst.Call, names=("fit_generator",))
@codemod("keras-evaluate-generator", on=cst.Call, names=("evaluate_generator",))
@codemod("keras-predict-generator", on=cst.Call, names=("predict_generator",))
def plain(context: Context, node: cst.Call) -> Answer:
    """`model.fit_generator(g, steps_per_epoch=n / b)` → `model.fit(g, steps_per_epoch=…)`."""
    if not isinstance(node.func, cst.Attribute):
        return None
    old = node.func.attr.value
    if any(arg.star == "*" for arg in node.args):
        return Unsure("its arguments cannot be told apart")
    args: list[cst.Arg] = []
    gone: list[cst.Arg] = []
    imports: tuple[NewImport, ...] = ()
    for index, arg in enumerate(node.args):
        name = arg.keyword.value if arg.keyword else ""
        if not name and not arg.star:
            if index >= len(_PARAMETERS[old]):
                return Unsure("its arguments cannot be told apart")
            name = _PARAMETERS[old][index]
        if name in _SAMPLES:
            return Unsure(f"`{name}` of Keras 1 counts samples, not batches")
        if name in STEPS and isinstance(arg.value, cst.Attribute) and _is_of_all(arg.value):
            return Unsure("a number of samples is given, as Keras 1 took it, not of batches")
        new = arg
        if name in _GONE:
            gone.append(arg)
        elif name in STEPS and (template := rounding(arg.value)):
            numpy, imports = context.module(node, "numpy", "np")
            new = named(arg, name, expression(template.format(numpy, context.code(arg.value))))
        elif arg.keyword is not None and name in _RENAMED:
            new = named(arg, _RENAMED[name])
        elif index and not arg.keyword and not arg.star:
            new = named(arg, name)
        args.append(new)
    func = node.func.with_changes(attr=cst.Name(old.partition("_")[0]))
    return one(node, without(node.with_changes(func=func, args=args), gone), imports)


def _is_of_all(value: cst.Attribute) -> bool:
    return value.attr.value in _OF_ALL


def rounding(value: cst.BaseExpression) -> str:
    """Return the template that rounds a number of steps; empty if it is an integer already."""
    if isinstance(value, cst.BinaryOperation):
        if isinstance(value.operator, cst.Divide):
            return "int({}.ceil({}))"
        inner = [rounding(value.left), rounding(value.right)]
        return "int({}.ceil({}))" if any(inner) else ""
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        rounds = value.func.attr.value in ("ceil", "floor", "round")
        of_math = isinstance(value.func.value, cst.Name) and value.func.value.value == "math"
        return "int({1})" if rounds and not of_math else ""
    return ""


@codemod("keras-fit-steps-float", on=cst.Call, names=("fit", "evaluate", "predict"))
def whole(context: Context, node: cst.Call) -> Answer:
    """Rewrite `fit(g, steps_per_epoch=n / b)` as `fit(g, steps_per_epoch=int(np.ceil(n / b)))`."""
    call = node
    imports: tuple[NewImport, ...] = ()
    for name in STEPS:
        given = argument(call, name)
        template = "" if given is None else rounding(context.written(given.value))
        if given is not None and template:
            numpy, imports = context.module(node, "numpy", "np")
            text = template.format(numpy, context.code(given.value))
            call = call.with_deep_changes(given, value=expression(text))
    return None if call is node else one(node, call, imports)
