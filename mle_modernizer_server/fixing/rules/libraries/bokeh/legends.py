"""Drawing methods took `legend` until bokeh 2: a text, or the name of a column of the source.

https://docs.bokeh.org/en/latest/docs/releases.html
"""

from __future__ import annotations

import re

import libcst as cst

from mle_modernizer_server.code.tree import argument, same_literal, string, without
from mle_modernizer_server.fixing.rules.engine.context import Answer, Context, Unsure, one
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.engine.shapes import with_arg

_FIGURE = "bokeh.plotting.figure"
_GLYPHS = (
    *("circle", "line", "vbar", "hbar", "scatter", "quad", "patch", "square", "triangle", "step"),
    *("wedge", "annular_wedge", "rect", "segment", "patches", "multi_line", "varea", "cross"),
)

_SAYING = {"value": "legend_label", "field": "legend_field"}
"""Functions of bokeh.core.properties that distinguished a text from a column name."""


@codemod("bokeh-legend", on=cst.Call, names=_GLYPHS)
def named_by(context: Context, node: cst.Call) -> Answer:
    """Rewrite `p.line(x, y, legend='a')` as `legend_label='a'`, or `legend_field` for a column."""
    if not isinstance(node.func, cst.Attribute):
        return None
    inferred = context.type_of(node.func.value)
    legend = argument(node, "legend")
    if inferred is None or inferred.name != _FIGURE or legend is None:
        return None
    assert legend.keyword is not None
    if same_literal(legend.value, None):
        return one(node, without(node, [legend]))
    if isinstance(legend.value, cst.Call) and (said := _said(context, legend.value)) is not None:
        new = legend.with_changes(keyword=cst.Name(said[0]), value=said[1])
        return one(node, with_arg(node, legend, new))
    name = "legend_label"
    if argument(node, "source") is not None:
        text = string(legend.value)
        if text is not None and _is_column(context, text):
            name = "legend_field"
        elif text is None or re.fullmatch(r"\w+", text):
            return Unsure("the legend may be a text, or a column of the source")
    return one(legend.keyword, cst.Name(name))


def _said(context: Context, call: cst.Call) -> tuple[str, cst.BaseExpression] | None:
    """`value('a')` → `legend_label`, `'a'`; `field('b')` → `legend_field`, `'b'`."""
    if len(call.args) != 1 or call.args[0].keyword is not None or call.args[0].star:
        return None
    for name in context.qualnames(call.func):
        if name.startswith("bokeh.") and name.rpartition(".")[2] in _SAYING:
            return _SAYING[name.rpartition(".")[2]], call.args[0].value
    return None


def _is_column(context: Context, text: str) -> bool:
    """Return whether the notebook has a column of that name."""
    key = re.compile(
        rf"\[\s*['\"]{re.escape(text)}['\"]\s*[\],]|['\"]{re.escape(text)}['\"]\s*:"
        rf"|@\{{?{re.escape(text)}\b|:\s*['\"]{re.escape(text)}['\"]"
        rf"|\b(dict|ColumnDataSource|DataFrame)\([^\n]*\b{re.escape(text)}\s*="
    )
    return any(key.search(cell.source) for cell in context.program.cells)
