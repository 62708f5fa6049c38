"""`errors='ignore'` was removed in pandas 3.0: a conversion that fails raises or gives NaN.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes

With `ignore` the values came back unchanged. That needs a `try` of its own.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.generic.target import function_matches
from mle_modernizer_server.fixing.rules.registry import codemod
from mle_modernizer_server.fixing.rules.scene import Answer, Scene, Unsure, one
from mle_modernizer_server.fixing.rules.tree import argument, string, without

_FUNCTIONS = ("pandas.to_numeric", "pandas.to_datetime", "pandas.to_timedelta")


@codemod(cst.Call, "to_numeric", "to_datetime", "to_timedelta")
def tried(scene: Scene, node: cst.Call) -> Answer:
    """`x = pd.to_numeric(y, errors='ignore')` → a `try`, with `x = y` where it fails."""
    if not function_matches(scene, node.func, _FUNCTIONS):
        return None
    errors = argument(node, "errors", 1)
    if errors is None or string(errors.value) != "ignore":
        return None
    values = argument(node, "arg", 0)
    assign = scene.parent(node)
    line = scene.parent(assign) if assign is not None else None
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
    same = scene.code(target) == scene.code(values.value)
    fallback = "pass" if same else f"{scene.code(target)} = {scene.code(values.value)}"
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
