"""Sorting takes no comparison function since Python 3.0.

https://docs.python.org/3/howto/sorting.html#comparison-functions
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named, with_arg


@codemod("python2-sort-cmp", on=cst.Call, names=("sorted", "sort"))
def key_of_comparison(context: Context, node: cst.Call) -> Answer:
    """Rewrite `sorted(x, cmp=f)` as `sorted(x, key=functools.cmp_to_key(f))`."""
    if isinstance(node.func, cst.Attribute):
        if node.func.attr.value != "sort" or context.qualnames(node.func):
            return None
        position = 0 if context.evidence(node) or context.program.python2 else None
        if context.type_of(node.func.value) not in (None, *_lists(context, node.func.value)):
            return None
    elif context.refers_to(node.func, "builtins.sorted"):
        position = 1
    else:
        return None
    given = argument(node, "cmp", position)
    if given is None or given.star or argument(node, "key"):
        return None
    if not given.keyword and not isinstance(given.value, (cst.Lambda, cst.Name)):
        return None
    if any(not arg.keyword for arg in node.args[node.args.index(given) + 1 :]):
        return None
    local, imports = context.module(node, "functools", "functools")
    key = cst.Call(cst.Attribute(cst.Name(local), cst.Name("cmp_to_key")), [cst.Arg(given.value)])
    return one(node, with_arg(node, given, named(given, "key", key)), imports)


def _lists(context: Context, node: cst.BaseExpression) -> list[object]:
    inferred = context.type_of(node)
    return [inferred] if inferred is not None and inferred.name == "builtins.list" else []
