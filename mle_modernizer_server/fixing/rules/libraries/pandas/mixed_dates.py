"""`to_datetime` parses all dates in the format of the first one since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#datetimes-are-now-parsed-with-a-consistent-format
Dates that begin with the year were parsed as such for any `dayfirst`; since pandas 3
`format='mixed'` takes their second number for the day (seen in 3.1.1).

Since pandas 3.0 `to_datetime` refuses times with several offsets, as of summer and winter.

https://pandas.pydata.org/docs/reference/api/pandas.to_datetime.html

Until pandas 0.24 they became times in UTC, which the accessor `dt` needs.
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import (
    argument,
    expression,
    has_double_star,
    literal,
    positional,
    with_keyword,
)
from mle_modernizer_server.code.types.type import INDEX, SERIES
from mle_modernizer_server.fixing.rules.engine.context import (
    Answer,
    Change,
    Context,
    Fix,
    Unsure,
    one,
)
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_YEAR_FIRST_FORMAT = re.compile(r"with format ['\"]%Y\W?%[dm]|match format ['\"]%Y\W?%[dm]")
_YEAR_FIRST_DATE = re.compile(r"[Tt]ime data ['\"]?\d{4}\W?\d\d?")
_OTHER_DATE = re.compile(r"[Tt]ime data ")
_NOT_ISO = "is not ISO8601 format"


@codemod("pandas-mixed-dates", on=cst.Call, functions=("pandas.to_datetime",))
def one_by_one(context: Context, node: cst.Call) -> Answer:
    """`pd.to_datetime(s)` → `pd.to_datetime(s, format='mixed')` if the run failed at it."""
    if argument(node, "unit") or has_double_star(node) or not context.evidence(node):
        return None
    day_first = argument(node, "dayfirst")
    format_ = argument(node, "format")
    if day_first is not None and literal(day_first.value) is not False:
        return _day_first(context, node, format_)
    if format_ is not None:
        return None
    return one(node, with_keyword(node, "format", cst.SimpleString("'mixed'")))


def _day_first(context: Context, node: cst.Call, format_: cst.Arg | None) -> Answer:
    """Parse dates that begin with the year as such, and all others with their day first."""
    said = " ".join(error.evalue for error in context.failing())
    if format_ is not None:
        if literal(format_.value) != "ISO8601" or _NOT_ISO not in said:
            return None
        return _by_both(context, node)
    other = _OTHER_DATE.search(said) and not _YEAR_FIRST_DATE.search(said)
    if _YEAR_FIRST_FORMAT.search(said):
        if other:
            return _by_both(context, node)
        return one(node, with_keyword(node, "format", cst.SimpleString("'ISO8601'")))
    if other or not _OTHER_DATE.search(said):
        return one(node, with_keyword(node, "format", cst.SimpleString("'mixed'")))
    return _by_both(context, node)


def _by_both(context: Context, node: cst.Call) -> Answer:
    given = positional(node)
    names = {arg.keyword.value for arg in node.args if arg.keyword is not None}
    if len(given) != 1 or names - {"dayfirst", "format"}:
        return Unsure("dates of several formats, and further arguments")
    dates, read = context.code(given[0].value), context.code(node.func)
    return one(node, expression(both_ways(dates, read)))


def both_ways(dates: str, read: str) -> str:
    """Return code that parses the Series `dates` as pandas 1 did with `dayfirst=True`.

    `read` is the name of `pandas.to_datetime` in the notebook.
    """
    return (
        f"{read}({dates}, format='ISO8601', errors='coerce')"
        f".fillna({read}({dates}, format='mixed', dayfirst=True))"
    )


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
