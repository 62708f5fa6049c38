"""Vectorizers check their first argument, `input`, since scikit-learn 1.2: content, file, filename.

https://scikit-learn.org/stable/whats_new/v1.2.html

Any other value meant `content`, such as the texts themselves, which are an argument of `fit`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import positional, string, without
from mle_modernizer_server.code.types.type import TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_VECTORIZERS = ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer")


@codemod("sklearn-positional-text", on=cst.Call, names=_VECTORIZERS)
def left_out(context: Context, node: cst.Call) -> Answer:
    """Rewrite `TfidfVectorizer(texts, min_df=2)` as `TfidfVectorizer(min_df=2)`."""
    addresses = {f"sklearn.feature_extraction.text.{name}" for name in _VECTORIZERS}
    given = positional(node)
    if not context.refers_to(node.func, *addresses) or len(given) != 1 or given[0].star:
        return None
    if string(given[0].value) is not None or context.type_of(given[0].value) == TEXT:
        return None
    return one(node, without(node, given))
