"""A column stays of type object after numbers have replaced all its texts.

https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.infer_objects.html

Old versions of pandas looked for a better type after each such assignment to a column of its own.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import literal
from mle_modernizer_server.fixing.rules.engine.columns import column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure
from mle_modernizer_server.fixing.rules.engine.lines import around, bare, behind
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import index, only_target, owner


@codemod("pandas-object-numbers", on=cst.SimpleStatementLine)
def inferred(context: Context, node: cst.SimpleStatementLine) -> Answer:
    """`df.loc[m, 'a'] = 1`, as the last of several → `df['a'] = df['a'].infer_objects()` behind."""
    if not context.run.errors or not any(context.rule.matches(one) for one in context.run.errors):
        return None
    column = _written(context, node)
    if column is None:
        return None
    text = f"{column} = {column}.infer_objects()"
    above, below = around(context, node)
    if not above or not _same(context, above[-1], column):
        return None
    if below and (_same(context, below[0], column) or bare(context, below[0]) == text):
        return None
    return behind(node, text)


def _same(context: Context, line: cst.CSTNode, column: str) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and _written(context, line) == column


def _written(context: Context, line: cst.SimpleStatementLine) -> str | None:
    """Return the code of a column if the line assigns one number to some of its rows."""
    assign = line.body[0]
    target = only_target(assign) if len(line.body) == 1 else None
    if not isinstance(assign, cst.Assign) or type(literal(assign.value)) not in (int, float):
        return None
    if not isinstance(target, cst.Subscript):
        return None
    table = owner(target.value, "loc")
    if table is not None and len(target.slice) == 2:
        label = index(target.slice[1].slice)
        if not isinstance(label, cst.SimpleString):
            return None
        return f"{context.code(table)}[{context.code(label)}]"
    found = column_of(context, target.value if table is None else table)
    if found is None or isinstance(found, Unsure):
        return None
    return context.code(found.expression(context)) if found.whole is None else None
