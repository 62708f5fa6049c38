"""plotly."""

from __future__ import annotations

from tests.fixing.rules.executed.case import Case

GO = "import plotly.graph_objs as go\nimport plotly.express as px\nimport plotly.tools as tls\n"

LOUD: list[Case] = [
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
    Case("plotly-mapbox", GO, "go.Scattermapbox(lat=[1], lon=[1])"),
    Case(
        "plotly-express-mapbox",
        GO,
        "px.scatter_mapbox(lat=[1], lon=[1], mapbox_style='open-street-map')",
    ),
    Case("plotly-layout-mapbox", GO, "go.Layout(mapbox=dict(zoom=1))"),
    Case("plotly-removed-traces", GO, "go.Heatmapgl(z=[[1]])"),
    Case("plotly-credentials", GO, "tls.set_credentials_file(username='a', api_key='b')"),
    Case("plotly-chart-studio-modules", "", "import plotly.grid_objs", fix=False),
    Case("plotly-get-embed", GO, "tls.get_embed('x')", fix=False),
    Case(
        "plotly-scatterplotmatrix",
        "import pandas as pd\nimport plotly.figure_factory as ff\n",
        "ff.create_scatterplotmatrix(pd.DataFrame({'a': [1], 'b': [2]}))",
    ),
    Case("plotly-projection-type", GO, "go.Layout(geo=dict(projection=dict(type='Mercator')))"),
    Case("plotly-orca", "import plotly.io\n", "plotly.io.orca", fix=False),
    Case("plotly-properties", GO, "go.Layout(nothing=1)", fix=False),
]

SILENT: list[Case] = []
