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
        "bokeh-legend",
        "from bokeh.plotting import figure\np = figure()\n",
        "p.line([1], [1], legend='a')",
    ),
    Case("bokeh-widgetbox", "", "from bokeh.layouts import widgetbox"),
]

SILENT: list[Case] = []
