"""Since matplotlib 3.3 `legend` refuses an unknown place; it fell back to 'best'.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.1.0.html#deprecations

`legend(labels, place)`: the place is a keyword argument since matplotlib 3.0.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.0.0.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, positional, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import named, with_arg

PLACES = frozenset(
    {
        *("best", "upper right", "upper left", "lower left", "lower right", "right"),
        *("center left", "center right", "lower center", "upper center", "center"),
    }
)


@codemod("matplotlib-legend-place", on=cst.Call, names=("legend",))
def best(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plt.legend(loc='out')` as `plt.legend(loc='best')`."""
    place = argument(node, "loc")
    text = string(place.value) if place is not None else None
    if place is None or text is None or text.lower() in PLACES:
        return None
    if not context.refers_to(node.func, "matplotlib.pyplot.legend") and not context.evidence(node):
        return None
    return one(place.value, like_quotes("'best'", place.value))


@codemod("matplotlib-legend-loc", on=cst.Call, names=("legend",))
def place(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plt.legend(['a'], 0)` as `plt.legend(['a'], loc=0)`.

    Two texts that are no place are handles and labels to matplotlib since 3.0, without an error.
    """
    given = positional(node)
    if not 2 <= len(given) <= 3 or argument(node, "loc") or any(arg.star for arg in given):
        return None
    last = given[-1]
    text = string(last.value)
    if not isinstance(last.value, cst.Integer) and (text is None or text.lower() not in PLACES):
        return None
    return one(node, with_arg(node, last, named(last, "loc")))
