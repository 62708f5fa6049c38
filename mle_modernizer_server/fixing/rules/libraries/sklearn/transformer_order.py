"""`make_column_transformer((columns, transformer))`: the pair is the other way round since 0.22.

https://scikit-learn.org/stable/whats_new/v0.20.html#sklearn-compose
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod(
    "sklearn-column-transformer-order",
    on=cst.Call,
    functions=("sklearn.compose.make_column_transformer",),
)
def turned(context: Context, node: cst.Call) -> Answer:
    """Rewrite `(['a'], StandardScaler())` as `(StandardScaler(), ['a'])`."""
    changes: list[Change] = []
    for arg in node.args:
        pair = arg.value
        if arg.keyword or not isinstance(pair, cst.Tuple) or len(pair.elements) != 2:
            continue
        columns, transformer = (element.value for element in pair.elements)
        if _is_columns(columns) and _is_transformer(context, transformer):
            first, second = pair.elements
            turned_pair = pair.with_changes(
                elements=[
                    first.with_changes(value=transformer),
                    second.with_changes(value=columns),
                ]
            )
            changes.append(Change(pair, turned_pair))
    return Fix(tuple(changes)) if changes else None


def _is_columns(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.List, cst.SimpleString)) and string(node) not in (
        "drop",
        "passthrough",
    )


def _is_transformer(context: Context, node: cst.BaseExpression) -> bool:
    if string(node) in ("drop", "passthrough"):
        return True
    return context.type_name(node).startswith("sklearn.")
