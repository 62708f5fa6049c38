"""Since pandas 3.0 (copy-on-write) `df['a'].fillna(0, inplace=True)` leaves `df` as it is.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment

There is only a warning. The column is assigned instead; `df[['a', 'b']].fillna(…, inplace=True)`
worked on a copy in every version and stays.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, same_literal, without
from mle_modernizer_server.fixing.rules.engine.columns import Column, column_of, lasts
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_METHODS = ("fillna", "replace", "clip", "where", "mask", "interpolate", "ffill", "bfill")


@codemod("pandas-chained-inplace", on=cst.Call, names=_METHODS)
def assign(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df['a'].fillna(0, inplace=True)` as `df['a'] = df['a'].fillna(0)`."""
    statement = context.parent(node)
    inplace = argument(node, "inplace")
    if (
        not isinstance(statement, cst.Expr)
        or not isinstance(node.func, cst.Attribute)
        or inplace is None
        or not same_literal(inplace.value, True)
    ):
        return None
    column = column_of(context, node.func.value)
    if column is None or isinstance(column, Unsure):
        return column
    if not lasts(column.frame):
        return Unsure(
            f"`{context.code(column.frame)}` is a copy; what it was cut from must be assigned"
        )
    receiver = column.expression(context)
    call = without(node, [inplace]).with_changes(func=node.func.with_changes(value=receiver))
    # `df.loc[:, 'a'] = …` would keep the column's type, which codes for texts do not have
    target = Column(column.frame, column.name).expression(context)
    new = cst.Assign([cst.AssignTarget(target)], call, semicolon=statement.semicolon)
    return one(statement, new)
