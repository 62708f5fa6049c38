"""Arguments of albumentations 1 that version 2 ignores with a warning, written as today's.

https://github.com/albumentations-team/albumentations/releases/tag/2.0.0
"""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from mle_modernizer_server.code.tree import (
    binds_less,
    expression,
    literal,
    receiver_text,
    with_keyword,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Fix, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import arguments, named
from mle_modernizer_server.fixing.rules.tables import table

_TAIL = ("always_apply", "p")


@dataclass(frozen=True)
class Signature:
    """Arguments of a transform in albumentations 1.

    Attributes:
        parameters: In order, up to `p`.
        pairs: Today's argument by the lowest and highest value and their defaults.
    """

    parameters: tuple[str, ...]
    pairs: dict[str, tuple[tuple[str, str], tuple[str, str]]] = field(default_factory=dict)


_RANGES = table("albumentations", "ranges", dict[str, Signature])
COMPRESSION = _RANGES["ImageCompression"]
_HOLES = ("holes", "height", "width")
_RANGE_OF_HOLES = dict(
    zip(_HOLES, ("num_holes_range", "hole_height_range", "hole_width_range"), strict=True)
)
_DROPOUT = (
    *(f"max_{part}" for part in _HOLES),
    *(f"min_{part}" for part in _HOLES),
    *("fill_value", "mask_fill_value", *_TAIL),
)
_NOISE = ("var_limit", "mean", "per_channel", *_TAIL)
_FLOATS = ("Normalize", "ToFloat")
"""Transforms after which images are floating-point numbers."""

Given = dict[str, cst.BaseExpression]


def transform(context: Context, func: cst.BaseExpression) -> str:
    """Return the name of the transform of albumentations; empty for anything else."""
    for address in context.qualnames(func):
        if address.startswith("albumentations."):
            return address.rpartition(".")[2]
    return ""


def rewritten(
    node: cst.Call, parameters: tuple[str, ...], gone: tuple[str, ...], new: dict[str, str]
) -> cst.Call:
    """Return the call with arguments by name, some left out, and new ones at its end.

    Args:
        node: A call whose `arguments` can be told apart.
        parameters: The old parameters, in order.
        gone: Names of the arguments to leave out.
        new: Code of the new arguments by name.
    """
    args = [
        arg if arg.keyword else named(arg, parameters[index]) for index, arg in enumerate(node.args)
    ]
    call = node.with_changes(args=args)
    call = without(call, [arg for arg in args if arg.keyword and arg.keyword.value in gone])
    for name, code in new.items():
        call = with_keyword(call, name, expression(code))
    return call


def changes(
    context: Context, given: Given, signature: Signature
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the arguments that go into ranges, and the ranges' code by name."""
    gone: list[str] = []
    new: dict[str, str] = {}
    for name, ends in signature.pairs.items():
        if any(end in given for end, _ in ends):
            codes = [context.code(given[end]) if end in given else rest for end, rest in ends]
            new[name] = f"({', '.join(codes)})"
            gone.extend(end for end, _ in ends)
    return tuple(gone), new


@codemod("albumentations-ranges", on=cst.Call, names=tuple(_RANGES))
def ranges(context: Context, node: cst.Call) -> Answer:
    """`ImageCompression(quality_lower=80)` → `ImageCompression(quality_range=(80, 100))`."""
    signature = _RANGES.get(transform(context, node.func))
    if signature is None or not any(_old(arg, signature) for arg in node.args):
        return None
    given = arguments(node, signature.parameters)
    if given is None:
        return Unsure("its arguments cannot be told apart")
    if signature is _RANGES["Downscale"] and "interpolation" in given:
        return Unsure("its interpolation is a pair of two today")
    gone, new = changes(context, given, signature)
    gone, new = with_compression_type(context, given, gone, new)
    if isinstance(rain := given.get("rain_type"), cst.Name) and rain.value == "None":
        gone = (*gone, "rain_type")
    return one(node, rewritten(node, signature.parameters, gone, new))


def with_compression_type(
    context: Context, given: Given, gone: tuple[str, ...], new: dict[str, str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the changes with the kind of compression as a text, as it is today."""
    kind = given.get("compression_type")
    if kind is None:
        return gone, new
    name = context.code(kind).rpartition(".")[2].lower()
    if name not in ("jpeg", "webp"):
        return gone, new
    return (*gone, "compression_type"), {**new, "compression_type": f"'{name}'"}


def _old(arg: cst.Arg, signature: Signature) -> bool:
    """Return whether an argument belongs to albumentations 1."""
    ends = {end for pair in signature.pairs.values() for end, _ in pair}
    return arg.keyword is not None and arg.keyword.value in ends


@codemod("albumentations-coarse-dropout", on=cst.Call, names=("CoarseDropout",))
def dropout(context: Context, node: cst.Call) -> Answer:
    """Rewrite `CoarseDropout(max_holes=4)` as `CoarseDropout(num_holes_range=(4, 4), …)`."""
    if transform(context, node.func) != "CoarseDropout":
        return None
    given = arguments(node, _DROPOUT)
    if given is None:
        return Unsure("its arguments cannot be told apart")
    if not {f"{end}_{part}" for end in ("max", "min") for part in _HOLES} & given.keys():
        return None
    new: dict[str, str] = {}
    for part, name in _RANGE_OF_HOLES.items():
        highest = context.code(given[f"max_{part}"]) if f"max_{part}" in given else "8"
        least = given.get(f"min_{part}")
        is_given = least is not None and literal(least) is not None
        new[name] = f"({context.code(least) if least and is_given else highest}, {highest})"
    gone = _DROPOUT[:6]
    for old, today in (("fill_value", "fill"), ("mask_fill_value", "fill_mask")):
        if old in given:
            gone = (*gone, old)
            if literal(given[old]) is not None:
                new[today] = context.code(given[old])
    return one(node, rewritten(node, _DROPOUT, gone, new))


@codemod("albumentations-gauss-noise", on=cst.Call, names=("GaussNoise",))
def noise(context: Context, node: cst.Call) -> Answer:
    """Rewrite `GaussNoise(var_limit=(10, 50))` as `GaussNoise(std_range=(10 ** 0.5 / 255, …))`."""
    if transform(context, node.func) != "GaussNoise":
        return None
    given = arguments(node, _NOISE)
    if given is None:
        return Unsure("its arguments cannot be told apart")
    if not {"var_limit", "mean"} & given.keys():
        return None
    if _follows_floats(context, node):
        return Unsure("its images are floating-point numbers, whose noise has other units today")
    limits = _limits(context, given)
    if isinstance(limits, Unsure):
        return limits
    low, high = limits
    lowest = "0" if low == "0" else f"{low} ** 0.5 / 255"
    new = {"std_range": f"({lowest}, {high} ** 0.5 / 255)"}
    if "mean" in given and literal(given["mean"]) != 0:
        mean = _in_power(given["mean"])
        new["mean_range"] = f"({mean} / 255, {mean} / 255)"
    fix = one(node, rewritten(node, _NOISE, ("var_limit", "mean"), new))
    remark = "GaussNoise draws the deviation evenly now, and drew the variance; its bounds stay."
    return Fix(fix.changes, remark=remark)


def _limits(context: Context, given: Given) -> tuple[str, str] | Unsure:
    """Return the code of the lowest and highest variance."""
    limit = given.get("var_limit")
    if limit is None:
        return "10", "50"
    value = literal(limit)
    highest = max(value, default=0) if isinstance(value, (tuple, list)) else value
    if isinstance(highest, (int, float)) and highest <= 1:
        return Unsure("the variance may be that of images of floating-point numbers")
    if isinstance(value, (int, float)):
        return "0", context.code(limit)
    if isinstance(limit, (cst.Tuple, cst.List)) and len(limit.elements) == 2:
        low, high = (_in_power(element.value) for element in limit.elements)
        return ("0" if literal(limit.elements[0].value) == 0 else low), high
    return Unsure("the variance is not written out")


def _in_power(value: cst.BaseExpression) -> str:
    """Return the code of a number before `** 0.5`."""
    return cst.Module([]).code_for_node(value) if not binds_less(value) else receiver_text(value)


def _follows_floats(context: Context, node: cst.Call) -> bool:
    """Return whether a transform before it in its list makes images of floating-point numbers."""
    item = context.parent(node)
    owner = context.parent(item)
    if not isinstance(owner, (cst.List, cst.Tuple)):
        return False
    for element in owner.elements:
        if element is item:
            return False
        step = element.value
        if isinstance(step, cst.Call) and transform(context, step.func) in _FLOATS:
            return True
    return False


@codemod("albumentations-always-apply", on=cst.Call)
def always(context: Context, node: cst.Call) -> Answer:
    """Rewrite `HorizontalFlip(always_apply=True)` as `HorizontalFlip(p=1.0)`."""
    given = next((arg for arg in node.args if arg.keyword and _is_always(arg.keyword)), None)
    if given is None or not transform(context, node.func):
        return None
    value = literal(given.value)
    if value is False or value is None:
        return one(node, without(node, [given]))
    if value is not True:
        return Unsure("whether it is applied always is not written out")
    chances = [arg for arg in node.args if arg.keyword and arg.keyword.value == "p"]
    return one(node, with_keyword(without(node, [given, *chances]), "p", expression("1.0")))


def _is_always(keyword: cst.Name) -> bool:
    return keyword.value == "always_apply"
