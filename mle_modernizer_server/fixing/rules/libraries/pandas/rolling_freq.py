"""`rolling(3, freq='D')` was removed in pandas 0.23: rows of that frequency are made before it.

https://pandas.pydata.org/pandas-docs/version/0.18/whatsnew.html#window-functions-are-now-methods
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, literal, receiver_text, without
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    method_matches,
    undecided,
)

_WINDOWS = ("rolling", "expanding", "ewm")


@codemod("pandas-rolling-freq", on=cst.Call, names=_WINDOWS)
def conformed(context: Context, node: cst.Call) -> Answer:
    """Rewrite `x.rolling(3, freq='D')` as `x.resample('D').asfreq().rolling(3)`."""
    freq = argument(node, "freq")
    if freq is None or not isinstance(node.func, cst.Attribute):
        return None
    match = method_matches(context, node.func, _WINDOWS, (FRAME.name, SERIES.name))
    if match is not Match.YES:
        return undecided(context, node.func, match)
    plain = without(node, [freq])
    if literal(freq.value) is None:
        return one(node, plain)
    rows = f"{receiver_text(node.func.value)}.resample({context.code(freq.value)}).asfreq()"
    return one(node, plain.with_changes(func=node.func.with_changes(value=expression(rows))))
