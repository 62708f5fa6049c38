"""Experimental estimators are enabled before they are imported, even by a star import.

https://scikit-learn.org/stable/api/sklearn.experimental.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_SWITCHES = {
    "IterativeImputer": "enable_iterative_imputer",
    "HalvingGridSearchCV": "enable_halving_search_cv",
    "HalvingRandomSearchCV": "enable_halving_search_cv",
}
_STARS = {
    "sklearn.impute": "enable_iterative_imputer",
    "sklearn.model_selection": "enable_halving_search_cv",
}


@codemod("sklearn-experimental-imports", on=cst.ImportFrom)
def enabled(context: Context, node: cst.ImportFrom) -> Answer:
    """Insert the import that enables it before."""
    module = dotted_name(node.module)
    if module not in _STARS:
        return None
    if isinstance(node.names, cst.ImportStar):
        switches = {_STARS[module]}
    else:
        switches = {_SWITCHES.get(dotted_name(alias.name), "") for alias in node.names} - {""}
    if not switches:
        return None
    at = context.program.cells.index(context.cell)
    for cell in context.program.cells[: at + 1]:
        before = cell.source if cell is not context.cell else _before(context, node)
        switches = {switch for switch in switches if switch not in before}
    if not switches:
        return None
    line = context.parent(node)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return Unsure("the import shares its line with other code")
    new = [
        cst.parse_statement(f"from sklearn.experimental import {switch}  # noqa: F401")
        for switch in sorted(switches)
    ]
    first = new[0]
    assert isinstance(first, cst.SimpleStatementLine)
    new[0] = first.with_changes(leading_lines=line.leading_lines)
    return Fix((Change(line, cst.FlattenSentinel([*new, line.with_changes(leading_lines=[])])),))


def _before(context: Context, node: cst.ImportFrom) -> str:
    """Return the cell's code up to a statement."""
    first, _ = context.cell.lines(node)
    return "\n".join(context.cell.source.splitlines()[: first - 1])
