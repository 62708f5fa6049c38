"""Pictures as notebooks of competitions draw them."""

from __future__ import annotations

from tests.fixing.rules.executed.case import PLOTS, Case

FF = """
import numpy as np
import pandas as pd
import plotly.figure_factory as ff
import plotly.graph_objs as go
import plotly.offline as po
d = pd.DataFrame({'a': ['x', 'y'] * 5, 'b': range(10), 'c': range(10)})
"""

LOUD: list[Case] = [
    Case("seaborn-positional", PLOTS, "sns.relplot('b', 'c', data=d)"),
    Case("seaborn-jointplot-kind", PLOTS, "sns.jointplot(x='b', y='c', data=d, kind='regplot')"),
    Case(
        "seaborn-violinplot-rest",
        PLOTS,
        "sns.violinplot(x='a', y='b', data=d, size=3)",
    ),
    Case(
        "seaborn-tsplot",
        PLOTS,
        "ax = sns.tsplot(d['b'])",
        "ax.lines[0].get_xydata().tolist() == [[i, i] for i in range(10)]",
    ),
    Case(
        "seaborn-tsplot",
        PLOTS,
        "ax = sns.tsplot(data=d, time='c', unit='a', value='b', ci=95)",
        "len(ax.lines) == 1",
    ),
    Case(
        "seaborn-tsplot",
        PLOTS + "array = np.arange(12.).reshape(3, 4)\n",
        "ax = sns.tsplot(array, color=sns.color_palette('Reds', n_colors=1), condition='q')",
        "ax.lines[0].get_ydata().tolist() == [4, 5, 6, 7] and ax.lines[0].get_label() == 'q'",
    ),
    Case(
        "matplotlib-hist-normed",
        PLOTS,
        "ax = d['b'].plot(kind='hist', normed=True)",
        "abs(sum(bar.get_height() * bar.get_width() for bar in ax.patches) - 1) < 1e-9",
    ),
    Case(
        "matplotlib-hist-normed",
        PLOTS + "import warnings\nwarnings.simplefilter('ignore')\n",
        "ax = sns.distplot(d['b'], hist_kws=dict(normed=True, alpha=.5))",
        "abs(sum(bar.get_height() * bar.get_width() for bar in ax.patches) - 1) < 1e-9",
    ),
    Case(
        "matplotlib-tick-count",
        PLOTS + "fig, ax = plt.subplots()\n",
        "ax.set_xticks(range(2))\nax.set_xticklabels(d['a'], rotation=30)",
        "[text.get_text() for text in ax.get_xticklabels()] == ['x', 'y']",
    ),
    Case(
        "matplotlib-tick-count",
        PLOTS + "fig, ax = plt.subplots()\n",
        "ax.set_yticks(range(3))\nax.set_yticklabels(['a'])",
        "[text.get_text() for text in ax.get_yticklabels()] == ['a', '', '']",
    ),
    Case(
        "matplotlib-tick-count",
        PLOTS,
        "places = np.arange(2)\nresult = plt.xticks(places, ['a', 'b', 'c'])",
        "[text.get_text() for text in result[1]] == ['a', 'b']",
    ),
    Case(
        "matplotlib-tick-count",
        PLOTS + "ax = plt.subplot(polar=True)\nangles = np.array([0., 2., 4., 0.])\n",
        "ax.set_thetagrids(angles * 180 / np.pi, ['a', 'b', 'c'])",
        "[text.get_text() for text in ax.get_xticklabels()] == ['a', 'b', 'c']",
    ),
    Case("matplotlib-whis-range", PLOTS, "sns.boxplot(x='a', y='b', data=d, whis='range')"),
    Case(
        "wordcloud-frequencies",
        "from wordcloud import WordCloud\npairs = [('a', 3), ('b', 2)]\n",
        "result = WordCloud().generate_from_frequencies(pairs)",
        "result.words_ == {'a': 1.0, 'b': 2 / 3}",
    ),
    Case("pandas-series-plot-positional", PLOTS, "d['b'].plot('hist')"),
    Case(
        "matplotlib-legend-place",
        PLOTS,
        "plt.plot([1], label='a')\nplaced = plt.legend(loc='out')",
        "placed._get_loc() == 0",
    ),
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
        "po.plot(go.Figure(), output_type='div', show_link=False)",
    ),
    Case(
        "plotly-histnorm-count",
        FF,
        "result = go.Histogram(x=[1], histnorm='count')",
        "result.histnorm == ''",
    ),
]

SILENT: list[Case] = []
