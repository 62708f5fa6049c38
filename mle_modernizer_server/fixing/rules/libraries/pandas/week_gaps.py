"""`.dt.week` returned fractions if a date was missing; `isocalendar().week` returns NA there.

https://pandas.pydata.org/docs/reference/api/pandas.Series.dt.isocalendar.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, like_quotes, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_WEEK = re.compile(r"\.isocalendar\(\)\.week\.astype$")


@codemod("pandas-week-gaps", on=cst.Call, names=("astype",))
def as_fractions(context: Context, node: cst.Call) -> Answer:
    """`d.dt.isocalendar().week.astype('int64')` → `astype('float64')` if the run failed."""
    dtype = argument(node, "dtype", 0)
    if dtype is None or string(dtype.value) != "int64" or not context.evidence(node):
        return None
    if not _WEEK.search(context.code(node.func)):
        return None
    return one(dtype.value, like_quotes("'float64'", dtype.value))
