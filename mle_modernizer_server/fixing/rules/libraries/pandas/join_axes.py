"""`concat` lost `join_axes` in pandas 1.0: `reindex` picks the same labels afterwards.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, without
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Context,
    Unsure,
    one,
    rewritten,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-concat-join-axes", on=cst.Call, names=("concat",))
def reindexed(context: Context, node: cst.Call) -> Answer:
    """`pd.concat([a, b], join_axes=[a.columns])` → `pd.concat([a, b]).reindex(columns=a.columns)`.

    With `axis=1` each part is cut first: `[part.reindex(a.index) for part in [a, b]]`.
    """
    labels = argument(node, "join_axes")
    if labels is None or not context.refers_to(node.func, "pandas.concat"):
        return None
    if not isinstance(labels.value, cst.List) or len(labels.value.elements) != 1:
        return Unsure("the labels to keep are not written out")
    axis = argument(node, "axis", 1)
    side = 0 if axis is None else literal(axis.value)
    if side not in (0, 1, "index", "columns"):
        return Unsure("what is put together, rows or columns, cannot be told")
    remaining = without(node, [labels]).with_changes(lpar=[], rpar=[])
    wanted = context.code(labels.value.elements[0].value)
    where = f"columns={wanted}" if side in (0, "index") else wanted
    parts = argument(remaining, "objs", 0)
    if side in (1, "columns") and parts is not None and isinstance(parts.value, cst.List):
        # Before `concat`: rows that are dropped anyway would turn integers into floats.
        every = expression(f"[part.reindex({where}) for part in {context.code(parts.value)}]")
        return one(
            node,
            remaining.with_deep_changes(parts, value=every).with_changes(
                lpar=node.lpar, rpar=node.rpar
            ),
        )
    call = context.code(remaining)
    return rewritten(node, f"{call}.reindex({where})")
