"""`OneHotEncoder(categorical_features=[1])` was removed in scikit-learn 0.22.

https://scikit-learn.org/stable/whats_new/v0.20.html#sklearn-preprocessing

A ColumnTransformer puts the encoded columns first and the others behind, as the encoder did;
`sparse_threshold=1` keeps the result sparse, so that a following `.toarray()` works.

`OneHotEncoder(n_values=[3, 2])` was removed in scikit-learn 0.22.

https://scikit-learn.org/stable/whats_new/v0.20.html#sklearn-preprocessing

The list has the number of values of each column, from 0 on. A single number applies to all
columns, whose number is not in the call.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    has_double_star,
    keyword_arg,
    same_literal,
    string,
    without,
)
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_ENCODER = "sklearn.preprocessing.OneHotEncoder"


@codemod("sklearn-one-hot-columns", on=cst.Call, functions=(_ENCODER,))
def column_transformer(context: Context, node: cst.Call) -> Answer:
    """Encode the same columns with a ColumnTransformer."""
    columns = argument(node, "categorical_features", 1)
    if columns is None:
        return None
    if has_double_star(node):
        return Unsure("more arguments come out of `**` something")
    values = argument(node, "n_values", 0)
    if values is not None and string(values.value) != "auto":
        return Unsure("the number of values of each column is given")
    gone = [arg for arg in (columns, values) if arg is not None]
    sparse = argument(node, "sparse") or argument(node, "sparse_output")
    dense = sparse is not None and same_literal(sparse.value, False)
    if string(columns.value) == "all":
        return one(node, without(node, gone))
    if sparse is not None:
        gone.append(sparse)
    encoder = context.code(without(node, gone))
    selected = context.code(columns.value)
    if isinstance(columns.value, cst.Integer):
        selected = f"[{selected}]"
    transformer, imports = context.imported(
        node, "sklearn.compose", "ColumnTransformer", "ColumnTransformer"
    )
    threshold = "0" if dense else "1"
    text = (
        f"{transformer}([('encoded', {encoder}, {selected})], "
        f"remainder='passthrough', sparse_threshold={threshold})"
    )
    return one(node, expression(text), imports)


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
