"""Name the computations of a notebook with its predictions and its scores."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mle_modernizer_server.code.calls import DRAWING, facts
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
)
from mle_modernizer_server.code.data_flow.values import Origin, Value

_EVERYDAY = (
    (SAME_TABLE - {"clip", "sort", "replace", "query", "sample", "round", "dropna", "fillna"})
    | facts("flow", "conversions")
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
        what: The operation, with its number if one is written out.
        cell_id: The cell with the code.
        line: Its line there, from 1.
    """

    what: str
    cell_id: str
    line: int


def by_operator(node: ast.BinOp | ast.AugAssign, left: Value, right: Value) -> str:
    """Return an operator's computation with predictions; empty if it has none."""
    if not _predicted(left, right) or left.text or right.text:
        return ""
    if isinstance(node.op, ast.Pow) and right.constant == _HALF:
        return ""  # a root, which is compared apart
    return f"{type(node.op).__name__} {_number(left)}{_number(right)}".strip()


def by_comparison(node: ast.Compare, values: list[Value]) -> str:
    """Return a comparison of predictions; empty for a probability against one half: it makes a
    class."""
    if not _predicted(*values):
        return ""
    if _HALF in [value.constant for value in values]:
        return ""
    names = " ".join(type(op).__name__ for op in node.ops)
    return f"{names} {''.join(map(_number, values))}".strip()


def draws(name: str, owner: Value) -> bool:
    """Return whether a call only draws its arguments."""
    own = name in owner.methods
    return not own and (name in DRAWING or owner.module.startswith(_DRAWN_BY))


def by_subscript(node: ast.Subscript, owner: Value) -> str:
    """Return `rows` if a subscript selects rows of predictions, else empty."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    plain = all(isinstance(part, (ast.Slice, ast.Constant, ast.UnaryOp)) for part in parts)
    stepped = isinstance(parts[0], ast.Slice) and parts[0].step is not None  # `[::-1]`
    return "rows" if (stepped or not plain) and _predicted(owner) else ""


def by_call(node: ast.Call, name: str, owner: Value, values: list[Value]) -> str:
    """Return the computation of a library's function with predictions."""
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
    return isinstance(digits, int) and digits > 1  # the format of a score


def overwritten(old: Value | Origin, new: Origin) -> bool:
    """Return whether a value replaces predictions and is none."""
    before = old if isinstance(old, Origin) else old.all
    return bool(before & Origin.PREDICTED) and not new & Origin.PREDICTED


def _predicted(*values: Value) -> bool:
    return any(value.all & Origin.PREDICTED for value in values)


def _number(value: Value) -> str:
    number = value.constant
    return repr(number) if isinstance(number, (int, float)) else ""
