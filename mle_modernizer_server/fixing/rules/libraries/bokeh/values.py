"""Values that properties of bokeh's models no longer accept.

https://docs.bokeh.org/en/latest/docs/releases.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("bokeh-shared-data", on=cst.Assign)
def copied(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `a.data = b.data` as `a.data = dict(b.data)` if the run failed at it."""
    if not (isinstance(node.value, cst.Attribute) and node.value.attr.value == "data"):
        return None
    if not context.evidence(node):
        return None
    return one(node.value, expression(f"dict({context.code(node.value)})"))


@codemod("bokeh-visible-none", on=cst.SimpleStatementLine)
def hidden(context: Context, node: cst.SimpleStatementLine) -> Answer:
    """`p.axis.visible = None` → `False`, on its own line if other targets get the same None."""
    assign = node.body[0] if len(node.body) == 1 else None
    if not isinstance(assign, cst.Assign) or literal(assign.value) is not None:
        return None
    shown = [target for target in assign.targets if _is_visible(target.target)]
    if not shown or not context.evidence(node):
        return None
    others = [target for target in assign.targets if target not in shown]
    lines = [node.with_changes(body=[assign.with_changes(targets=shown, value=cst.Name("False"))])]
    if others:
        rest = node.with_changes(leading_lines=[], body=[assign.with_changes(targets=others)])
        lines.append(rest)
    return Fix((Change(node, cst.FlattenSentinel(lines)),))


def _is_visible(target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Attribute) and target.attr.value == "visible"
