"""`grid_scores_` of searches was removed in scikit-learn 0.20.

https://scikit-learn.org/stable/whats_new/v0.18.html#model-selection-enhancements-and-api-changes

It was a list of named tuples; a function makes the same list from `cv_results_`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import define, top_statement
from mle_modernizer_server.fixing.rules.tables import table

_SEARCHES = ("GridSearchCV", "RandomizedSearchCV")
_TEXT = table("sklearn", "grid-scores", str)


@codemod("sklearn-grid-scores", on=cst.Attribute, names=("grid_scores_",))
def as_list(context: Context, node: cst.Attribute) -> Answer:
    """`search.grid_scores_` → `grid_scores(search)`, with the function before its first use."""
    inferred = context.type_of(node.value)
    if inferred is not None and inferred.name.rpartition(".")[2] not in _SEARCHES:
        return None
    if inferred is None and not context.evidence(node):
        if not _only_searches(context):
            return Unsure(f"what `{context.code(node.value)}` is cannot be told from the code")
        context.assume(f"`{context.code(node.value)}` is a search")
    if isinstance(context.parent(node), (cst.AssignTarget, cst.Del)):
        return None
    use = Change(node, expression(f"grid_scores({context.code(node.value)})"))
    if any("def grid_scores(" in cell.source for cell in context.program.cells):
        return Fix((use,))
    statement = top_statement(context, node)
    if statement is None or context.promised.get(("", "grid_scores")):
        return None
    context.promised["", "grid_scores"] = "grid_scores"
    namedtuple, imports = context.imported(node, "collections", "namedtuple", "namedtuple")
    np, numpy = context.module(node, "numpy", "np")
    text = _TEXT.replace("{namedtuple}", namedtuple).replace("{np}", np)
    return Fix((use, define(context, text, statement)), (*imports, *numpy))


def _only_searches(context: Context) -> bool:
    """Return whether the notebook makes searches, and no RFECV, which also had such scores."""
    source = "\n".join(cell.source for cell in context.program.cells)
    return any(name in source for name in _SEARCHES) and "RFECV" not in source
