"""Since matplotlib 3.3 `legend` refuses an unknown place; it fell back to 'best'.

https://matplotlib.org/stable/api/prev_api_changes/api_changes_3.1.0.html#deprecations
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

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
