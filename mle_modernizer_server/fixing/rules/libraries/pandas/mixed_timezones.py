"""Since pandas 3.0 `to_datetime` refuses times with several offsets, as of summer and winter.

https://pandas.pydata.org/docs/reference/api/pandas.to_datetime.html

Until pandas 0.24 they became times in UTC, which the accessor `dt` needs.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, expression, with_keyword
from mle_modernizer_server.code.types.type import INDEX, SERIES
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_REMARK = (
    "Times with several offsets became times in UTC, as before pandas 0.24; later versions kept "
    "each time's own offset, so hours may differ from what the notebook printed."
)


@codemod("pandas-mixed-timezones", on=cst.Call, functions=("pandas.to_datetime",))
def in_utc(context: Context, node: cst.Call) -> Answer:
    """Rewrite `pd.to_datetime(s)` as `pd.to_datetime(s, utc=True).dt.tz_localize(None)`."""
    times = argument(node, "arg", 0)
    if times is None or argument(node, "utc") or not context.evidence(node):
        return None
    if not _used_as_times(context):
        return Unsure("whether times in UTC are meant cannot be told")
    inferred = context.type_of(times.value)
    if inferred not in (SERIES, INDEX):
        return Unsure("whether it is a column cannot be told")
    call = context.code(with_keyword(node, "utc", cst.Name("True")).with_changes(lpar=[], rpar=[]))
    accessor = ".dt" if inferred == SERIES else ""
    new = expression(f"{call}{accessor}.tz_localize(None)")
    return Fix((Change(node, new.with_changes(lpar=node.lpar, rpar=node.rpar)),), (), _REMARK)


def _used_as_times(context: Context) -> bool:
    """Return whether the notebook uses attributes that need one datetime type for all values."""
    return any(
        isinstance(node, cst.Attribute) and node.attr.value in ("dt", "resample", "asfreq")
        for cell in context.program.cells
        for node in cell.places
    )
