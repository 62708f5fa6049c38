"""`autotick` was dropped in plotly 4; `tickmode` had long taken its place, and it did nothing.

https://plotly.com/python/v4-migration/
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.code.tree import argument, string, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import without_elements

_NAME = "autotick"


@codemod("plotly-autotick", on=cst.Call, names=("dict", "XAxis", "YAxis", "ColorBar"))
def in_call(context: Context, node: cst.Call) -> Answer:
    """Rewrite `dict(autotick=False, dtick=2)` as `dict(dtick=2)`."""
    given = argument(node, _NAME)
    if given is None or not _uses_plotly(context):
        return None
    return one(node, without(node, [given]))


@codemod("plotly-autotick", on=cst.Dict)
def in_dict(context: Context, node: cst.Dict) -> Answer:
    """Rewrite `{'autotick': False, 'dtick': 2}` as `{'dtick': 2}`."""
    gone = [
        element
        for element in node.elements
        if isinstance(element, cst.DictElement) and string(element.key) == _NAME
    ]
    if not gone or not _uses_plotly(context):
        return None
    return one(node, without_elements(node, gone))


def _uses_plotly(context: Context) -> bool:
    return any("plotly" in cell.source for cell in context.program.cells)
