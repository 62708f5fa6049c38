"""Since scikit-learn 1.2 `ngram_range` must be a tuple, not a list.

https://scikit-learn.org/stable/whats_new/v1.2.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod(
    "sklearn-ngram-range-list",
    on=cst.Call,
    names=("CountVectorizer", "TfidfVectorizer", "HashingVectorizer"),
)
def as_tuple(context: Context, node: cst.Call) -> Answer:
    """Rewrite `ngram_range=[1, 2]` as `ngram_range=(1, 2)`."""
    if not context.comes_from(node.func, "sklearn.feature_extraction.text"):
        return None
    given = argument(node, "ngram_range")
    if given is None or not isinstance(given.value, cst.List):
        return None
    inner = ", ".join(context.code(element.value) for element in given.value.elements)
    return one(node, node.with_deep_changes(given, value=expression(f"({inner})")))
