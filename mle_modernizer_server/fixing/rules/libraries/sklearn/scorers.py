"""`sklearn.metrics.SCORERS` was removed in scikit-learn 1.3.

https://scikit-learn.org/stable/whats_new/v1.0.html#sklearn-metrics
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import dotted_name, expression
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    NewImport,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_MODULES = ("sklearn.metrics", "sklearn.metrics.scorer")
_OLD = tuple(f"{module}.SCORERS" for module in _MODULES)


@codemod("sklearn-scorers-dict", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Rewrite `from sklearn.metrics import SCORERS` as `… import get_scorer_names`."""
    if dotted_name(node.module) not in _MODULES or isinstance(node.names, cst.ImportStar):
        return None
    changes: list[Change] = []
    imports: tuple[NewImport, ...] = ()
    for alias in node.names:
        if dotted_name(alias.name) != "SCORERS" or alias.asname is not None:
            continue
        changes.append(Change(alias, alias.with_changes(name=cst.Name("get_scorer_names"))))
        for use in _uses(context):
            new = _instead(context, use)
            if new is None:
                return Unsure("the dict is used for more than its names and single scorers")
            changes.append(new)
            if isinstance(new.node, cst.Subscript):
                imports = (NewImport(context.cell.cell_id, "sklearn.metrics", "get_scorer", ""),)
    return Fix(tuple(changes), imports) if changes else None


@codemod("sklearn-scorers-dict", on=cst.Call, names=("keys",))
def keys(context: Context, node: cst.Call) -> Answer:
    """Rewrite `metrics.SCORERS.keys()` as `metrics.get_scorer_names()`."""
    if not isinstance(node.func, cst.Attribute) or not isinstance(node.func.value, cst.Attribute):
        return None
    scorers = node.func.value
    if not context.refers_to(scorers, *_OLD):
        return None
    return one(node, expression(f"{context.code(scorers.value)}.get_scorer_names()"))


def _uses(context: Context) -> list[cst.Name]:
    """Return the uses of the imported dict in the notebook."""
    return [
        node
        for cell in context.program.cells
        for node, place in cell.places.items()
        if isinstance(node, cst.Name) and node.value == "SCORERS"
        if not isinstance(place.parent, cst.ImportAlias)
        if context.refers_to(node, *_OLD)
    ]


def _instead(context: Context, use: cst.Name) -> Change | None:
    """Return the replacement of the dict's keys, a loop over them, or one of its scorers."""
    cell = context.program.cell_of(use)
    above = cell.places[use].parent
    new = expression("get_scorer_names()")
    if isinstance(above, cst.Attribute):
        call = cell.places[above].parent
        if isinstance(call, cst.Call) and above.attr.value == "keys":
            return Change(call, new)
        return None
    if isinstance(above, cst.Subscript):
        name = key(above)
        if name is None or isinstance(context.parent(above), (cst.AssignTarget, cst.Del)):
            return None
        return Change(above, expression(f"get_scorer({context.code(name)})"))
    if isinstance(above, (cst.Arg, cst.For, cst.Expr, cst.CompFor, cst.ComparisonTarget)):
        return Change(use, new)
    return None
