"""`res['max']` and `res['all']` of BayesianOptimization became `max` and a list in 1.0.

https://github.com/bayesian-optimization/BayesianOptimization/releases/tag/1.0.0
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key

_NEW = {
    ("max", "max_params"): "{0}.max['params']",
    ("max", "max_val"): "{0}.max['target']",
    ("all", "params"): "[point['params'] for point in {0}.res]",
    ("all", "values"): "[point['target'] for point in {0}.res]",
}


@codemod("bayes-opt-results", on=cst.Subscript)
def result(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `bo.res['max']['max_params']` as `bo.max['params']`."""
    inner = node.value
    if not isinstance(inner, cst.Subscript):
        return None
    base = inner.value
    new = _NEW.get((string(key(inner)) or "", string(key(node)) or ""))
    if new is None or not isinstance(base, cst.Attribute) or base.attr.value != "res":
        return None
    inferred = context.type_of(base.value)
    if inferred is not None and inferred.name != "bayes_opt.BayesianOptimization":
        return None
    if inferred is None and not context.evidence(node):
        return Unsure(f"what `{context.code(base.value)}` is cannot be told from the code")
    return one(node, expression(new.format(context.code(base.value))))
