"""`plot_partial_dependence` returned a figure and its axes; since 0.22 a display has them.

https://scikit-learn.org/stable/whats_new/v0.22.html#sklearn-inspection
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_OLD = (
    "sklearn.ensemble.partial_dependence.plot_partial_dependence",
    "sklearn.inspection.partial_dependence.plot_partial_dependence",
)


@codemod("sklearn-partial-dependence-module", on=cst.Assign)
def taken_from_the_display(context: Context, node: cst.Assign) -> Answer:
    """`fig, axs = plot_partial_dependence(…)`: take both from the display."""
    target = node.targets[0].target
    line = context.parent(node)
    if len(node.targets) != 1 or not isinstance(target, cst.Tuple) or len(target.elements) != 2:
        return None
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    if not isinstance(node.value, cst.Call):
        return None
    if not context.refers_to(node.value.func, *_OLD):
        return None
    figure, axes = (element.value for element in target.elements)
    if not isinstance(figure, cst.Name) or not isinstance(axes, cst.Name):
        return None
    shown = cst.Assign([cst.AssignTarget(figure)], node.value)
    taken = cst.parse_statement(
        f"{figure.value}, {axes.value} = {figure.value}.figure_, "
        f"[ax for ax in {figure.value}.axes_.flat if ax is not None]"
    )
    new = cst.FlattenSentinel([line.with_changes(body=[shown]), taken])
    return Fix((Change(line, new),))
