"""`astype('datetime64')` needs a unit since pandas 2.0; it meant nanoseconds.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#other-api-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.code.types.type import FRAME, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_UNITS = {
    **dict.fromkeys(("datetime64", "M8", "<M8"), "datetime64[ns]"),
    **dict.fromkeys(("timedelta64", "m8", "<m8"), "timedelta64[ns]"),
}


@codemod("pandas-astype-datetime", on=cst.Call, names=("astype",))
def in_nanoseconds(context: Context, node: cst.Call) -> Answer:
    """Rewrite `s.astype('datetime64')` as `s.astype('datetime64[ns]')`."""
    dtype = argument(node, "dtype", 0)
    if not isinstance(node.func, cst.Attribute) or dtype is None:
        return None
    names = {name.rpartition(".")[2] for name in context.qualnames(dtype.value)}
    text = string(dtype.value)
    new = _UNITS.get(text or "", "") or next((_UNITS[name] for name in names & {*_UNITS}), "")
    if not new:
        return None
    if context.type_of(node.func.value) not in (SERIES, FRAME) and not context.evidence(node):
        return Unsure(f"what `{context.code(node.func.value)}` is cannot be told from the code")
    return one(dtype.value, like_quotes(repr(new), dtype.value))
