"""A column stays of type object after numbers have replaced all its texts.

https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.infer_objects.html

Old versions of pandas looked for a better type after each such assignment to a column of its own.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import literal
from mle_modernizer_server.fixing.rules.engine.columns import column_of
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("pandas-object-numbers", on=cst.SimpleStatementLine)
def inferred(context: Context, node: cst.SimpleStatementLine) -> Answer:
    """`df.loc[m, 'a'] = 1`, as the last of several → `df['a'] = df['a'].infer_objects()` behind."""
    if not context.run.errors or not any(context.rule.matches(one) for one in context.run.errors):
        return None
    column = _written(context, node)
    if column is None:
        return None
    text = f"{column} = {column}.infer_objects()"
    block = context.parent(node)
    body = list(getattr(block, "body", ()))
    if node not in body:
        return None
    at = body.index(node)
    if at == 0 or not _same(context, body[at - 1], column):
        return None
    after = body[at + 1] if at + 1 < len(body) else None
    if isinstance(after, cst.SimpleStatementLine) and (
        _same(context, after, column)
        or context.code(after.with_changes(leading_lines=[])).strip() == text
    ):
        return None
    return Fix((Change(node, cst.FlattenSentinel([node, cst.parse_statement(text)])),))


def _same(context: Context, line: cst.CSTNode, column: str) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and _written(context, line) == column


def _written(context: Context, line: cst.SimpleStatementLine) -> str | None:
    """Return the code of a column if the line assigns one number to some of its rows."""
    assign = line.body[0]
    if len(line.body) != 1 or not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    target = assign.targets[0].target
    if type(literal(assign.value)) not in (int, float) or not isinstance(target, cst.Subscript):
        return None
    base = target.value
    if isinstance(base, cst.Attribute) and base.attr.value == "loc" and len(target.slice) == 2:
        label = target.slice[1].slice
        if not isinstance(label, cst.Index) or not isinstance(label.value, cst.SimpleString):
            return None
        return f"{context.code(base.value)}[{context.code(label)}]"
    if isinstance(base, cst.Attribute) and base.attr.value == "loc":
        base = base.value
    found = column_of(context, base)
    if found is None or isinstance(found, Unsure):
        return None
    return context.code(found.expression(context)) if found.whole is None else None
