"""`set_value` was removed in pandas 1.0; `.at` sets the same value, `.loc` the same values.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, receiver_text
from mle_modernizer_server.code.types.type import LABEL, SCALAR, TEXT
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.lines import small_statement
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_CONDITIONS = ("isnull", "isna", "notnull", "notna", "isin", "between", "contains", "duplicated")
_SEVERAL = ("pandas.Series", "pandas.Index", "numpy.ndarray", "builtins.list")


@codemod("pandas-set-value", on=cst.Call, names=("set_value",))
def assigned(context: Context, node: cst.Call) -> Answer:
    """Rewrite `df.set_value(3, 'a', v)` as `df.at[3, 'a'] = v`; several rows go through `.loc`."""
    if not isinstance(node.func, cst.Attribute) or context.qualnames(node.func):
        return None
    inferred = context.type_of(node.func.value)
    if inferred is not None and not inferred.name.startswith("pandas."):
        return None
    owner = receiver_text(node.func.value)
    statement = context.parent(node)
    if isinstance(statement, cst.Assign):
        targets = [context.code(target.target) for target in statement.targets]
        if targets not in ([owner], ["_"]):
            return Unsure("the changed table gets another name")
    elif not isinstance(statement, cst.Expr):
        return Unsure("its result is used in an expression")
    row = argument(node, "index", 0) or argument(node, "label", 0)
    column = argument(node, "col", 1)
    value = argument(node, "value", 2)
    if row is not None and column is not None and value is None and len(node.args) == 2:
        new = context.code(node.args[1].value)
        target = f"{owner}.{_locator(context, row.value)}[{context.code(row.value)}]"
    elif row is None or column is None or value is None or len(node.args) != 3:
        return Unsure("its arguments cannot be told apart")
    else:
        rows, columns = context.code(row.value), context.code(column.value)
        target = f"{owner}.{_locator(context, row.value)}[{rows}, {columns}]"
        new = context.code(value.value)
    line = small_statement(f"{target} = {new}")
    return one(statement, line.with_changes(semicolon=statement.semicolon))


def _locator(context: Context, row: cst.BaseExpression) -> str:
    """Return `loc` for a condition or several labels, which `at` refuses; `at` for one label."""
    inferred = context.guess(row)
    if inferred in (SCALAR, TEXT, LABEL):
        return "at"
    called = row.func if isinstance(row, cst.Call) else None
    asks = isinstance(called, cst.Attribute) and called.attr.value in _CONDITIONS
    several = inferred is not None and inferred.name in _SEVERAL
    conditions = (cst.Comparison, cst.BooleanOperation, cst.BinaryOperation, cst.List)
    return "loc" if asks or several or isinstance(row, conditions) else "at"
