"""`jaccard_similarity_score` was removed in scikit-learn 0.23; for one label a row it was accuracy.

https://scikit-learn.org/stable/whats_new/v0.21.html#sklearn-metrics
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.moves import fix_import, fix_reference
from mle_modernizer_server.fixing.rules.rule import Move

_NAME = "jaccard_similarity_score"
_FIX = Move(do="move", names={f"sklearn.metrics.{_NAME}": "sklearn.metrics.accuracy_score"})
_SEVERAL = re.compile(r"(?i)multi_?label|ClassifierChain|MultiOutput|BinaryRelevance|LabelPowerset")


@codemod("sklearn-jaccard", on=cst.ImportFrom)
def imported(context: Context, node: cst.ImportFrom) -> Answer:
    """Import the accuracy instead."""
    answer = fix_import(context, node, _FIX)
    return answer if answer is None else _unless_several(context, answer)


@codemod("sklearn-jaccard", on=cst.Attribute, names=(_NAME,))
def referred(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `metrics.jaccard_similarity_score(a, b)` as `metrics.accuracy_score(a, b)`."""
    answer = fix_reference(context, node, _FIX)
    return answer if answer is None else _unless_several(context, answer)


def _unless_several(context: Context, answer: Answer) -> Answer:
    """Return the answer, or a doubt if rows may have several labels, whose overlap it counted."""
    if any(_SEVERAL.search(cell.source) for cell in context.program.cells):
        return Unsure("rows may have several labels: jaccard_score(average='samples') counts them")
    return answer
