"""`pd.get_dummies` returns booleans instead of numbers since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#other-api-changes
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, method_name, receiver
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context
from mle_modernizer_server.fixing.rules.engine.lines import around
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import only_target
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
        call = context.parent(above)
        called = isinstance(call, cst.Call) and call.func is above
        return called and _makes_numbers(context, call)
    target, after = only_target(above), around(context, context.statement(node))[1]
    if not isinstance(target, cst.Name) or not after:
        return False
    below = after[0].body[0] if isinstance(after[0], cst.SimpleStatementLine) else None
    if not isinstance(below, cst.Assign) or context.code(below.targets[0].target) != target.value:
        return False
    made_of = receiver(below.value, "astype")
    same = made_of is not None and context.code(made_of) == target.value
    return same and _makes_numbers(context, below.value)


def _makes_numbers(context: Context, call: cst.CSTNode | None) -> bool:
    if not isinstance(call, cst.Call) or method_name(call) != "astype":
        return False
    dtype = argument(call, "dtype", 0)
    if dtype is None or isinstance(dtype.value, cst.Dict):
        return False  # a dictionary names some of the columns
    return _NUMBERS.search(context.code(dtype.value)) is not None
