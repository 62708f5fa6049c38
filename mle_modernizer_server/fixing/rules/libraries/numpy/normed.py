"""`np.histogram(…, normed=True)` was removed in NumPy 1.24; it was wrong for bins of unequal width.

https://numpy.org/doc/1.23/reference/generated/numpy.histogram.html
"""

from __future__ import annotations

from itertools import pairwise

import libcst as cst

from mle_modernizer_server.code.tree import argument, literal, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_EQUAL = {"numpy.linspace", "numpy.arange", "builtins.range", "builtins.int", "builtins.len"}
"""Functions that return a number of bins, or equally spaced edges."""


@codemod("numpy-histogram-normed", on=cst.Call, names=("histogram",))
def density(context: Context, node: cst.Call) -> Answer:
    """Rewrite `np.histogram(x, 20, normed=True)` as `np.histogram(x, 20, density=True)`."""
    normed = argument(node, "normed")
    if normed is None or not context.refers_to(node.func, "numpy.histogram"):
        return None
    bins = argument(node, "bins", 1)
    counts = same_literal(normed.value, False) or same_literal(normed.value, None)
    if bins is not None and not counts and not _are_equal(context, bins.value):
        return Unsure("the bins may have unequal widths, for which normed gave no density")
    return one(normed, normed.with_changes(keyword=cst.Name("density")))


def _are_equal(context: Context, bins: cst.BaseExpression) -> bool:
    """Return whether the bins certainly have equal widths: a number of bins, or equal steps."""
    made = context.all_written(bins)
    return bool(made) and all(_is_equal(context, one) for one in made)


def _is_equal(context: Context, made: cst.BaseExpression) -> bool:
    given = literal(made)
    if type(given) in (int, str):
        return True
    if isinstance(given, (list, tuple)) and all(isinstance(one, (int, float)) for one in given):
        return len({round(b - a, 9) for a, b in pairwise(given)}) == 1
    return isinstance(made, cst.Call) and context.refers_to(made.func, *_EQUAL)
