"""A column taken out of a table is a copy since pandas 3.0: what is written into it stays there.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.cellcode import Assigned
from mle_modernizer_server.fixing.rules.columns import Column, column_of
from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.scene import Answer, Change, Fix, Scene, Unsure

_ACCESSORS = ("loc", "iloc", "at", "iat")


@codemod(cst.Assign)
def put_back(scene: Scene, node: cst.Assign) -> Answer:
    """`s = df['a']` … `s[m] = 0` → `df['a'] = s` in the next line."""
    return _put_back(scene, node, node.targets[0].target)


@codemod(cst.AugAssign)
def put_back_updated(scene: Scene, node: cst.AugAssign) -> Answer:
    """`s[m] += 1` → `df['a'] = s` in the next line."""
    return _put_back(scene, node, node.target)


def _put_back(scene: Scene, node: cst.CSTNode, target: cst.CSTNode) -> Answer:
    if not isinstance(target, cst.Subscript):
        return None
    series = target.value
    if isinstance(series, cst.Attribute) and series.attr.value in _ACCESSORS:
        series = series.value
    if not isinstance(series, cst.Name):
        return None
    found = scene.program.lookup(series.value, series)
    bound = found.bindings[0].bound if len(found.bindings) == 1 and found.here else None
    if not isinstance(bound, Assigned) or bound.path:
        return None
    column = column_of(scene, bound.value)
    if not isinstance(column, Column) or column.whole is not None:
        return None
    if not isinstance(column.frame, cst.Name) or not _literal_label(bound.value):
        return None
    frame = column.frame.value
    then = scene.program.lookup(frame, bound.value).bindings
    if scene.program.lookup(frame, node).bindings != then:
        return Unsure(f"`{frame}` has become another table in between")
    line = scene.parent(node)
    block = scene.parent(line) if line is not None else None
    if not isinstance(line, cst.SimpleStatementLine) or line.body[-1] is not node:
        return Unsure("the line holds more than the assignment")
    text = f"{frame}[{column.name}] = {series.value}"
    body = list(getattr(block, "body", ()))
    behind = body[body.index(line) + 1 :] if line in body else []
    if behind and isinstance(behind[0], cst.SimpleStatementLine):
        bare = behind[0].with_changes(leading_lines=[])
        if scene.code(bare).strip() == text:
            return None
    return Fix((Change(line, cst.FlattenSentinel([line, cst.parse_statement(text)])),))


def _literal_label(node: cst.BaseExpression) -> bool:
    """`df['a']` or `df.a`; the variable of `df[c]` may have changed since."""
    if isinstance(node, cst.Attribute):
        return True
    if not isinstance(node, cst.Subscript):
        return False
    index = node.slice[0].slice
    return isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString)
