"""`findContours` returns two values since OpenCV 4, no longer the picture before them.

https://docs.opencv.org/4.x/d3/dc0/group__imgproc__shape.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("cv2-find-contours", on=cst.Assign)
def two(context: Context, node: cst.Assign) -> Answer:
    """Rewrite `_, c, h = cv2.findContours(…)` as `c, h = cv2.findContours(…)`."""
    value = node.value
    if not isinstance(value, cst.Call) or len(node.targets) != 1:
        return None
    if not context.refers_to(value.func, "cv2.findContours"):
        return None
    target = node.targets[0].target
    if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != 3:
        return None
    first = target.elements[0].value
    if not isinstance(first, cst.Name):
        return Unsure("where the picture goes is used")
    if first.value != "_" and _read(context, first.value):
        return Unsure(f"the picture it gave, `{first.value}`, is used")
    return Fix((Change(target, target.with_changes(elements=target.elements[1:])),))


def _read(context: Context, name: str) -> bool:
    return any(
        isinstance(node, cst.Name) and node.value == name and not _is_no_value(cell, node)
        for cell in context.program.cells
        for node in cell.places
    )


def _is_no_value(cell: CellCode, node: cst.Name) -> bool:
    """Return whether the name is an assignment target (alone or in a tuple) or a parameter name."""
    parent = cell.places[node].parent
    if isinstance(parent, cst.Element):
        several = cell.places[parent].parent
        return several is not None and isinstance(cell.places[several].parent, cst.AssignTarget)
    if isinstance(parent, cst.Arg):
        return parent.keyword is node
    return isinstance(parent, (cst.AssignTarget, cst.Param))
