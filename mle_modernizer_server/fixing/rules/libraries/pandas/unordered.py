"""`pd.DataFrame(columns={'a'})`: pandas takes no set for an axis since 1.5.

https://pandas.pydata.org/docs/whatsnew/v1.5.0.html

Of a set with several elements the order was never promised; they get the one they are written in.
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument
from mle_modernizer_server.fixing.rules.generic.target import function_matches

_ORDER = "The columns or rows of a set had no order; now they have the one they are written in."


@codemod("pandas-axis-of-set", on=cst.Call, names=("DataFrame", "Series"))
def listed(context: Context, node: cst.Call) -> Answer:
    """`pd.DataFrame(columns={'a'})` → `pd.DataFrame(columns=['a'])`."""
    if not function_matches(context, node.func, ("pandas.DataFrame", "pandas.Series")):
        return None
    changes = []
    several = False
    for name, position in (("index", 1), ("columns", 2)):
        given = argument(node, name, position)
        if given is not None and isinstance(given.value, cst.Set):
            elements = given.value.elements
            several = several or len(elements) > 1
            changes.append(Change(given.value, cst.List(elements)))
    return Fix(tuple(changes), remark=_ORDER if several else "") if changes else None
