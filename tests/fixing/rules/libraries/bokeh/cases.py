from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case("bokeh-factors-tools", "", "from bokeh.models.widgets import Panel, Tabs"),
    Case("bokeh-charts", "", "from bokeh.charts import Bar", fix=False),
    Case(
        "bokeh-plot-size",
        "from bokeh.plotting import figure\n",
        "p = figure(plot_width=200, plot_height=100)",
        "p.width == 200",
    ),
    Case(
        "bokeh-plot-size",
        "from bokeh.plotting import figure\nfrom bokeh.layouts import gridplot\np = figure()\n",
        "gridplot([[p]], plot_width=200)",
        "p.width == 200",
    ),
    Case(
        "bokeh-legend",
        "from bokeh.plotting import figure\nfrom bokeh.core.properties import value\n"
        "p = figure()\n",
        "p.line([1], [2], legend=value('a'))\np.line([1], [2], legend=None)",
        "len(p.legend.items) == 1",
    ),
    Case(
        "bokeh-legend",
        "from bokeh.plotting import figure\np = figure()\n",
        "p.line([1], [1], legend='a')",
    ),
    Case(
        "bokeh-legend",
        "from bokeh.models import ColumnDataSource\nfrom bokeh.plotting import figure\n"
        "p = figure()\ns = ColumnDataSource({'a': [1, 2], 'b': [3, 4], 'kind': ['x', 'y']})\n",
        "p.scatter('a', 'b', source=s, legend='kind')\n"
        "result = type(p.legend[0].items[0].label).__name__",
        "result == 'Field'",
    ),
    Case(
        "bokeh-previewsave",
        "from bokeh.plotting import figure\n",
        "tools = ['pan,previewsave,reset']\nresult = len(figure(tools=tools[0]).tools)",
        "result == 3",
    ),
    Case(
        "bokeh-shared-data",
        "from bokeh.models import ColumnDataSource\n"
        "a, b = ColumnDataSource({'x': [1]}), ColumnDataSource({'x': [2]})\n",
        "a.data = b.data\nresult = list(a.data['x'])",
        "result == [2]",
    ),
    Case(
        "bokeh-visible-none",
        "from bokeh.plotting import figure\np = figure()\n",
        "p.axis.visible = p.grid.grid_line_color = None\nresult = p.xaxis[0].visible",
        "result is False and p.xgrid[0].grid_line_color is None",
    ),
    *(
        Case(
            "bokeh-circle-points",
            "from bokeh.embed import file_html\nfrom bokeh.models import ColumnDataSource\n"
            "from bokeh.plotting import figure\nfrom bokeh.resources import CDN\np = figure()\n"
            "s = ColumnDataSource({'a': [1, 2], 'b': [3, 4]})\n",
            f"{code}\nresult = len(file_html(p, CDN, 't')) > 100",
            "result",
        )
        for code in (
            "p.circle([1, 2], [3, 4])",
            "p.circle('a', 'b', source=s, color='red')",
            "p.circle(source=s, x='a', y='b', alpha=0.5)",
        )
    ),
    Case("bokeh-widgetbox", "", "from bokeh.layouts import widgetbox"),
]

SILENT: list[Case] = []
