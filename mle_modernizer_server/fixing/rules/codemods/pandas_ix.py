"""`.ix` was removed in pandas 1.0: `.loc` goes by label, `.iloc` by position.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes

`.ix` took labels where it could: on a whole-number index numbers were labels, elsewhere positions.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.cellcode import Assigned
from mle_modernizer_server.fixing.rules.generic.target import Match, method_matches
from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.scene import Answer, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.tree import children, literal

_ON = ("pandas.DataFrame", "pandas.Series")
_NEW_INDEX = ("set_index", "index_col", "from_dict")


@codemod(cst.Subscript)
def by_label_or_position(scene: Scene, node: cst.Subscript) -> Answer:
    """`df.ix[mask, 'a']` → `df.loc[mask, 'a']`; `df.ix[:, 0]` → `df.iloc[:, 0]`."""
    if not isinstance(node.value, cst.Attribute) or node.value.attr.value != "ix":
        return None
    if method_matches(scene, node.value, ("ix",), _ON, distinctive=True) is Match.NO:
        return None
    rows = node.slice[0].slice
    columns = node.slice[1].slice if len(node.slice) > 1 else None
    if columns is not None and _counts(scene, columns):
        if _everything(rows):
            return _with(node, "iloc")
        if isinstance(columns, cst.Index):
            frame = scene.code(node.value.value)
            label = cst.parse_expression(f"{frame}.columns[{scene.code(columns)}]")
            second = node.slice[1].with_changes(slice=columns.with_changes(value=label))
            node_new = node.with_changes(slice=[node.slice[0], second])
            if _counts(scene, rows) and _may_have_other_index(scene):
                return Unsure("whole numbers after `.ix` may be labels or positions")
            return one(node, _renamed(node_new, "loc"))
        return Unsure("`.ix` takes rows by label and columns by position")
    if _counts(scene, rows) and _may_have_other_index(scene):
        return Unsure("whole numbers after `.ix` may be labels or positions")
    return _with(node, "loc")


def _with(node: cst.Subscript, accessor: str) -> Answer:
    return one(node, _renamed(node, accessor))


def _renamed(node: cst.Subscript, accessor: str) -> cst.Subscript:
    assert isinstance(node.value, cst.Attribute)
    return node.with_changes(value=node.value.with_changes(attr=cst.Name(accessor)))


def _everything(index: cst.BaseSlice) -> bool:
    return isinstance(index, cst.Slice) and not (index.lower or index.upper or index.step)


def _counts(scene: Scene, index: cst.BaseSlice) -> bool:
    """Whole numbers (or a list or slice of them)."""
    if isinstance(index, cst.Slice):
        bounds = [bound for bound in (index.lower, index.upper) if bound is not None]
        return any(isinstance(literal(bound), int) for bound in bounds)
    assert isinstance(index, cst.Index)
    return _is_count(scene, index.value) or _are_counts(scene, index.value)


def _is_count(scene: Scene, node: cst.BaseExpression) -> bool:
    """A whole number, or the variable of a loop over some."""
    if type(literal(node)) is int:
        return True
    bound = _bound(scene, node)
    return bound is not None and bound.path == (None,) and _are_counts(scene, bound.value)


def _are_counts(scene: Scene, node: cst.BaseExpression) -> bool:
    """A list of whole numbers, a `range`, or a name for one."""
    value = literal(node)
    if isinstance(value, (list, tuple)):
        return bool(value) and all(type(item) is int for item in value)
    if isinstance(node, cst.Call):
        if {"builtins.range", "builtins.xrange", "numpy.arange"} & set(scene.qualnames(node.func)):
            return True
        listed = "builtins.list" in scene.qualnames(node.func) and len(node.args) == 1
        return listed and _are_counts(scene, node.args[0].value)
    bound = _bound(scene, node)
    return bound is not None and not bound.path and _are_counts(scene, bound.value)


def _bound(scene: Scene, node: cst.BaseExpression) -> Assigned | None:
    """What a name stands for, where it is given one value only."""
    if not isinstance(node, cst.Name):
        return None
    bindings = scene.program.lookup(node.value, node).bindings
    bound = bindings[0].bound if len(bindings) == 1 else None
    return bound if isinstance(bound, Assigned) and bound.value is not node else None


def _may_have_other_index(scene: Scene) -> bool:
    """Whether some table of the notebook is given an index of its own."""
    for cell in scene.program.cells:
        for node in cell.places:
            if isinstance(node, cst.Name) and node.value in _NEW_INDEX:
                return True
            if isinstance(node, cst.AssignTarget) and any(
                isinstance(child, cst.Attribute) and child.attr.value == "index"
                for child in children(node)
            ):
                return True
    return False
