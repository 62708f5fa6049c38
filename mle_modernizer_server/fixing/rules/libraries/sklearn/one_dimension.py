"""Since scikit-learn 0.19 scalers need a table: `scaler.fit_transform(df['a'])` is refused.

https://scikit-learn.org/stable/whats_new/v0.17.html

Until then one column was one feature, and the result was one column.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, receiver_text, same_literal
from mle_modernizer_server.code.types.type import ARRAY, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_SCALERS = {
    f"sklearn.preprocessing.{name}"
    for name in ("StandardScaler", "MinMaxScaler", "RobustScaler", "MaxAbsScaler")
}


@codemod(
    "sklearn-one-dimension-scaler",
    on=cst.Call,
    names=("fit", "transform", "fit_transform", "inverse_transform"),
)
def as_table(context: Context, node: cst.Call) -> Answer:
    """Pass one column as a table, and flatten the result."""
    if not isinstance(node.func, cst.Attribute):
        return None
    if context.type_name(node.func.value) not in _SCALERS:
        return None
    given = argument(node, "X", 0)
    if given is None:
        return None
    column = context.type_of(given.value)
    if column == SERIES:
        text = f"{receiver_text(given.value)}.values.reshape(-1, 1)"
    elif column == ARRAY and _is_values_of_column(context, given.value):
        text = f"{receiver_text(given.value)}.reshape(-1, 1)"
    elif column is None and context.evidence(node):
        return Unsure(f"what `{context.code(given.value)}` is cannot be told from the code")
    else:
        return None
    new = node.with_deep_changes(given, value=expression(text))
    if node.func.attr.value == "fit" or _is_reshaped(context, node):
        return Fix((Change(node, new),))
    code = cst.Module([]).code_for_node(new)
    return Fix((Change(node, expression(f"{code}.ravel()")),))


def _is_values_of_column(context: Context, value: cst.BaseExpression) -> bool:
    return (
        isinstance(value, cst.Attribute)
        and value.attr.value == "values"
        and context.type_of(value.value) == SERIES
    )


def _is_reshaped(context: Context, node: cst.Call) -> bool:
    """Return whether the result is reshaped, so that its shape does not matter.

    `scaler.transform(df['a']).reshape(-1, 1)`.
    """
    above = context.parent(node)
    if not isinstance(above, cst.Attribute):
        return False
    if above.attr.value in ("ravel", "flatten"):
        return True
    call = context.parent(above)
    return (
        above.attr.value == "reshape"
        and isinstance(call, cst.Call)
        and bool(call.args)
        and same_literal(call.args[0].value, -1)
    )
