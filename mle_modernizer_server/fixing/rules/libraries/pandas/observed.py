"""`groupby` and `pivot_table` leave out categories that do not occur, since pandas 3.0.

https://pandas.pydata.org/docs/whatsnew/v3.0.0.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, has_double_star, with_keyword
from mle_modernizer_server.fixing.rules.generic.target import (
    Match,
    function_matches,
    method_matches,
)
from mle_modernizer_server.fixing.rules.types.type import FRAME, SERIES

_MAKES_CATEGORIES = re.compile(r"['\"]category['\"]|Categorical|\bq?cut\(")


@codemod("pandas-groupby-observed", on=cst.Call, names=("groupby", "pivot_table"))
def all_of_them(context: Context, node: cst.Call) -> Answer:
    """`df.groupby('c')` → `df.groupby('c', observed=False)`, where there are categories at all."""
    if argument(node, "observed") or has_double_star(node):
        return None
    if not any(_MAKES_CATEGORIES.search(cell.source) for cell in context.program.cells):
        return None
    if not function_matches(context, node.func, ("pandas.pivot_table",)):
        if not isinstance(node.func, cst.Attribute) or not node.args:
            return None
        names = (node.func.attr.value,)
        match = method_matches(context, node.func, names, (FRAME.name, SERIES.name))
        if match is not Match.YES or argument(node, "level"):
            return None
    return one(node, with_keyword(node, "observed", cst.Name("False")))
