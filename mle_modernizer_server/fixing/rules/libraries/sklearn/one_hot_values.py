"""`OneHotEncoder(n_values=[3, 2])` was removed in scikit-learn 0.22.

https://scikit-learn.org/stable/whats_new/v0.20.html#sklearn-preprocessing

The list has the number of values of each column, from 0 on. A single number applies to all
columns, whose number is not in the call.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, keyword_arg, same_literal, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_ENCODER = "sklearn.preprocessing.OneHotEncoder"


@codemod("sklearn-one-hot-n-values", on=cst.Call, names=("OneHotEncoder",))
def as_categories(context: Context, node: cst.Call) -> Answer:
    """Rewrite `n_values=[3, 2]` as `categories=[range(3), range(2)]`."""
    values = argument(node, "n_values")
    if values is None or not context.refers_to(node.func, _ENCODER):
        return None
    if string(values.value) == "auto" or same_literal(values.value, None):
        return None
    written = values.value
    if not isinstance(written, (cst.List, cst.Tuple)) or any(
        isinstance(element, cst.StarredElement) for element in written.elements
    ):
        return Unsure("a range of the values is needed for each column")
    ranges = ", ".join(f"range({context.code(element.value)})" for element in written.elements)
    new = keyword_arg("categories", expression(f"[{ranges}]")).with_changes(comma=values.comma)
    return Fix((Change(values, new),))
