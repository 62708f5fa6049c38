"""`Resize` smooths tensors that get smaller since torchvision 0.17; it always smoothed PIL images.

https://github.com/pytorch/vision/releases/tag/v0.17.0
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mle_modernizer_server.code.tree import argument, has_double_star, with_keyword
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_T = "torchvision.transforms"
_TO_TENSOR = frozenset(
    f"{_T}.{name}"
    for name in (
        "ToTensor",
        "PILToTensor",
        "ConvertImageDtype",
        "functional.to_tensor",
        "functional.pil_to_tensor",
        "functional.convert_image_dtype",
    )
) | {"torchvision.io.read_image", "torch.from_numpy", "torch.tensor", "torch.stack"}
"""Functions and transforms that return tensors."""
_TO_PICTURE = frozenset({f"{_T}.ToPILImage", f"{_T}.functional.to_pil_image"})
_ONLY_TENSORS = frozenset({"torch.nn.Sequential", "torch.jit.script"})
"""Transforms in these never get anything but tensors."""


@codemod("torchvision-pin-antialias", on=cst.Call, functions=(f"{_T}.Resize",))
def among_transforms(context: Context, node: cst.Call) -> Answer:
    """`Compose([ToTensor(), Resize(8)])` → `Compose([ToTensor(), Resize(8, antialias=False)])`."""
    if not _takes_tensors(context, node):
        return None
    return _pinned(context, node, 3)


@codemod("torchvision-pin-antialias", on=cst.Call, functions=(f"{_T}.functional.resize",))
def called(context: Context, node: cst.Call) -> Answer:
    """Rewrite `F.resize(F.to_tensor(x), 8)` as `F.resize(F.to_tensor(x), 8, antialias=False)`."""
    image = argument(node, "img", 0)
    if image is None or not _is_tensor(context, context.written(image.value)):
        return None
    return _pinned(context, node, 4)


def _pinned(context: Context, node: cst.Call, position: int) -> Answer:
    if argument(node, "antialias", position) is not None or has_double_star(node):
        return None
    interpolation = argument(node, "interpolation", position - 2)
    if interpolation is not None and "NEAREST" in context.code(interpolation.value):
        return None  # smooths nothing
    return one(node, with_keyword(node, "antialias", cst.Name("False")))


def _takes_tensors(context: Context, node: cst.Call) -> bool:
    """Return whether the transforms before this one in its list return a tensor."""
    before = list(_before(context, node))
    for step in reversed(before):
        if not isinstance(step, cst.Call):
            continue
        names = set(context.qualnames(step.func))
        if names & _TO_PICTURE:
            return False
        if names & _TO_TENSOR:
            return True
    above = next(context.cell.calls_around(node), None)
    return above is not None and context.refers_to(above.func, *_ONLY_TENSORS)


def _before(context: Context, node: cst.Call) -> Iterator[cst.BaseExpression]:
    """Yield the expressions before a node in the list, or the arguments, that it is in."""
    item = context.parent(node)
    owner = context.parent(item)
    if isinstance(owner, (cst.List, cst.Tuple)):
        values = [element.value for element in owner.elements]
    elif isinstance(owner, cst.Call):
        values = [arg.value for arg in owner.args]
    else:
        return
    yield from values[: values.index(node)] if node in values else ()


def _is_tensor(context: Context, value: cst.BaseExpression) -> bool:
    if not isinstance(value, cst.Call):
        return False
    function = value.func
    if isinstance(function, cst.Call):  # transforms.ToTensor()(image)
        function = function.func
    return context.refers_to(function, *_TO_TENSOR)
