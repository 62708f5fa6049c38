from __future__ import annotations

from tests.fixing.rules.executed.case import PLOTS, Case

LOUD: list[Case] = [
    Case(
        "seaborn-groupby",
        PLOTS,
        "ax = sns.boxplot(d['b'], groupby=d['a'])",
        "(ax.get_xlabel(), ax.get_ylabel()) == ('a', 'b')",
    ),
    Case("seaborn-positional", PLOTS, "sns.relplot('b', 'c', data=d)"),
    Case(
        "seaborn-data-of-other-length",
        PLOTS + "n = d['a'].value_counts()\n",
        "ax = sns.barplot(x=n.index, y=d['a'].value_counts(), data=d)",
        "[bar.get_height() for bar in ax.patches] == [5, 5]",
    ),
    Case(
        "seaborn-jointplot-kind",
        PLOTS,
        "result = sns.jointplot(x='b', y='c', data=d, kind='regplot')",
        "len(result.ax_joint.collections) > 0",
    ),
    Case(
        "seaborn-jointplot-kind",
        PLOTS,
        "result = sns.jointplot(x='b', y='c', data=d, kind='regg')",
        "len(result.ax_joint.lines) == 1",
    ),
    Case(
        "seaborn-violinplot-rest",
        PLOTS,
        "result = sns.violinplot(x='a', y='b', data=d, size=3)",
        "len(result.collections) > 0",
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
    Case("seaborn-positional", PLOTS, "sns.countplot('a', data=d)"),
    Case("seaborn-positional", PLOTS, "sns.boxplot(d['a'], d['b'])"),
    Case("seaborn-positional", PLOTS, "sns.kdeplot(d['b'], d['c'])"),
    Case(
        "seaborn-positional",
        PLOTS,
        "ax = sns.kdeplot('b', data=d)",
        "len(ax.lines) == 1 and ax.get_xlabel() == 'b'",
    ),
    Case(
        "seaborn-positional",
        PLOTS,
        "ax = sns.rugplot('b', data=d)",
        "len(ax.collections[0].get_segments()) == 10",
    ),
    Case("seaborn-positional", PLOTS, "sns.lmplot('b', 'c', d)"),
    Case(
        "seaborn-factorplot",
        PLOTS,
        "result = sns.factorplot('a', 'b', data=d, size=3)",
        "result.axes.size == 1",
    ),
    Case(
        "seaborn-size",
        PLOTS,
        "result = sns.FacetGrid(d, size=2)",
        "result.axes.size == 1",
    ),
    Case(
        "seaborn-split",
        PLOTS,
        "result = sns.swarmplot(x='a', y='b', data=d, split=True)",
        "len(result.collections) > 0",
    ),
    Case(
        "seaborn-jointplot-stat-func",
        PLOTS,
        "result = sns.jointplot(x='b', y='c', data=d, stat_func=None)",
        "len(result.ax_joint.collections) > 0",
    ),
    Case(
        "seaborn-joint-grid-positional",
        PLOTS,
        "result = sns.JointGrid('b', 'c', d)",
        "list(result.x) == list(range(10))",
    ),
    Case(
        "seaborn-facet-grid-positional",
        PLOTS,
        "result = sns.FacetGrid(d, 'a')",
        "result.axes.shape == (2, 1)",
    ),
    Case(
        "seaborn-kdeplot-data2",
        PLOTS,
        "result = sns.kdeplot(data=d['b'], data2=d['c'])",
        "(result.get_xlabel(), result.get_ylabel()) == ('b', 'c')",
    ),
    Case(
        "seaborn-kdeplot-data2",
        PLOTS,
        "result = sns.kdeplot(d['b'], data2=d['c'])",
        "(result.get_xlabel(), result.get_ylabel()) == ('b', 'c')",
    ),
    Case(
        "seaborn-lvplot",
        PLOTS,
        "result = sns.lvplot(x='a', y='b', data=d)",
        "len(result.collections) > 0",
    ),
    Case(
        "seaborn-kind-lv",
        PLOTS,
        "result = sns.catplot(x='a', y='b', data=d, kind='lv')",
        "len(result.ax.collections) > 0",
    ),
    Case(
        "seaborn-jointplot-annot-kws",
        PLOTS,
        "result = sns.jointplot(x='b', y='c', data=d, annot_kws={})",
        "len(result.ax_joint.collections) > 0",
    ),
    Case(
        "seaborn-jointgrid-annotate",
        PLOTS,
        "sns.JointGrid(x='b', y='c', data=d).annotate(None)",
        fix=False,
    ),
    Case("seaborn-corrplot", PLOTS, "sns.corrplot(d)", fix=False),
    Case("seaborn-coefplot", PLOTS, "sns.coefplot('b ~ c', d)", fix=False),
    Case("seaborn-axlabel", PLOTS, "sns.axlabel('a', 'b')"),
    Case("seaborn-apionly", "", "import seaborn.apionly as sns\nsns.heatmap"),
    Case("seaborn-plt", PLOTS, "sns.plt.show()"),
    Case("seaborn-tsplot", PLOTS, "sns.tsplot([1, 2])"),
]

SILENT: list[Case] = []
