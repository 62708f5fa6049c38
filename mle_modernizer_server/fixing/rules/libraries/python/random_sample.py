"""`random.sample` of a set and `random.shuffle(x, random)` are gone since Python 3.11.

https://docs.python.org/3/whatsnew/3.11.html#removed
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, expression, without
from mle_modernizer_server.fixing.rules.generic.target import function_matches


@codemod("python-random-sample-set", on=cst.Call, names=("sample",))
def of_tuple(scene: Scene, node: cst.Call) -> Answer:
    """`random.sample(a_set, k)` → `random.sample(tuple(a_set), k)`."""
    if not function_matches(scene, node.func, ("random.sample",)):
        return None
    population = argument(node, "population", 0)
    if population is None:
        return None
    value = population.value
    if not (_is_set(scene, value) or (scene.kind(value) is None and scene.evidence(node))):
        return None
    if isinstance(value, cst.Call) and function_matches(scene, value.func, ("builtins.tuple",)):
        return None
    return one(value, expression(f"tuple({scene.code(value)})"))


def _is_set(scene: Scene, node: cst.BaseExpression) -> bool:
    if isinstance(node, (cst.Set, cst.SetComp)):
        return True
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        kind = scene.kind(node.func.value)
        views = ("keys", "values", "items")
        return kind is not None and kind.name == "builtins.dict" and node.func.attr.value in views
    kind = scene.kind(node)
    return kind is not None and kind.name == "builtins.set"


@codemod("python-random-shuffle", on=cst.Call, names=("shuffle",))
def without_random(scene: Scene, node: cst.Call) -> Answer:
    """`random.shuffle(x, random.random)` → `random.shuffle(x)`."""
    if not function_matches(scene, node.func, ("random.shuffle",)):
        return None
    source = argument(node, "random", 1)
    if source is None:
        return None
    if not function_matches(scene, source.value, ("random.random",)):
        return Unsure("the numbers come from a function of the notebook")
    return one(node, without(node, [source]))
