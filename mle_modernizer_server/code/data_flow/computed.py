"""Notes what a notebook computes with its predictions and its scores."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mle_modernizer_server.code.data_flow.meanings import (
    FITTING_AND_PREDICTING,
    JOINING,
    ONLY_SHAPE,
    OPTIMIZING,
    PREPARING,
    SAME_TABLE,
    SHOWING,
    TRAINING,
    TRAINING_FUNCTIONS,
    WRITERS,
    is_metric,
    is_predicting,
    words,
)
from mle_modernizer_server.code.data_flow.values import Origin, Value

_CONVERSIONS = words(
    "astype ravel flatten reshape squeeze to_numpy tolist to_list DataFrame Series array asarray "
    "column_stack concatenate stack argmax expand_dims copy to_frame transpose item numpy detach "
    "cpu float int list tuple zip enumerate dict format str repr sqrt join to_csv savetxt values "
    "assign insert set isnan eval train no_grad softmax append extend update get items keys Index "
    "to_string head tail describe info value_counts to_datetime to_numeric from_dict "
    "assert_allclose isinstance apply"
)
DRAWING = words(
    "plot hist scatter boxplot bar barh heatmap show fill_between plot_roc_curve distplot histplot "
    "kdeplot displot lineplot barplot countplot annotate text title set_title legend xlabel ylabel"
)
_EVERYDAY = (
    (SAME_TABLE - {"clip", "sort", "replace", "query", "sample", "round", "dropna", "fillna"})
    | _CONVERSIONS
    | DRAWING
    | JOINING
    | ONLY_SHAPE
    | OPTIMIZING
    | PREPARING
    | SHOWING
    | TRAINING
    | TRAINING_FUNCTIONS
    | WRITERS
    | FITTING_AND_PREDICTING
)
"""Calls that only change the form of predictions or show them, and those looked at elsewhere."""
_HALF = 0.5
_DRAWN_BY = ("matplotlib", "seaborn", "plotly", "pylab")


@dataclass(frozen=True)
class Computed:
    """A computation with predictions or scores.

    Attributes:
        what: The operation, with the number it is done with where one is written out.
        cell_id: The cell with the code.
        line: Its line there, from 1.
    """

    what: str
    cell_id: str
    line: int


def by_operator(node: ast.BinOp, left: Value, right: Value) -> str:
    """What an operator computes with predictions; empty where it computes nothing with them."""
    if not _predicted(left, right) or left.text or right.text:
        return ""
    if isinstance(node.op, ast.Pow) and right.constant == _HALF:
        return ""  # a root, which is compared apart
    return f"{type(node.op).__name__} {_number(left)}{_number(right)}".strip()


def by_comparison(node: ast.Compare, values: list[Value]) -> str:
    """What a comparison makes of predictions; a probability against one half makes a class."""
    if not _predicted(*values):
        return ""
    if _HALF in [value.constant for value in values]:
        return ""
    names = " ".join(type(op).__name__ for op in node.ops)
    return f"{names} {''.join(map(_number, values))}".strip()


def draws(name: str, owner: Value) -> bool:
    """Whether a call only draws what it is given."""
    own = name in owner.methods
    return not own and (name in DRAWING or owner.module.startswith(_DRAWN_BY))


def by_subscript(node: ast.Subscript, owner: Value) -> str:
    """Which rows of predictions a subscript takes, where it chooses them."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    plain = all(isinstance(part, (ast.Slice, ast.Constant, ast.UnaryOp)) for part in parts)
    stepped = isinstance(parts[0], ast.Slice) and parts[0].step is not None  # `[::-1]`
    return "rows" if (stepped or not plain) and _predicted(owner) else ""


def by_call(node: ast.Call, name: str, owner: Value, values: list[Value]) -> str:
    """What a function of a library computes with predictions."""
    if name in _EVERYDAY or is_metric(name) or is_predicting(name):
        return ""
    if not _predicted(owner, *values):
        return ""
    if name in ("where", "round", "around") and _makes_classes_or_digits(node, name):
        return ""
    return f"call {name}"


def _makes_classes_or_digits(node: ast.Call, name: str) -> bool:
    if name == "where":
        chosen = [arg.value for arg in node.args[1:] if isinstance(arg, ast.Constant)]
        return chosen == [1, 0] and isinstance(node.args[0], ast.Compare)
    last = node.args[-1] if node.args else None
    digits = last.value if isinstance(last, ast.Constant) else 0
    return isinstance(digits, int) and digits > 1  # how a score is shown


def overwritten(old: Value | Origin, new: Origin) -> bool:
    """Whether what was predicted is replaced by what was not."""
    before = old if isinstance(old, Origin) else old.all
    return bool(before & Origin.PREDICTED) and not new & Origin.PREDICTED


def _predicted(*values: Value) -> bool:
    return any(value.all & Origin.PREDICTED for value in values)


def _number(value: Value) -> str:
    known = value.constant
    return repr(known) if isinstance(known, (int, float)) else ""
