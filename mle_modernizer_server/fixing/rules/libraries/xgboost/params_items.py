"""`params.items()` is no list in Python 3, and xgboost.train takes no view.

https://xgboost.readthedocs.io/en/stable/python/python_api.html#xgboost.train
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, method_name
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod(
    "xgboost-params-items",
    on=cst.Call,
    functions=(
        "xgboost.train",
        "xgboost.cv",
    ),
)
def as_list(context: Context, node: cst.Call) -> Answer:
    """Rewrite `plst = params.items()` as `plst = list(params.items())`."""
    given = argument(node, "params", 0)
    value = None if given is None else given.value
    if isinstance(value, cst.Name):
        value = context.last_written(value)
    if not isinstance(value, cst.Call) or method_name(value) != "items" or value.args:
        return None
    code = context.code(value)
    return one(value, expression(f"list({code})"))
