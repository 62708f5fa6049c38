"""`pd.get_dummies` returns booleans instead of numbers since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#other-api-changes
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.calls import fix_call
from mle_modernizer_server.fixing.rules.rule import CallFix

_PARAMETERS = (
    "data",
    "prefix",
    "prefix_sep",
    "dummy_na",
    "columns",
    "sparse",
    "drop_first",
    "dtype",
)
_NUMBERS = re.compile(r"\b(int|float)\d*\b")


def _with(dtype: str) -> CallFix:
    return CallFix(
        do="call",
        functions=("pandas.get_dummies",),
        parameters=_PARAMETERS,
        add={"dtype": f"'{dtype}'"},
    )


_WIDE, _NAMED = _with("int32"), _with("uint8")


@codemod("pandas-get-dummies-bool", on=cst.Call, names=("get_dummies",))
def numbers(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.get_dummies(s)` as `pd.get_dummies(s, dtype='int32')`, unless converted later."""
    if _is_converted(context, node):
        return None
    named = any("uint8" in cell.source for cell in context.program.cells)
    return fix_call(context, node, _NAMED if named else _WIDE)


def _is_converted(context: Context, node: cst.Call) -> bool:
    """Return whether `astype` converts it to numbers, at once or in the line below."""
    above = context.parent(node)
    if isinstance(above, cst.Attribute):
        return _makes_numbers(context, context.parent(above), above)
    line = context.statement(node)
    block = context.parent(line) if line is not None else None
    lines = list(getattr(block, "body", ()))
    if not isinstance(above, cst.Assign) or line not in lines or len(above.targets) != 1:
        return False
    target = above.targets[0].target
    after = lines[lines.index(line) + 1 :][:1]
    if not isinstance(target, cst.Name) or not after:
        return False
    below = after[0].body[0] if isinstance(after[0], cst.SimpleStatementLine) else None
    return (
        isinstance(below, cst.Assign)
        and context.code(below.targets[0].target) == target.value
        and isinstance(below.value, cst.Call)
        and isinstance(func := below.value.func, cst.Attribute)
        and context.code(func.value) == target.value
        and _makes_numbers(context, below.value, func)
    )


def _makes_numbers(context: Context, call: cst.CSTNode | None, method: cst.Attribute) -> bool:
    if not isinstance(call, cst.Call) or call.func is not method or method.attr.value != "astype":
        return False
    dtype = argument(call, "dtype", 0)
    if dtype is None or isinstance(dtype.value, cst.Dict):
        return False  # a dictionary names some of the columns
    return _NUMBERS.search(context.code(dtype.value)) is not None
