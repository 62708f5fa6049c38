"""The methods of a model's vectors are no longer the model's own since gensim 4.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.libraries.gensim.subscript import is_model

_METHODS = (
    "most_similar",
    "similarity",
    "doesnt_match",
    "wmdistance",
    "n_similarity",
    "similar_by_word",
    "similar_by_vector",
    "most_similar_cosmul",
    "save_word2vec_format",
)


@codemod("gensim-model-methods", on=cst.Attribute, names=_METHODS)
def of_vectors(context: Context, node: cst.Attribute) -> Answer:
    """Rewrite `model.most_similar('a')` as `model.wv.most_similar('a')`."""
    if not is_model(context, node.value):
        if context.type_of(node.value) is not None or context.qualnames(node):
            return None
        if not context.evidence(node):
            return Unsure("what it belongs to cannot be told from the code")
    return one(node, node.with_changes(value=cst.Attribute(node.value, cst.Name("wv"))))
