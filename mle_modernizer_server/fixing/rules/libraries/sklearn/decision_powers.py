"""Up to scikit-learn 0.21 `decision_function(X, raw_values=False)` compared powers of distances.

https://scikit-learn.org/0.20/modules/generated/sklearn.covariance.EllipticEnvelope.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, receiver_text, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
)

_CLASS = "sklearn.covariance.EllipticEnvelope"


@codemod("sklearn-decision-raw-values", on=cst.Call, names=("decision_function",))
def written_out(context: Context, node: cst.Call) -> Answer:
    """Write the old result out: `threshold ** 0.33 - distance ** 0.33`."""
    given = argument(node, "raw_values", 1)
    data = argument(node, "X", 0)
    if given is None or data is None or not isinstance(node.func, cst.Attribute):
        return None
    match = method_matches(context, node.func, ("decision_function",), (_CLASS,))
    if match is not Match.YES:
        return undecided(context, node.func, match)
    if not same_literal(given.value, False):
        return Unsure("only what raw_values=False gave is known")
    model = receiver_text(node.func.value)
    text = f"((-{model}.offset_) ** 0.33 - {model}.mahalanobis({context.code(data.value)}) ** 0.33)"
    return one(node, expression(text).with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]))
