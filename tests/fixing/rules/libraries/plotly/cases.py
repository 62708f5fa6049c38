from __future__ import annotations

from tests.fixing.rules.executed.case import Case

FF = """
import numpy as np
import pandas as pd
import plotly.figure_factory as ff
import plotly.graph_objs as go
import plotly.offline as po
d = pd.DataFrame({'a': ['x', 'y'] * 5, 'b': range(10), 'c': range(10)})
"""
GO = "import plotly.graph_objs as go\nimport plotly.express as px\nimport plotly.tools as tls\n"

LOUD: list[Case] = [
    Case(
        "plotly-figure-factory",
        FF,
        "figure = ff.create_annotated_heatmap([[1, 2], [3, 4]], x=['a', 'b'], y=['c', 'd'])",
        "figure.data[0].type == 'heatmap' and figure.layout.xaxis.side == 'top'",
    ),
    Case(
        "plotly-figure-factory",
        FF,
        "figure = ff.create_distplot([[1., 2, 3], [2., 4, 5]], ['a', 'b'], bin_size=.5)",
        "[one.type for one in figure.data].count('histogram') == 2 and len(figure.data) == 6",
    ),
    Case(
        "plotly-figure-factory",
        FF,
        "figure = ff.create_scatterplotmatrix(d, index='a', diag='histogram', height=800)",
        "len(figure.data) >= 2 and figure.layout.height == 800",
    ),
    Case(
        "plotly-figure-factory",
        FF,
        "figure = ff.create_facet_grid(d, y='b', facet_col='a', trace_type='box')",
        "{one.type for one in figure.data} == {'box'}",
    ),
    Case(
        "plotly-autotick",
        FF,
        "result = go.Choropleth(z=[1], locations=['USA'], colorbar=dict(autotick=False, dtick=2))",
        "result.colorbar.dtick == 2",
    ),
    Case("plotly-autotick", FF, "go.Layout(xaxis={'autotick': False, 'title': 'a'})"),
    Case(
        "plotly-polar-layout",
        FF,
        "result = go.Layout(title='a', radialaxis=dict(ticksuffix='%'), orientation=270)",
        "result.polar.radialaxis.ticksuffix == '%' "
        "and result.polar.angularaxis.rotation in (270, -90)",
    ),
    Case(
        "plotly-offline-link",
        FF,
        "result = po.plot(go.Figure(), output_type='div', show_link=False)",
        "result.startswith('<div')",
        differs="the text holds plotly.js, in another version",
    ),
    Case(
        "plotly-histnorm-count",
        FF,
        "result = go.Histogram(x=[1], histnorm='count')",
        "result.histnorm == ''",
    ),
    Case("plotly-plotly", "", "import plotly.plotly as py\npy.plot"),
    Case(
        "plotly-title-font",
        GO,
        "result = go.Layout(xaxis=dict(title='a', titlefont=dict(size=3)))",
        "result.xaxis.title.text == 'a' and result.xaxis.title.font.size == 3",
    ),
    Case(
        "plotly-title-font",
        GO,
        "result = go.Layout(yaxis={'titlefont': {'size': 3}, 'title': 'a'})",
        "result.yaxis.title.text == 'a' and result.yaxis.title.font.size == 3",
    ),
    Case("plotly-area", GO, "go.Area(r=[1])", fix=False),
    Case(
        "plotly-mapbox",
        GO,
        "result = go.Scattermapbox(lat=[1], lon=[1])",
        "result.lat is not None and result.lon is not None",
        differs="the class of the trace has another name",
    ),
    Case(
        "plotly-express-mapbox",
        GO,
        "result = px.scatter_mapbox(lat=[1], lon=[1], mapbox_style='open-street-map')",
        "len(result.data) == 1 and result.data[0].lat is not None",
    ),
    Case("plotly-layout-mapbox", GO, "go.Layout(mapbox=dict(zoom=1))"),
    Case(
        "plotly-removed-traces",
        GO,
        "result = go.Heatmapgl(z=[[1]])",
        "len(result.z) == 1",
        differs="the class of the trace has another name",
    ),
    Case("plotly-credentials", GO, "tls.set_credentials_file(username='a', api_key='b')"),
    Case("plotly-credentials", FF, "po.sign_in('a', 'b')"),
    Case("plotly-chart-studio-modules", "", "import plotly.grid_objs", fix=False),
    Case("plotly-get-embed", GO, "tls.get_embed('x')", fix=False),
    Case(
        "plotly-scatterplotmatrix",
        "import pandas as pd\nimport plotly.figure_factory as ff\n",
        "result = ff.create_scatterplotmatrix(pd.DataFrame({'a': [1], 'b': [2]}))",
        "len(result.data) >= 1",
    ),
    Case(
        "plotly-projection-type",
        GO,
        "result = go.Layout(geo=dict(projection=dict(type='Mercator')))",
        "str(result.geo.projection.type).lower() == 'mercator'",
    ),
    Case("plotly-orca", "import plotly.io\n", "plotly.io.orca", fix=False),
    Case("plotly-properties", GO, "go.Layout(nothing=1)", fix=False),
]

SILENT: list[Case] = []
