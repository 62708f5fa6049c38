"""`grid_scores_` of searches was removed in scikit-learn 0.20.

https://scikit-learn.org/stable/whats_new/v0.18.html#model-selection-enhancements-and-api-changes

It was a list of named tuples, each with the array of its folds' scores; a function makes the same
list from `cv_results_`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import expression
from mle_modernizer_server.fixing.rules.generic.definitions import set_apart, top_statement

_SEARCHES = ("GridSearchCV", "RandomizedSearchCV")
_TEXT = '''def grid_scores(search):
    """What grid_scores_ of a search was before scikit-learn 0.20."""

    class Score({namedtuple}("Score", "parameters mean_validation_score cv_validation_scores")):
        def __repr__(self):
            return "mean: %.5f, std: %.5f, params: %s" % (
                self.mean_validation_score, self.cv_validation_scores.std(), self.parameters
            )

    results = search.cv_results_
    folds = [results["split%d_test_score" % fold] for fold in range(search.n_splits_)]
    return [
        Score(*score)
        for score in zip(
            results["params"], results["mean_test_score"], {numpy}.transpose(folds)
        )
    ]
'''


@codemod("sklearn-grid-scores", on=cst.Attribute, names=("grid_scores_",))
def as_list(context: Context, node: cst.Attribute) -> Answer:
    """`search.grid_scores_` → `grid_scores(search)`, with the function where it is needed first."""
    inferred = context.type_of(node.value)
    if inferred is not None and inferred.name.rpartition(".")[2] not in _SEARCHES:
        return None
    if inferred is None and not context.evidence(node):
        return Unsure(f"what `{context.code(node.value)}` is cannot be told from the code")
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
    numpy, more = context.module(node, "numpy", "np")
    text = _TEXT.replace("{namedtuple}", namedtuple).replace("{numpy}", numpy)
    definition = cst.parse_statement(text)
    assert isinstance(definition, cst.FunctionDef)
    definition = set_apart(context, definition, statement)
    return Fix(
        (use, Change(statement, cst.FlattenSentinel([definition, statement]))), (*imports, *more)
    )
