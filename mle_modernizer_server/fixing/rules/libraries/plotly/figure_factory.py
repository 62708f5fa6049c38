"""plotly 7 dropped most of `figure_factory`: a function in the notebook draws the same.

https://github.com/plotly/plotly.py/blob/main/CHANGELOG.md
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import define, top_statement
from mle_modernizer_server.fixing.rules.tables import table

_TEXTS = table("plotly", "figure-functions", dict[str, str])


@codemod("plotly-figure-factory", on=cst.Call, names=_TEXTS)
def own_function(context: Context, node: cst.Call) -> Answer:
    """`ff.create_distplot(…)` → `create_distplot(…)`, which is defined before its first use."""
    name = _name(context, node)
    if name is None or not isinstance(node.func, cst.Attribute):
        return None if name is None else Unsure("the function itself is imported")
    if any(True for _ in context.program.top_bindings(name)):
        return None
    calls = [
        call
        for call in context.nodes(cst.Call)
        if isinstance(call.func, cst.Attribute)
        and call.func.attr.value == name
        and _name(context, call) == name
    ]
    if not calls or calls[0] is not node:
        return None
    statement = top_statement(context, node)
    assert statement is not None
    changes = [Change(call.func, cst.Name(name)) for call in calls]
    return Fix((*changes, define(context, _TEXTS[name], statement)))


def _name(context: Context, call: cst.Call) -> str | None:
    for address in context.qualnames(call.func):
        module, _, last = address.rpartition(".")
        if last in _TEXTS and module in ("plotly.figure_factory", "plotly.tools.FigureFactory"):
            return last
    return None
