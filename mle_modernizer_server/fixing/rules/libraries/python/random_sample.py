"""`random.sample` of a set and `random.shuffle(x, random)` were removed in Python 3.11.

https://docs.python.org/3/whatsnew/3.11.html#removed
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("python-random-sample-set", on=cst.Call, functions=("random.sample",))
def of_tuple(context: Context, node: cst.Call) -> Answer:
    """Rewrite `random.sample(a_set, k)` as `random.sample(tuple(a_set), k)`."""
    population = argument(node, "population", 0)
    if population is None:
        return None
    value = population.value
    if not (_is_set(context, value) or (context.type_of(value) is None and context.evidence(node))):
        return None
    if isinstance(value, cst.Call) and context.refers_to(value.func, "builtins.tuple"):
        return None
    return one(value, expression(f"tuple({context.code(value)})"))


def _is_set(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, (cst.Set, cst.SetComp)):
        return True
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        inferred = context.type_of(node.func.value)
        views = ("keys", "values", "items")
        return (
            inferred is not None
            and inferred.name == "builtins.dict"
            and node.func.attr.value in views
        )
    return context.type_name(node) == "builtins.set"


@codemod("python-random-shuffle", on=cst.Call, functions=("random.shuffle",))
def without_random(context: Context, node: cst.Call) -> Answer:
    """Rewrite `random.shuffle(x, random.random)` as `random.shuffle(x)`."""
    source = argument(node, "random", 1)
    if source is None:
        return None
    if not context.refers_to(source.value, "random.random"):
        return Unsure("the numbers come from a function of the notebook")
    return one(node, without(node, [source]))
