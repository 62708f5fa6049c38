"""Since pandas 3.0 `replace` leaves a column of objects where it put numbers in the place of text.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html

It gave whole numbers, and `fillna(False)` bools; classifiers and Keras refuse objects. What
`infer_objects()` gives is the old result.
"""

from __future__ import annotations

from enum import Enum

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.cell_code import Assigned
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Fix, Scene, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import (
    argument,
    expression,
    literal,
    receiver_text,
    same_literal,
)
from mle_modernizer_server.fixing.rules.types.type import FRAME, SCALAR, SERIES

_CONVERTED = ("infer_objects", "astype", "convert_dtypes", "convert_objects")
"""Methods after which the type is the right one anyway."""


class _What(Enum):
    TEXT = "text"
    NUMBER = "a number"
    BOOL = "True or False"
    MAYBE = "cannot be told"
    OTHER = "neither text nor a number"


@codemod("pandas-replace-types", on=cst.Call, names=("replace",))
def replaced(scene: Scene, node: cst.Call) -> Answer:
    """`s.replace({'a': 1})` → `s.replace({'a': 1}).infer_objects()`."""
    return _inferred(scene, node) if _is_concerned(scene, node) else None


@codemod("pandas-replace-types", on=cst.Call, names=("fillna",))
def filled(scene: Scene, node: cst.Call) -> Answer:
    """`s.fillna(False)` → `s.fillna(False).infer_objects()`."""
    value = argument(node, "value", 0)
    if value is None or not isinstance(literal(value.value), bool) or not _has_table(scene, node):
        return None
    return _inferred(scene, node)


def _inferred(scene: Scene, node: cst.Call) -> Answer:
    parent = scene.parent(node)
    if isinstance(parent, cst.Attribute):
        if parent.attr.value in _CONVERTED:
            return None
        above = scene.parent(parent)
        if (
            parent.attr.value == "replace"
            and isinstance(above, cst.Call)
            and _is_concerned(scene, above)
        ):
            return None  # the outer one brings the type back
    inplace = argument(node, "inplace")
    if inplace is None or same_literal(inplace.value, False):
        return one(node, expression(f"{receiver_text(node)}.infer_objects()"))
    return _inferred_behind(scene, node, parent) if same_literal(inplace.value, True) else None


def _inferred_behind(scene: Scene, node: cst.Call, parent: cst.CSTNode | None) -> Answer:
    """`df.replace(…, inplace=True)`: `df[df.columns] = df.infer_objects()` in the next line.

    Of `df['a'].replace(…, inplace=True)` another rule makes an assignment first.
    """
    assert isinstance(node.func, cst.Attribute)
    table = node.func.value
    kind = scene.kind(table)
    line = scene.parent(parent) if isinstance(parent, cst.Expr) else None
    if not isinstance(table, cst.Name) or kind not in (FRAME, SERIES):
        return None
    if not isinstance(line, cst.SimpleStatementLine) or line.body[-1] is not parent:
        return None
    name = table.value
    target = f"{name}[{name}.columns]" if kind == FRAME else name
    text = f"{target} = {name}.infer_objects()"
    body = list(getattr(scene.parent(line), "body", ()))
    for after in body[body.index(line) + 1 :] if line in body else ():
        if not isinstance(after, cst.SimpleStatementLine):
            break
        code = scene.code(after.with_changes(leading_lines=[])).strip()
        if code == text:
            return None
        if not code.startswith(f"{name}.replace("):
            break
    return Fix((Change(line, cst.FlattenSentinel([line, cst.parse_statement(text)])),))


def _has_table(scene: Scene, node: cst.Call) -> bool:
    return isinstance(node.func, cst.Attribute) and scene.kind(node.func.value) in (FRAME, SERIES)


def _is_concerned(scene: Scene, node: cst.Call) -> bool:
    """Whether a call may put numbers in the place of text."""
    if not isinstance(node.func, cst.Attribute) or scene.qualnames(node.func):
        return False
    kind = scene.kind(node.func.value)
    old, new = argument(node, "to_replace", 0), argument(node, "value", 1)
    if old is None or kind not in (FRAME, SERIES, None):
        return False
    source = _resolved(scene, old.value)
    if new is not None:
        before, after = _kinds(scene, old.value), _kinds(scene, new.value)
    elif isinstance(source, cst.Dict):
        before, after = _pairs(scene, source)
    elif isinstance(source, (cst.DictComp, cst.Call, cst.Name, cst.Subscript)):
        before = after = {_What.MAYBE}
    else:
        return False
    certain = kind is not None or (_certain(before, after) and not _has_other_tables(scene))
    return certain and _may_meet(before, after)


def _has_other_tables(scene: Scene) -> bool:
    """Whether the notebook uses tables of others, which have such a method too."""
    return any("pyspark" in cell.source or "polars" in cell.source for cell in scene.program.cells)


def _certain(before: set[_What], after: set[_What]) -> bool:
    return _What.TEXT in before and not after.isdisjoint((_What.NUMBER, _What.BOOL))


def _may_meet(before: set[_What], after: set[_What]) -> bool:
    return not before.isdisjoint((_What.TEXT, _What.BOOL, _What.MAYBE)) and not after.isdisjoint(
        (_What.NUMBER, _What.BOOL, _What.MAYBE)
    )


def _pairs(scene: Scene, display: cst.Dict) -> tuple[set[_What], set[_What]]:
    """What stands before and behind the colons, in a dict of dicts inside of those."""
    before: set[_What] = set()
    after: set[_What] = set()
    for element in display.elements:
        if not isinstance(element, cst.DictElement):
            return {_What.MAYBE}, {_What.MAYBE}
        inner = _resolved(scene, element.value)
        if isinstance(inner, cst.Dict):
            old, new = _pairs(scene, inner)
            before |= old
            after |= new
        else:
            before |= _kinds(scene, element.key)
            after |= _kinds(scene, element.value)
    return before, after


def _kinds(scene: Scene, value: cst.BaseExpression) -> set[_What]:
    """What a value, or the elements of a list, are."""
    value = _resolved(scene, value)
    if isinstance(value, (cst.List, cst.Tuple)):
        return {what for element in value.elements for what in _kinds(scene, element.value)}
    if isinstance(value, cst.Dict):
        return _pairs(scene, value)[1]
    found = literal(value)
    if isinstance(found, bool):
        return {_What.BOOL}
    if isinstance(found, (int, float)) or scene.kind(value) == SCALAR:
        return {_What.NUMBER}
    if isinstance(found, str):
        return {_What.TEXT}
    if isinstance(value, (cst.Name, cst.Subscript, cst.Call, cst.ListComp, cst.DictComp)):
        return {_What.OTHER} if found is None else {_What.MAYBE}
    return {_What.OTHER}


def _resolved(scene: Scene, value: cst.BaseExpression) -> cst.BaseExpression:
    """What a name was bound to, where that is one thing."""
    if not isinstance(value, cst.Name):
        return value
    bindings = scene.program.lookup(value.value, value).bindings
    bound = bindings[0].bound if len(bindings) == 1 else None
    return bound.value if isinstance(bound, Assigned) and not bound.path else value
