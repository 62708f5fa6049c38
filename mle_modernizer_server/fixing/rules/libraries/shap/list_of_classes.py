"""`shap_values(X)` returns one array since shap 0.45, with the classes last; it was a list.

https://github.com/shap/shap/releases/tag/v0.45.0

Only values that a failing cell subscripts with a class become a list: for a regression, and for two
classes of some libraries, there was no list before either.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.cell_code import CellCode
from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key


@codemod("shap-list-of-classes", on=cst.Call, names=("shap_values",))
def as_list(context: Context, node: cst.Call) -> Answer:
    """Rewrite `v = e.shap_values(X)` as `v = list(np.moveaxis(e.shap_values(X), -1, 0))`."""
    above = context.parent(node)
    if not isinstance(above, cst.Assign) or len(above.targets) != 1:
        return None
    target = above.targets[0].target
    failed = {error.cell_id for error in context.run.errors if context.rule.matches(error)}
    if not isinstance(target, cst.Name) or not any(
        _takes_a_class(cell, target.value)
        for cell in context.program.cells
        if cell.cell_id in failed
    ):
        return None
    numpy, imports = context.module(node, "numpy", "np")
    text = f"list({numpy}.moveaxis({context.code(node)}, -1, 0))"
    return one(node, expression(text), imports)


def _takes_a_class(cell: CellCode, name: str) -> bool:
    """Return whether a cell has `name[1]` or `name[c]`: a class of a list, unlike `name[i, :]`."""
    return any(
        isinstance(node, cst.Subscript)
        and isinstance(node.value, cst.Name)
        and node.value.value == name
        and key(node) is not None
        for node in cell.places
    )
