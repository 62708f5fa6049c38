"""`sklearn.metrics.SCORERS` was removed in scikit-learn 1.3.

https://scikit-learn.org/stable/whats_new/v1.0.html#sklearn-metrics
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import dotted_name, expression

_MODULES = ("sklearn.metrics", "sklearn.metrics.scorer")
_OLD = tuple(f"{module}.SCORERS" for module in _MODULES)


@codemod("sklearn-scorers-dict", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """`from sklearn.metrics import SCORERS` → `… import get_scorer_names`."""
    if dotted_name(node.module) not in _MODULES or isinstance(node.names, cst.ImportStar):
        return None
    changes = [
        Change(alias, alias.with_changes(name=cst.Name("get_scorer_names")))
        for alias in node.names
        if dotted_name(alias.name) == "SCORERS" and alias.asname is None
    ]
    names = tuple(use for alias in node.names for use in _uses(context, alias))
    return Fix((*changes, *names)) if changes else None


@codemod("sklearn-scorers-dict", on=cst.Call, names=("keys",))
def keys(context: Context, node: cst.Call) -> Answer:
    """`metrics.SCORERS.keys()` → `metrics.get_scorer_names()`."""
    if not isinstance(node.func, cst.Attribute) or not isinstance(node.func.value, cst.Attribute):
        return None
    scorers = node.func.value
    if not set(_OLD) & set(context.qualnames(scorers)):
        return None
    return one(node, expression(f"{context.code(scorers.value)}.get_scorer_names()"))


def _uses(context: Context, alias: cst.ImportAlias) -> list[Change]:
    """All that the notebook does with the dict: its keys, or a loop over them."""
    if dotted_name(alias.name) != "SCORERS" or alias.asname is not None:
        return []
    changes: list[Change] = []
    for cell in context.program.cells:
        for node, place in cell.places.items():
            if not isinstance(node, cst.Name) or node.value != "SCORERS":
                continue
            if not set(_OLD) & set(context.qualnames(node)) or node is alias.name:
                continue
            above = place.parent
            call = cell.places[above].parent if isinstance(above, cst.Attribute) else None
            new = expression("get_scorer_names()")
            if isinstance(call, cst.Call) and isinstance(above, cst.Attribute):
                if above.attr.value == "keys":
                    changes.append(Change(call, new))
            elif isinstance(above, (cst.Arg, cst.For, cst.Expr, cst.CompFor)):
                changes.append(Change(node, new))
    return changes
