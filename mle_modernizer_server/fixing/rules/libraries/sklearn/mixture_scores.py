"""`score` of GMM returned a value for each row, `score_samples` a pair; GaussianMixture does not.

https://scikit-learn.org/stable/modules/generated/sklearn.mixture.GaussianMixture.html

`score` returns the mean now, and `score_samples` the first of the pair, which was the logarithms
and the responsibilities.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import receiver_text, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_OLD = ("sklearn.mixture.GMM", "sklearn.mixture.gmm.GMM")


@codemod("sklearn-gmm", on=cst.Call, names=("score", "score_samples", "eval"))
def by_rows(context: Context, node: cst.Call) -> Answer:
    """`gmm.score(X)` → `gmm.score_samples(X)`, of which `score_samples(X)[0]` was another name."""
    if not isinstance(node.func, cst.Attribute) or not node.args:
        return None
    model = context.type_of(node.func.value)
    if model is None or model.name not in _OLD:
        return None
    samples = cst.Name("score_samples")
    if node.func.attr.value == "score":
        return one(node.func.attr, samples)
    owner, rows = receiver_text(node.func.value), context.code(node.args[0].value)
    values = f"{owner}.score_samples({rows})"
    parent = context.parent(node)
    if isinstance(parent, cst.Subscript) and parent.value is node:
        taken = key(parent)
        if taken is not None and same_literal(taken, 0):
            return one(parent, cst.parse_expression(values))
    pair = f"({values}, {owner}.predict_proba({rows}))"
    return one(node, cst.parse_expression(pair))
