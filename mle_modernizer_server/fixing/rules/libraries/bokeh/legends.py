"""Drawing methods took `legend` until bokeh 2: a text, or the name of a column of the source.

https://docs.bokeh.org/en/latest/docs/releases.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.tree import argument, string

_FIGURE = "bokeh.plotting.figure"
_GLYPHS = (
    *("circle", "line", "vbar", "hbar", "scatter", "quad", "patch", "square", "triangle", "step"),
    *("wedge", "annular_wedge", "rect", "segment", "patches", "multi_line", "varea", "cross"),
)


@codemod("bokeh-legend", on=cst.Call, names=_GLYPHS)
def named_by(context: Context, node: cst.Call) -> Answer:
    """`p.line(x, y, legend='a')` → `legend_label='a'`, or `legend_field` for a column."""
    if not isinstance(node.func, cst.Attribute):
        return None
    inferred = context.type_of(node.func.value)
    legend = argument(node, "legend")
    if inferred is None or inferred.name != _FIGURE or legend is None:
        return None
    assert legend.keyword is not None
    name = "legend_label"
    if argument(node, "source") is not None:
        text = string(legend.value)
        if text is not None and _is_column(context, text):
            name = "legend_field"
        elif text is None or re.fullmatch(r"\w+", text):
            return Unsure("the legend may be a text, or a column of the source")
    return one(legend.keyword, cst.Name(name))


def _is_column(context: Context, text: str) -> bool:
    """Whether the notebook knows a column of that name."""
    key = re.compile(
        rf"\[\s*['\"]{re.escape(text)}['\"]\s*[\],]|['\"]{re.escape(text)}['\"]\s*:"
        rf"|@\{{?{re.escape(text)}\b|:\s*['\"]{re.escape(text)}['\"]"
        rf"|\b(dict|ColumnDataSource|DataFrame)\([^\n]*\b{re.escape(text)}\s*="
    )
    return any(key.search(cell.source) for cell in context.program.cells)
