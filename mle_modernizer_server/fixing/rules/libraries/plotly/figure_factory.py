"""plotly 7 dropped most of `figure_factory`: a function in the notebook draws the same.

https://github.com/plotly/plotly.py/blob/main/CHANGELOG.md
"""

from __future__ import annotations

import libcst as cst

from mle_modernizer_server.fixing.rules.engine.context import Answer, Change, Context, Fix, Unsure
from mle_modernizer_server.fixing.rules.engine.registry import codemod
from mle_modernizer_server.fixing.rules.generic.definitions import set_apart, top_statement

_HEATMAP = '''
def create_annotated_heatmap(z, x=None, y=None, annotation_text=None, colorscale="Plasma",
                             font_colors=None, showscale=False, reversescale=False, **kwargs):
    """What plotly.figure_factory.create_annotated_heatmap drew before plotly 7."""
    import plotly.graph_objs as go
    kwargs.update(text=z if annotation_text is None else annotation_text, texttemplate="%{text}")
    heatmap = go.Heatmap(z=z, x=x, y=y, colorscale=colorscale, showscale=showscale,
                         reversescale=reversescale, **kwargs)
    if font_colors:
        heatmap.textfont.color = font_colors[0]
    return go.Figure(heatmap, dict(
        xaxis=dict(ticks="", side="top", showticklabels=x is not None),
        yaxis=dict(ticks="", ticksuffix="  ", showticklabels=y is not None)))
'''
_DISTPLOT = '''
def create_distplot(hist_data, group_labels, bin_size=1.0, curve_type="kde", colors=None,
                    rug_text=None, histnorm="probability density", show_hist=True,
                    show_curve=True, show_rug=True):
    """What plotly.figure_factory.create_distplot drew before plotly 7."""
    import numpy as np
    import plotly.graph_objs as go
    from plotly.colors import DEFAULT_PLOTLY_COLORS
    from scipy import stats
    colors = colors or DEFAULT_PLOTLY_COLORS
    figure = go.Figure(layout=dict(barmode="overlay", hovermode="closest"))
    for at, (values, label) in enumerate(zip(hist_data, group_labels)):
        size = bin_size[at] if isinstance(bin_size, (list, tuple)) else bin_size
        look = dict(name=label, legendgroup=label, marker_color=colors[at % len(colors)])
        start, end = min(values) * 1.0, max(values) * 1.0
        if show_hist:
            figure.add_histogram(x=values, histnorm=histnorm, opacity=0.7, autobinx=False,
                                 xbins=dict(start=start, end=end, size=size), **look)
        if show_curve:
            places = np.linspace(start, end, 500)
            if curve_type == "kde":
                heights = stats.gaussian_kde(values)(places)
            else:
                heights = stats.norm.pdf(places, *stats.norm.fit(values))
            if histnorm == "probability":
                heights = heights * size
            figure.add_scatter(x=places, y=heights, mode="lines", showlegend=not show_hist, **look)
        if show_rug:
            figure.add_scatter(x=values, y=[label] * len(values), yaxis="y2", mode="markers",
                               text=rug_text[at] if rug_text else None, showlegend=False,
                               marker_symbol="line-ns-open", **look)
    if show_rug:
        figure.update_layout(xaxis=dict(anchor="y2", zeroline=False),
                             yaxis=dict(domain=[0.35, 1], anchor="free", position=0),
                             yaxis2=dict(domain=[0, 0.25], dtick=1, showticklabels=False))
    return figure
'''
_MATRIX = '''
def create_scatterplotmatrix(df, index=None, diag="scatter", height=500, width=500, size=6,
                             title="Scatterplot Matrix", colormap=None, **kwargs):
    """What plotly.figure_factory.create_scatterplotmatrix drew before plotly 7."""
    import plotly.express as px
    colors = [colormap] if isinstance(colormap, str) else list(colormap or []) or None
    figure = px.scatter_matrix(df, dimensions=[name for name in df.columns if name != index],
                               color=index, color_discrete_sequence=colors, title=title,
                               height=height, width=width)
    figure.update_traces(marker_size=size, diagonal_visible=diag == "scatter")
    return figure
'''
_GRID = '''
def create_facet_grid(df, x=None, y=None, facet_row=None, facet_col=None, color_name=None,
                      colormap=None, trace_type="scatter", height=None, width=None, marker=None,
                      **kwargs):
    """What plotly.figure_factory.create_facet_grid drew before plotly 7."""
    import plotly.express as px
    draw = {"box": px.box, "histogram": px.histogram, "bar": px.bar}.get(trace_type, px.scatter)
    colors = colormap if isinstance(colormap, dict) else None
    figure = draw(df, x=x, y=y, facet_row=facet_row, facet_col=facet_col, color=color_name,
                  color_discrete_map=colors, height=height, width=width)
    marker = {name: value for name, value in (marker or {}).items() if name != "color"}
    return figure.update_traces(marker=marker)
'''
_TEXTS = {
    "create_annotated_heatmap": _HEATMAP,
    "create_distplot": _DISTPLOT,
    "create_scatterplotmatrix": _MATRIX,
    "create_facet_grid": _GRID,
}


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
        for cell in context.program.cells
        for call in cell.nodes(cst.Call)
        if isinstance(call.func, cst.Attribute)
        and call.func.attr.value == name
        and _name(context, call) == name
    ]
    if not calls or calls[0] is not node:
        return None
    statement = top_statement(context, node)
    definition = cst.parse_statement(_TEXTS[name].lstrip("\n"))
    assert statement is not None and isinstance(definition, cst.FunctionDef)
    definition = set_apart(context, definition, statement)
    changes = [Change(call.func, cst.Name(name)) for call in calls]
    return Fix((*changes, Change(statement, cst.FlattenSentinel([definition, statement]))))


def _name(context: Context, call: cst.Call) -> str | None:
    for address in context.qualnames(call.func):
        module, _, last = address.rpartition(".")
        if last in _TEXTS and module in ("plotly.figure_factory", "plotly.tools.FigureFactory"):
            return last
    return None
