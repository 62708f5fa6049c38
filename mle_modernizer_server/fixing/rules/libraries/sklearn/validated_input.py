"""`FunctionTransformer` turned its input into an array of numbers until scikit-learn 0.21.

https://scikit-learn.org/stable/whats_new/v0.22.html#sklearn-preprocessing

A function that uses attributes of tables or texts was written for a later version.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.cell_code import Defined
from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_FIX = CallFix(
    do="call",
    functions=("sklearn.preprocessing.FunctionTransformer",),
    parameters=("func", "inverse_func", "validate"),
    add={"validate": "True"},
)
_OF_TABLES = re.compile(
    r"\[\s*\[?\s*['\"]|\.(i?loc|i?at|values|columns|index|apply|applymap|map|str|dt|drop|fillna"
    r"|assign|to_\w+|select_dtypes|lower|split|get_dummies|DataFrame|Series)\b"
)


@codemod("sklearn-pin-function-transformer", on=cst.Call, names=("FunctionTransformer",))
def validated(context: Context, node: cst.Call) -> Answer:
    """Rewrite `FunctionTransformer(f)` as `FunctionTransformer(f, validate=True)`."""
    function = argument(node, "func", 0)
    if function is not None and any(map(_OF_TABLES.search, _codes(context, function.value))):
        return None
    return fix_call(context, node, _FIX)


def _codes(context: Context, function: cst.BaseExpression) -> list[str]:
    """Return the source texts of a function that are in the notebook."""
    found: list[cst.CSTNode] = [*context.all_written(function)]
    if isinstance(function, cst.Name):
        bound = context.bounds(function)
        found += [one.node for one in bound if isinstance(one, Defined)]
    return [context.code(node) for node in found]
