"""Since pandas 3.0 `replace` and `fillna` leave a column of objects as such, full of numbers.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

Until then a column in which numbers had taken the place of all texts became one of numbers. What
`infer_objects` does is the same, and nothing where a text is left.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.cellcode import Assigned
from mle_modernizer_server.fixing.rules.columns import Column, column_of
from mle_modernizer_server.fixing.rules.kind import FRAME, SERIES
from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.scene import Answer, Change, Fix, Scene, one
from mle_modernizer_server.fixing.rules.tree import argument, expression, literal, same_literal

_TYPED = ("infer_objects", "astype", "infer_string")


@codemod(cst.Call, "replace")
def numbers_again(scene: Scene, node: cst.Call) -> Answer:
    """`s.replace('a', 1)` → `s.replace('a', 1).infer_objects()`."""
    return _inferred(scene, node) if puts_numbers_for_text(scene, node) else None


@codemod(cst.Call, "fillna")
def truths_again(scene: Scene, node: cst.Call) -> Answer:
    """`s.fillna(False)` → `s.fillna(False).infer_objects()`: `True` and gaps become truths."""
    value = argument(node, "value", 0)
    if value is None or type(literal(value.value)) is not bool or _on(scene, node) != SERIES:
        return None
    return _inferred(scene, node)


def puts_numbers_for_text(scene: Scene, node: cst.Call) -> bool:
    """Whether a call of `replace` of a table or column puts numbers where texts were."""
    if _on(scene, node) is None:
        return False
    old, new = argument(node, "to_replace", 0), argument(node, "value", 1)
    if old is None:
        return False
    first = literal(_named(scene, old.value))
    if isinstance(first, dict) and new is None:
        inner = [
            one for value in first.values() if isinstance(value, dict) for one in value.items()
        ]
        pairs = inner or list(first.items())
        return any(isinstance(a, str) for a, _ in pairs) and any(_number(b) for _, b in pairs)
    second = literal(_named(scene, new.value)) if new is not None else NotImplemented
    return any(isinstance(value, str) for value in _each(first)) and any(
        _number(value) for value in _each(second)
    )


def _number(value: object) -> bool:
    return isinstance(value, (int, float))


def _each(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _named(scene: Scene, node: cst.BaseExpression) -> cst.BaseExpression:
    """What a name stands for where it is given one value only."""
    if not isinstance(node, cst.Name):
        return node
    bindings = scene.program.lookup(node.value, node).bindings
    bound = bindings[0].bound if len(bindings) == 1 else None
    return bound.value if isinstance(bound, Assigned) and not bound.path else node


def _on(scene: Scene, node: cst.Call) -> object:
    """`SERIES` or `FRAME`, where the call is on such a thing."""
    if not isinstance(node.func, cst.Attribute) or scene.qualnames(node.func):
        return None
    owner = node.func.value
    kind = scene.kind(owner)
    if kind in (SERIES, FRAME):
        return kind
    return SERIES if kind is None and isinstance(column_of(scene, owner), Column) else None


def _inferred(scene: Scene, node: cst.Call) -> Answer:
    above = scene.parent(node)
    inplace = argument(node, "inplace")
    if inplace is not None and same_literal(inplace.value, True):
        return _in_the_next_line(scene, node, above)
    if isinstance(above, cst.Attribute) and above.attr.value in (*_TYPED, "replace", "fillna"):
        return None
    if isinstance(above, cst.Expr):
        return None
    text = f"{scene.code(node.with_changes(lpar=[], rpar=[]))}.infer_objects()"
    return one(node, expression(text).with_changes(lpar=node.lpar, rpar=node.rpar))


def _in_the_next_line(scene: Scene, node: cst.Call, above: cst.CSTNode | None) -> Answer:
    """`df.replace(…, inplace=True)`: `df[df.columns] = df.infer_objects()` behind it."""
    assert isinstance(node.func, cst.Attribute)
    owner = node.func.value
    line = scene.parent(above) if isinstance(above, cst.Expr) else None
    if not isinstance(line, cst.SimpleStatementLine) or line.body[-1] is not above:
        return None
    if not isinstance(owner, cst.Name):
        return None
    name = owner.value
    target = f"{name}[{name}.columns]" if scene.kind(owner) == FRAME else name
    text = f"{target} = {name}.infer_objects()"
    block = scene.parent(line)
    body = list(getattr(block, "body", ()))
    behind = body[body.index(line) + 1 :] if line in body else []
    for after in behind:
        if not isinstance(after, cst.SimpleStatementLine):
            break
        code = scene.code(after.with_changes(leading_lines=[])).strip()
        if code == text:
            return None
        if not code.startswith(f"{name}.replace("):
            break
    return Fix((Change(line, cst.FlattenSentinel([line, cst.parse_statement(text)])),))
