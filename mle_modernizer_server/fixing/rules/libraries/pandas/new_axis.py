"""A Series or Index takes no `[:, None]` since pandas 2.0; its array does.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import expression, receiver_text
from mle_modernizer_server.code.types.type import INDEX, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-multidimensional-series", on=cst.Subscript)
def on_array(context: Context, node: cst.Subscript) -> Answer:
    """Rewrite `s[:, np.newaxis]` as `s.to_numpy()[:, np.newaxis]`."""
    if len(node.slice) != 2 or not any(_is_new_axis(context, part.slice) for part in node.slice):
        return None
    inferred = context.type_of(node.value)
    if inferred not in (SERIES, INDEX) and not (inferred is None and context.evidence(node)):
        return None
    array = expression(f"{receiver_text(node.value)}.to_numpy()")
    return one(node.value, array)


def _is_new_axis(context: Context, index: cst.BaseSlice) -> bool:
    if not isinstance(index, cst.Index):
        return False
    if isinstance(index.value, cst.Name) and index.value.value == "None":
        return True
    return context.qualnames(index.value) == ("numpy.newaxis",)
