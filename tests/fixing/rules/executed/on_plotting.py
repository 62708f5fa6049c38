from __future__ import annotations

from tests.fixing.rules.executed.case import PLOTS, Case

LOUD: list[Case] = [
    Case("seaborn-positional", PLOTS, "sns.countplot('a', data=d)"),
    Case("seaborn-positional", PLOTS, "sns.boxplot(d['a'], d['b'])"),
    Case("seaborn-positional", PLOTS, "sns.kdeplot(d['b'], d['c'])"),
    Case("seaborn-positional", PLOTS, "sns.lmplot('b', 'c', d)"),
    Case("seaborn-factorplot", PLOTS, "sns.factorplot('a', 'b', data=d, size=3)"),
    Case("seaborn-size", PLOTS, "sns.FacetGrid(d, size=2)"),
    Case("seaborn-split", PLOTS, "sns.swarmplot(x='a', y='b', data=d, split=True)"),
    Case(
        "seaborn-jointplot-stat-func", PLOTS, "sns.jointplot(x='b', y='c', data=d, stat_func=None)"
    ),
    Case("matplotlib-style-names", PLOTS, "plt.style.use('seaborn-whitegrid')"),
    Case("matplotlib-hist-normed", PLOTS, "plt.hist([1, 2, 3], normed=True)"),
    Case("matplotlib-hist-normed", PLOTS, "d['b'].hist(normed=True)"),
    Case("matplotlib-grid-b", PLOTS, "plt.grid(b=True)"),
    Case("matplotlib-axisbg", PLOTS, "plt.subplot(111, axisbg='w')"),
    Case("matplotlib-get-cmap", PLOTS, "plt.cm.get_cmap('viridis')"),
    Case("matplotlib-spectral", PLOTS, "result = plt.cm.spectral"),
    Case("matplotlib-boxplot-labels", PLOTS, "plt.boxplot([[1, 2]], labels=['a'])"),
    Case("matplotlib-log-nonpos", PLOTS, "plt.yscale('log', nonposy='clip')"),
]

SILENT: list[Case] = []
