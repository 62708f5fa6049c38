"""`acorr_ljungbox` returns a DataFrame since statsmodels 0.13, not two arrays.

https://www.statsmodels.org/stable/release/version0.13.html
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, same_literal
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import key


@codemod("statsmodels-ljung-box", on=cst.Call, names=("acorr_ljungbox",))
def as_arrays(context: Context, node: cst.Call) -> Answer:
    """Pass the two columns as arrays if the result is unpacked."""
    if not any(
        name.startswith("statsmodels.") and name.endswith(".acorr_ljungbox")
        for name in context.qualnames(node.func)
    ):
        return None
    if not _is_taken_apart(context, node):
        return None
    boxpierce, frame = argument(node, "boxpierce"), argument(node, "return_df")
    if boxpierce is not None or (frame is not None and same_literal(frame.value, True)):
        return None
    if argument(node, "lags", 1) is None:
        return Unsure("the default number of lags changed as well")
    return one(node, expression(f"{context.code(node)}.T.values"))


def _is_taken_apart(context: Context, node: cst.Call) -> bool:
    above = context.parent(node)
    if isinstance(above, cst.Assign):
        return any(
            isinstance(target.target, cst.Tuple) and len(target.target.elements) == 2
            for target in above.targets
        )
    return type(literal(key(above))) is int
