"""`errors='ignore'` was removed in pandas 3.0: a failing conversion raises or returns NaN.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

With `ignore` the values came back unchanged. That needs an explicit `try`.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    literal,
    positional,
    string,
    without,
)
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_arg

_FUNCTIONS = ("pandas.to_numeric", "pandas.to_datetime", "pandas.to_timedelta")


@codemod("pandas-errors-ignore", on=cst.Call, functions=_FUNCTIONS)
def tried(context: Context, node: cst.Call) -> Answer:
    """Rewrite `x = pd.to_numeric(y, errors='ignore')` as a `try`, with `x = y` if it fails."""
    errors = argument(node, "errors", 1)
    if errors is None or string(errors.value) != "ignore":
        return None
    values = argument(node, "arg", 0)
    if values is not None and _is_column(context, node, values.value):
        return one(node, expression(_kept(context, node, errors, context.code(values.value))))
    assign = context.parent(node)
    line = context.parent(assign)
    if (
        values is None
        or not isinstance(assign, cst.Assign)
        or not isinstance(line, cst.SimpleStatementLine)
        or len(line.body) != 1
        or len(assign.targets) != 1
    ):
        return Unsure("its result is not simply assigned")
    call = without(node, [errors])
    target = assign.targets[0].target
    attempt = cst.SimpleStatementLine([assign.with_changes(value=call)])
    same = context.code(target) == context.code(values.value)
    fallback = "pass" if same else f"{context.code(target)} = {context.code(values.value)}"
    body = cst.IndentedBlock([cst.parse_statement(fallback)])
    handler = cst.ExceptHandler(
        type=cst.parse_expression("(ValueError, TypeError)"),
        body=body,
        whitespace_after_except=cst.SimpleWhitespace(" "),
    )
    new = cst.Try(
        body=cst.IndentedBlock(
            [attempt.with_changes(trailing_whitespace=line.trailing_whitespace)]
        ),
        handlers=[handler],
        leading_lines=line.leading_lines,
    )
    return one(line, new)


@codemod("pandas-errors-ignore", on=cst.Call, names=("apply",))
def applied(context: Context, node: cst.Call) -> Answer:
    """`df.apply(pd.to_numeric, errors='ignore')`: convert each column separately."""
    errors, function = argument(node, "errors"), argument(node, "func", 0)
    if errors is None or function is None or string(errors.value) != "ignore":
        return None
    if not isinstance(node.func, cst.Attribute) or context.type_of(node.func.value) != FRAME:
        return None
    names = {"pandas.to_numeric", "pandas.to_datetime"} & set(context.qualnames(function.value))
    if not names or len(positional(node)) > 1 or argument(node, "axis") is not None:
        return None
    words = context.code(
        without(node, [errors, function]).with_changes(func=cst.Name("f"), lpar=[])
    )
    rest = words.partition("(")[2].rpartition(")")[0]
    call = f"{context.code(function.value)}(column{', ' + rest if rest else ''}, errors='coerce')"
    text = f"lambda column: as_read if {_ALL_READ.format(call=call, old='column')} else column"
    args = [function.with_changes(value=expression(text), comma=cst.MaybeSentinel.DEFAULT)]
    return one(node, node.with_changes(args=args))


_ALL_READ = "(as_read := {call}).isna().equals({old}.isna())"


def _kept(context: Context, node: cst.Call, errors: cst.Arg, old: str) -> str:
    """Return code for the old result: the values read, or the old ones if one cannot be read."""
    coerced = errors.with_changes(value=cst.SimpleString("'coerce'"))
    call = context.code(with_arg(node, errors, coerced).with_changes(lpar=[], rpar=[]))
    return f"(as_read if {_ALL_READ.format(call=call, old=old)} else {old})"


def _is_column(context: Context, node: cst.Call, values: cst.BaseExpression) -> bool:
    """Return whether a column is read in a lambda or an expression: these cannot have a `try`."""
    above = context.parent(node)
    if isinstance(above, cst.Assign) and literal(values) is NotImplemented:
        return False
    if isinstance(above, cst.Lambda) and isinstance(values, cst.Name):
        argument_of = context.parent(above)
        call = context.parent(argument_of)
        applies = isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)
        if applies and len(above.params.params) == 1:
            assert isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)
            name = above.params.params[0].name.value
            table = context.type_of(call.func.value) == FRAME and len(call.args) == 1
            return table and name == values.value and call.func.attr.value == "apply"
    return context.type_of(values) == SERIES and isinstance(
        values, (cst.Name, cst.Attribute, cst.Subscript)
    )
