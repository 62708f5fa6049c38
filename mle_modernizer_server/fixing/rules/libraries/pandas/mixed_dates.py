"""`to_datetime` reads all dates in the format of the first one since pandas 2.0.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html#datetimes-are-now-parsed-with-a-consistent-format
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, has_double_star, with_keyword
from mle_modernizer_server.fixing.rules.generic.target import function_matches


@codemod("pandas-mixed-dates", on=cst.Call, names=("to_datetime",))
def one_by_one(context: Context, node: cst.Call) -> Answer:
    """`pd.to_datetime(s)` → `pd.to_datetime(s, format='mixed')`, where the run failed at it."""
    if not function_matches(context, node.func, ("pandas.to_datetime",)):
        return None
    if argument(node, "format") or argument(node, "unit") or has_double_star(node):
        return None
    if not context.evidence(node):
        return None
    return one(node, with_keyword(node, "format", cst.SimpleString("'mixed'")))
