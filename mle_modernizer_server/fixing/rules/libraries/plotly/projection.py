"""Map projections must be in lower case since plotly checks their names.

https://plotly.com/python/v4-migration/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, string
from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod


@codemod("plotly-projection-type", on=cst.Call, names=("dict",))
def lower(context: Context, node: cst.Call) -> Answer:
    """Rewrite `projection=dict(type='Mercator')` as `projection=dict(type='mercator')`."""
    given = argument(node, "type")
    text = string(given.value) if given is not None else None
    above = context.parent(node)
    if given is None or text is None or text == text.lower():
        return None
    if not isinstance(above, cst.Arg) or above.keyword is None:
        return None
    if above.keyword.value != "projection" or not isinstance(given.value, cst.SimpleString):
        return None
    quote = given.value.quote
    return Fix((Change(given.value, cst.SimpleString(f"{quote}{text.lower()}{quote}")),))
