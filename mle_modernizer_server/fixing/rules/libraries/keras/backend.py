"""Keras 3 took most functions out of `keras.backend`; TensorFlow's Keras still has them.

https://keras.io/guides/migrating_to_keras_3/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.tree import dotted, dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

FUNCTIONS = (
    "abs",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "batch_dot",
    "batch_flatten",
    "batch_get_value",
    "batch_normalization",
    "batch_set_value",
    "bias_add",
    "binary_crossentropy",
    "cast",
    "cast_to_floatx",
    "categorical_crossentropy",
    "clip",
    "concatenate",
    "constant",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "cos",
    "count_params",
    "ctc_batch_cost",
    "ctc_decode",
    "cumprod",
    "cumsum",
    "depthwise_conv2d",
    "dot",
    "dropout",
    "dtype",
    "elu",
    "equal",
    "eval",
    "exp",
    "expand_dims",
    "eye",
    "flatten",
    "foldl",
    "foldr",
    "gather",
    "get_value",
    "gradients",
    "greater",
    "greater_equal",
    "hard_sigmoid",
    "in_top_k",
    "int_shape",
    "l2_normalize",
    "less",
    "less_equal",
    "log",
    "map_fn",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "moving_average_update",
    "name_scope",
    "ndim",
    "not_equal",
    "one_hot",
    "ones",
    "ones_like",
    "permute_dimensions",
    "pool2d",
    "pool3d",
    "pow",
    "prod",
    "random_normal",
    "random_normal_variable",
    "random_uniform",
    "random_uniform_variable",
    "relu",
    "repeat",
    "repeat_elements",
    "reshape",
    "resize_images",
    "reverse",
    "rnn",
    "round",
    "separable_conv2d",
    "set_value",
    "shape",
    "sigmoid",
    "sign",
    "sin",
    "softmax",
    "softplus",
    "softsign",
    "sparse_categorical_crossentropy",
    "spatial_2d_padding",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "stop_gradient",
    "sum",
    "switch",
    "tanh",
    "temporal_padding",
    "tile",
    "transpose",
    "truncated_normal",
    "update",
    "update_add",
    "update_sub",
    "var",
    "variable",
    "zeros",
    "zeros_like",
)
_NEW = "tensorflow.keras.backend"


@codemod("keras-backend-functions", on=cst.Attribute, names=FUNCTIONS)
def function(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `K.sum` with `from keras import backend as K` as the import is TensorFlow's."""
    if not context.refers_to(node, f"keras.backend.{node.attr.value}"):
        return None
    base = node.value
    if isinstance(base, cst.Attribute):
        local, imports = context.imported(node, "tensorflow.keras", "backend", "K")
        return one(node, node.with_changes(value=cst.Name(local)), imports)
    assert isinstance(base, cst.Name)
    changes = tuple(
        change
        for cell in context.program.cells
        for statement in cell.places
        if (change := _redirected(cell, statement, base.value)) is not None
    )
    return Fix(changes) if changes else None


@codemod("keras-backend-functions", on=cst.ImportFrom)
def by_name(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from keras.backend import sum` as `from tensorflow.keras.backend import sum`."""
    if dotted_name(node.module) != "keras.backend" or isinstance(node.names, cst.ImportStar):
        return None
    if not any(dotted_name(alias.name) in FUNCTIONS for alias in node.names):
        return None
    return one(node, node.with_changes(module=dotted(_NEW)))


def _redirected(cell: CellCode, node: cst.CSTNode, local: str) -> Change | None:
    """Return the redirected import statement of the name; None for any other node."""
    if isinstance(node, cst.ImportFrom) and not isinstance(node.names, cst.ImportStar):
        ours = [alias for alias in node.names if _local(alias) == local]
        if dotted_name(node.module) != "keras" or not ours:
            return None
        if dotted_name(ours[0].name) != "backend":
            return None
        if len(node.names) == 1:
            return Change(node, node.with_changes(module=dotted("tensorflow.keras")))
        kept = [alias for alias in node.names if alias is not ours[0]]
        kept[-1] = kept[-1].with_changes(comma=node.names[-1].comma)
        moved = cst.ImportFrom(
            module=dotted("tensorflow.keras"),
            names=[ours[0].with_changes(comma=cst.MaybeSentinel.DEFAULT)],
        )
        rest = node.with_changes(names=kept)
        line = cell.places[node].parent
        if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            second = cst.SimpleStatementLine([moved])
            first = line.with_changes(body=[rest])
            return Change(line, cst.FlattenSentinel([first, second]))
        return Change(node, cst.FlattenSentinel([moved, rest]))
    if (
        isinstance(node, cst.ImportAlias)
        and dotted_name(node.name) == "keras.backend"
        and isinstance(cell.places[node].parent, cst.Import)
        and _local(node) == local
    ):
        return Change(node, node.with_changes(name=dotted(_NEW)))
    return None


def _local(alias: cst.ImportAlias) -> str:
    return dotted_name(alias.asname.name) if alias.asname else dotted_name(alias.name)
