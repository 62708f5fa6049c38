"""Keras 2 takes the kernel of a convolution as one tuple.

https://github.com/keras-team/keras/wiki/Keras-2.0-release-notes

Keras 1 had `Convolution2D(nb_filter, nb_row, nb_col)`. Keras 2.0 to 2.3 still read `Conv2D(32, 3,
3)` so; today the third number is the strides. TensorFlow's Keras has always read it as strides.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, positional
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named
from mle_modernizer_server.fixing.rules.libraries.keras.names import addresses, is_standalone
from mle_modernizer_server.fixing.rules.tables import table

_DIMENSIONS = table("keras", "convolutions", dict[str, int])
_SIZES = {
    1: ("filter_length",),
    2: ("nb_row", "nb_col"),
    3: ("kernel_dim1", "kernel_dim2", "kernel_dim3"),
}
_OLD = table("keras", "keras-1-arguments", tuple[str, ...])
_NEW = [
    "padding",
    "strides",
    "data_format",
    "kernel_size",
    "dilation_rate",
    "kernel_initializer",
    "use_bias",
]


@codemod("keras-convolution-kernel", "keras-convolution-strides", on=cst.Call, names=_DIMENSIONS)
def kernel(context: Context, node: cst.Call) -> Answer:
    """Rewrite `Convolution2D(32, 3, 3)` as `Convolution2D(32, (3, 3))`, by keyword as well."""
    name = next((n for n in addresses(context, node.func) if n.startswith("keras.layers.")), "")
    dimensions = _DIMENSIONS.get(name.rpartition(".")[2])
    if dimensions is None or any(arg.star for arg in node.args):
        return None
    sizes = _SIZES[dimensions]
    given = [argument(node, size) for size in sizes]
    places = positional(node)
    loose = places[1 : 1 + dimensions] if dimensions > 1 and len(places) > dimensions else []
    if not any(given) and not loose:
        filters = argument(node, "nb_filter")
        if filters is None:
            return None
        return one(node, node.with_deep_changes(filters, keyword=cst.Name("filters")))
    if loose and not _reads_as_sizes(context, node, name, loose):
        return None
    if loose and len(places) > 1 + dimensions:
        return Unsure("more than the size of the kernel is given by position")
    parts = [*loose, *(arg for arg in given if arg is not None)]
    if len(parts) != dimensions:
        return Unsure("a part of the kernel's size is not given")
    return one(node, node.with_changes(args=_joined(context, node, parts, bool(loose))))


def _reads_as_sizes(context: Context, node: cst.Call, name: str, loose: list[cst.Arg]) -> bool:
    if any(argument(node, old) for old in _OLD):
        return True
    if not is_standalone(context, node.func) or any(argument(node, new) for new in _NEW):
        return False
    return "Convolution" in name or all(isinstance(arg.value, cst.Integer) for arg in loose)


def _joined(context: Context, node: cst.Call, parts: list[cst.Arg], loose: bool) -> list[cst.Arg]:
    values = [context.code(part.value) for part in parts]
    value = expression(f"({', '.join(values)})" if len(values) > 1 else values[0])
    args: list[cst.Arg] = []
    for arg in node.args:
        if arg is parts[0]:
            new = arg.with_changes(value=value) if loose else named(arg, "kernel_size", value)
            args.append(new.with_changes(comma=parts[-1].comma) if arg is not parts[-1] else new)
        elif arg in parts:
            continue
        elif arg.keyword is not None and arg.keyword.value == "nb_filter":
            args.append(arg.with_changes(keyword=cst.Name("filters")))
        else:
            args.append(arg)
    if node.args[-1] in parts and args:
        last = node.args[-1]
        args[-1] = args[-1].with_changes(
            comma=last.comma, whitespace_after_arg=last.whitespace_after_arg
        )
    return args
