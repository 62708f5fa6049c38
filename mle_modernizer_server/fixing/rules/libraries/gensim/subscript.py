"""Models cannot be subscripted with words since gensim 4, but their vectors can.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4

The methods of a model's vectors are no longer the model's own since gensim 4.

https://github.com/piskvorky/gensim/wiki/Migrating-from-Gensim-3.x-to-4
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

MODELS = frozenset(
    f"gensim.models.{name}"
    for name in (
        "Word2Vec",
        "word2vec.Word2Vec",
        "FastText",
        "fasttext.FastText",
        "Doc2Vec",
        "doc2vec.Doc2Vec",
    )
)


@codemod("gensim-subscript", on=cst.Subscript)
def word(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `model['a']` as `model.wv['a']`."""
    if not is_model(context, node.value):
        return None
    return one(node, node.with_changes(value=cst.Attribute(node.value, cst.Name("wv"))))


@codemod("gensim-subscript", on=cst.ComparisonTarget)
def contained(context: Context, node: cst.ComparisonTarget) -> Answer:
    """Rewrite `'a' in model` as `'a' in model.wv`."""
    if not isinstance(node.operator, (cst.In, cst.NotIn)) or not is_model(context, node.comparator):
        return None
    return one(node.comparator, cst.Attribute(node.comparator, cst.Name("wv")))


def is_model(context: Context, node: cst.BaseExpression) -> bool:
    """Return whether an expression is known to be a model with word vectors."""
    return context.type_name(node) in MODELS


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
