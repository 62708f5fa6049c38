"""`Imputer(axis=1)` filled in the mean of the row; SimpleImputer works on columns only.

https://scikit-learn.org/stable/whats_new/v0.20.html#sklearn-impute
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    args_text,
    argument,
    expression,
    keyword_arg,
    same_literal,
    string,
)
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_PARAMETERS = ("missing_values", "strategy", "axis", "verbose", "copy")
_NAMES = (
    "sklearn.preprocessing.Imputer",
    "sklearn.preprocessing.imputation.Imputer",
    "sklearn.impute.SimpleImputer",
)


@codemod("sklearn-imputer-rows", on=cst.Call, functions=_NAMES)
def transposed(context: Context, node: cst.Call) -> Answer:
    """Impute the transposed data and transpose the result back."""
    axis = argument(node, "axis", 2)
    if axis is None or not same_literal(axis.value, 1):
        return None
    kept = []
    for index, arg in enumerate(node.args):
        name = arg.keyword.value if arg.keyword else _PARAMETERS[index]
        plain = name == "missing_values" and string(arg.value) == "NaN"
        if name not in ("axis", "verbose") and not plain:
            kept.append(keyword_arg(name, arg.value))
    imputer, first = context.imported(node, "sklearn.impute", "SimpleImputer", "SimpleImputer")
    function, second = context.imported(
        node, "sklearn.preprocessing", "FunctionTransformer", "FunctionTransformer"
    )
    np, third = context.module(node, "numpy", "np")
    filled = f"{imputer}({args_text(kept)}).fit_transform({np}.transpose(X)).T"
    return one(
        node,
        expression(f"{function}(lambda X: {filled}, validate=False)"),
        (*first, *second, *third),
    )
