"""Transforms that were removed, written with those that do the same.

https://github.com/albumentations-team/albumentations/releases/tag/2.0.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import libcst as cst

from mle_modernizer_server.code.tree import argument, binds_less, expression, literal, receiver_text
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import arguments
from mle_modernizer_server.fixing.rules.generic.templates import leave_out_of_import
from mle_modernizer_server.fixing.rules.libraries.albumentations.arguments import (
    COMPRESSION,
    Given,
    changes,
    rewritten,
    transform,
    with_compression_type,
)

_MODULES = ("albumentations", "albumentations.augmentations.transforms")
_TAIL = ("always_apply", "p")
_OF_ONE = ("limit", *_TAIL)
_CUTOUT = ("num_holes", "max_h_size", "max_w_size", "fill_value", *_TAIL)
_IAA_NOISE = ("loc", "scale", "per_channel", *_TAIL)
_SIZED = {
    "RandomSizedCrop": ("min_max_height", "height", "width", "w2h_ratio", "interpolation", *_TAIL),
    "RandomResizedCrop": ("height", "width", "scale", "ratio", "interpolation", *_TAIL),
}

Named: TypeAlias = Callable[[str], str]
"""Code for a transform of albumentations by its name."""


def _old(*names: str) -> tuple[str, ...]:
    modules = (*_MODULES, "albumentations.imgaug.transforms")
    return tuple(f"{module}.{name}" for module in modules for name in names)


@codemod("albumentations-flip", on=cst.ImportFrom, names_of=("Flip",))
@codemod(
    "albumentations-brightness",
    on=cst.ImportFrom,
    names_of=("RandomBrightness", "RandomContrast"),
)
@codemod("albumentations-cutout", on=cst.ImportFrom, names_of=("Cutout",))
@codemod("albumentations-jpeg", on=cst.ImportFrom, names_of=("JpegCompression",))
@codemod("albumentations-iaa-noise", on=cst.ImportFrom, names_of=("IAAAdditiveGaussianNoise",))
def imported(context: Context, node: cst.ImportFrom, names_of: tuple[str, ...]) -> Answer:
    """Leave the transform out of the import when nothing uses it any more."""
    return leave_out_of_import(context, node, _old(*names_of))


@codemod("albumentations-flip", on=cst.Call, names=("Flip",))
def flip(context: Context, node: cst.Call) -> Answer:
    """Write `Flip(p=0.5)` as one of both flips, or both at once."""

    def write(_: Given, of: Named, chance: str) -> str:
        across, down = f"{of('HorizontalFlip')}(p=1)", f"{of('VerticalFlip')}(p=1)"
        both = f"{of('Sequential')}([{across}, {down}], p=1)"
        return f"{of('OneOf')}([{across}, {down}, {both}]{chance})"

    return _replaced(context, node, "Flip", _TAIL, write)


@codemod("albumentations-brightness", on=cst.Call, names=("RandomBrightness", "RandomContrast"))
def brightness(context: Context, node: cst.Call) -> Answer:
    """Write `RandomContrast(0.1)` as `RandomBrightnessContrast` with one limit 0."""
    old = transform(context, node.func)
    if old not in ("RandomBrightness", "RandomContrast"):
        return None

    def write(given: Given, of: Named, chance: str) -> str:
        limit = context.code(given["limit"]) if "limit" in given else "0.2"
        limits = (limit, "0") if old == "RandomBrightness" else ("0", limit)
        text = "{}(brightness_limit={}, contrast_limit={}{})"
        return text.format(of("RandomBrightnessContrast"), *limits, chance)

    return _replaced(context, node, old, _OF_ONE, write)


@codemod("albumentations-cutout", on=cst.Call, names=("Cutout",))
def cutout(context: Context, node: cst.Call) -> Answer:
    """Write `Cutout(num_holes=8)` as `CoarseDropout` with that many holes of that size."""

    def write(given: Given, of: Named, chance: str) -> str:
        ranges = ", ".join(
            f"{name}=({size}, {size})"
            for name, size in zip(
                ("num_holes_range", "hole_height_range", "hole_width_range"),
                (context.code(given[key]) if key in given else "8" for key in _CUTOUT[:3]),
                strict=True,
            )
        )
        fill = f", fill={context.code(given['fill_value'])}" if "fill_value" in given else ""
        return f"{of('CoarseDropout')}({ranges}{fill}{chance})"

    return _replaced(context, node, "Cutout", _CUTOUT, write)


@codemod("albumentations-iaa-noise", on=cst.Call, names=("IAAAdditiveGaussianNoise",))
def additive_noise(context: Context, node: cst.Call) -> Answer:
    """`IAAAdditiveGaussianNoise()` → `GaussNoise(std_range=(0.01, 0.05), per_channel=False)`."""
    loc = argument(node, "loc", 0)
    if loc is not None and literal(loc.value) != 0:
        return Unsure("its noise has a mean other than 0")
    scale = argument(node, "scale", 1)
    limits = "0.01, 0.05"
    if scale is not None:
        if not isinstance(scale.value, (cst.Tuple, cst.List)) or len(scale.value.elements) != 2:
            return Unsure("its scale is not written out as a pair")
        ends = [_divided(context, element.value) for element in scale.value.elements]
        limits = ", ".join(ends)

    def write(given: Given, of: Named, chance: str) -> str:
        per = context.code(given["per_channel"]) if "per_channel" in given else "False"
        return f"{of('GaussNoise')}(std_range=({limits}), per_channel={per}{chance})"

    return _replaced(context, node, "IAAAdditiveGaussianNoise", _IAA_NOISE, write)


@codemod("albumentations-jpeg", on=cst.Call, names=("JpegCompression",))
def jpeg(context: Context, node: cst.Call) -> Answer:
    """Rewrite `JpegCompression(80, 100)` as `ImageCompression(quality_range=(80, 100))`."""

    def write(given: Given, of: Named, chance: str) -> str:
        gone, new = changes(context, given, COMPRESSION)
        _, new = with_compression_type(context, given, gone, new)
        inner = ", ".join(f"{name}={code}" for name, code in new.items())
        return f"{of('ImageCompression')}({inner}{chance})".replace("(, ", "(")

    return _replaced(context, node, "JpegCompression", COMPRESSION.parameters, write)


@codemod("albumentations-size", on=cst.Call, names=tuple(_SIZED))
def sized(context: Context, node: cst.Call) -> Answer:
    """Rewrite `RandomResizedCrop(height=64, width=64)` as `RandomResizedCrop(size=(64, 64))`."""
    parameters = _SIZED.get(transform(context, node.func))
    if parameters is None or argument(node, "size") is not None:
        return None
    given = arguments(node, parameters)
    if given is None:
        return Unsure("its arguments cannot be told apart")
    if not {"height", "width"} <= given.keys():
        return None  # written for albumentations 2 already
    size = f"({context.code(given['height'])}, {context.code(given['width'])})"
    return one(node, rewritten(node, parameters, ("height", "width"), {"size": size}))


def _divided(context: Context, value: cst.BaseExpression) -> str:
    """Return the code of a number of 255 as a fraction."""
    code = receiver_text(value) if binds_less(value) else context.code(value)
    return f"{code} / 255"


def _replaced(
    context: Context,
    node: cst.Call,
    old: str,
    parameters: tuple[str, ...],
    write: Callable[[Given, Named, str], str],
) -> Answer:
    """Return the fix that writes a removed transform with others.

    Args:
        context: The call with its surroundings.
        node: The call.
        old: Name of the transform.
        parameters: Its parameters, in order.
        write: Return the new code, given the arguments, the others' names and the code for `p`.
    """
    if transform(context, node.func) != old:
        return None
    given = arguments(node, parameters)
    if given is None or not given.keys() <= set(parameters):
        return Unsure("its arguments cannot be told apart")
    imports: list[NewImport] = []

    def of(name: str) -> str:
        code, new = _named(context, node, name)
        imports.extend(new)
        return code

    chance = f", p={context.code(given['p'])}" if "p" in given else ""
    if "always_apply" in given and literal(given["always_apply"]) is True:
        chance = ", p=1.0"
    return one(node, expression(write(given, of, chance)), imports)


def _named(context: Context, node: cst.Call, name: str) -> tuple[str, tuple[NewImport, ...]]:
    """Return the code for a transform in the way the old one is named, and the import it needs."""
    func = node.func
    if isinstance(func, cst.Attribute) and context.refers_to(func.value, "albumentations"):
        return f"{context.code(func.value)}.{name}", ()
    if "albumentations" in context.program.stars:
        return name, ()
    return context.imported(node, "albumentations", name, name)
