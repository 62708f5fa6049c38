"""`PeriodIndex` is not made of years and quarters since pandas 3.0; `from_fields` is.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html#removal-of-prior-version-deprecations-changes
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

_FIELDS = {"year", "quarter", "month", "day", "hour", "minute", "second"}
_TAKEN = _FIELDS | {"freq"}


@codemod("pandas-period-fields", on=cst.Call, functions=("pandas.PeriodIndex",))
def from_fields(context: Context, node: cst.Call) -> Answer:
    """Rewrite `PeriodIndex(year=y, name='d')` as `PeriodIndex.from_fields(year=y).rename('d')`."""
    given = {"" if one.keyword is None or one.star else one.keyword.value for one in node.args}
    if not given & _FIELDS or not given <= _TAKEN | {"name"}:
        return None
    name = argument(node, "name")
    fields = node if name is None else without(node, [name])
    made: cst.Call = fields.with_changes(func=cst.Attribute(node.func, cst.Name("from_fields")))
    if name is not None:
        renamed = cst.Attribute(made, cst.Name("rename"))
        made = cst.Call(renamed, [cst.Arg(name.value)])
    return one(node, made)
