"""Tables and columns as notebooks of competitions treat them."""

from __future__ import annotations

from tests.fixing.rules.executed.case import Case

PD = """
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
texts = pd.DataFrame({'a': [1, 2, 3], 't': pd.Series(['x', 'y', 'y'], dtype=object)})
days = pd.DataFrame({'n': range(60)}, index=pd.date_range('2015-01-20', periods=60))
"""
NO_JINJA = {"kaggle": "Jinja is not installed there, which styles need"}
MIXED = "io.StringIO('d,n\\n2019-01-13,1\\n01/02/2018,2\\n')"

LOUD: list[Case] = [
    Case(
        "pandas-numeric-only",
        PD,
        "result = df.groupby('a').agg('mean')",
        "list(result.columns) == ['b']",
    ),
    Case(
        "pandas-numeric-only",
        PD,
        "result = df.groupby(['a']).aggregate(np.mean)",
        "list(result.columns) == ['b']",
    ),
    Case("pandas-numeric-only", PD, "result = df.kurtosis()", "list(result.index) == ['a', 'b']"),
    Case(
        "pandas-numeric-only",
        PD,
        "result = df.groupby('a').corr()",
        "'t' not in result",
    ),
    Case(
        "pandas-numeric-only",
        PD + "days['t'] = 'x'\n",
        "result = days.resample('W').mean()",
        "list(result.columns) == ['n']",
    ),
    Case(
        "pandas-numeric-only",
        PD + "days['t'] = 'x'\n",
        "result = days.rolling(3).mean()",
        "list(result.columns) == ['n'] and result.n.iloc[2] == 1",
    ),
    Case("pandas-numeric-only", PD, "result = df.sum(axis=1)", "result.tolist() == [5, 7, 9]"),
    Case(
        "pandas-pivot-numbers",
        PD,
        "result = df.pivot_table(index='a')",
        "list(result.columns) == ['b'] and result.b[2] == 5",
    ),
    Case(
        "pandas-pivot-numbers",
        PD + "df['u'] = 'q'\n",
        "result = pd.pivot_table(df, index=['t'], columns='a', aggfunc='mean')",
        "set(result.columns.get_level_values(0)) == {'b'}",
    ),
    Case(
        "pandas-resample-how",
        PD,
        "result = days.n.resample('W', how='sum')",
        "result.sum() == sum(range(60))",
    ),
    Case(
        "pandas-resample-how",
        PD,
        "result = days.resample('W', how={'n': 'max'})",
        "result.n.max() == 59",
    ),
    Case(
        "pandas-resample-how",
        PD,
        "result = days.n.iloc[::2].resample('D', fill_method='ffill')",
        "result.tolist()[:4] == [0, 0, 2, 2]",
    ),
    Case(
        "pandas-get-group",
        PD,
        "groups = df.groupby(['t'])\nresult = groups.get_group('y')",
        "result.a.tolist() == [2, 3]",
    ),
    Case(
        "pandas-concat-join-axes",
        PD + "other = df.iloc[:2]\n",
        "result = pd.concat([df, other], axis=1, join_axes=[other.index])",
        "result.shape == (2, 6)",
    ),
    Case(
        "pandas-concat-join-axes",
        PD,
        "result = pd.concat([df, df], join_axes=[['a', 'b']])",
        "result.shape == (6, 2)",
    ),
    Case(
        "pandas-value-counts-function",
        PD,
        "result = df[['t', 't']].apply(pd.value_counts)",
        "result.iloc[:, 0]['y'] == 2",
    ),
    Case(
        "pandas-interpolate-text",
        PD + "texts.loc[1, 'a'] = np.nan\n",
        "result = texts.interpolate(method='linear')",
        "result.a.tolist() == [1, 2, 3] and result.t.tolist() == ['x', 'y', 'y']",
    ),
    Case(
        "pandas-interpolate-text",
        PD + "texts.loc[1, 'a'] = np.nan\n",
        "texts.interpolate(inplace=True)",
        "texts.a.tolist() == [1, 2, 3]",
    ),
    Case("pandas-row-dates", PD, "result = days['2015-02']", "len(result) == 28"),
    Case(
        "pandas-column-names-values",
        PD,
        "df.columns.values[0] = 'z'",
        "list(df.columns) == ['z', 'b', 't']",
    ),
    Case(
        "pandas-astype-datetime",
        PD,
        "result = pd.Series(['2019-01-02']).astype('datetime64')",
        "result[0].day == 2 and str(result.dtype) == 'datetime64[ns]'",
    ),
    Case(
        "pandas-astype-datetime",
        PD,
        "result = pd.Series(['2019-01-02']).astype(np.datetime64)",
        "result[0].day == 2",
    ),
    Case(
        "pandas-rename-axis-mapper",
        PD,
        "result = df.rename_axis({'a': 'z'}, axis=1)",
        "list(result.columns) == ['z', 'b', 't']",
    ),
    Case(
        "pandas-dropna-how-thresh",
        PD + "df.loc[0, 'b'] = np.nan\n",
        "result = df.dropna(axis=0, how='any', thresh=2)",
        "len(result) == 3",
    ),
    Case(
        "pandas-dropna-how-thresh",
        PD + "df.loc[0, 'b'] = np.nan\n",
        "result = df.dropna(how='any', thresh=None)",
        "len(result) == 2",
    ),
    Case(
        "pandas-styler-null-color",
        PD,
        "result = df.style.highlight_null(null_color='red').to_html()",
        "len(result) > 0",
        without=NO_JINJA,
    ),
    Case(
        "pandas-styler-methods",
        PD,
        "result = df.style.set_precision(1).hide_index().set_na_rep('-').render()",
        "'4.0' in result",
        without=NO_JINJA,
    ),
    Case(
        "pandas-styler-methods",
        PD,
        "result = df.style.hide_columns(['b']).to_html()",
        "'4.0' not in result",
        without=NO_JINJA,
    ),
    Case(
        "pandas-applymap",
        PD,
        "result = df.style.applymap(lambda value: 'color: red').to_html()",
        "'red' in result",
        without=NO_JINJA,
    ),
    Case(
        "pandas-mixed-timezones",
        PD + "f = pd.Series(['2016-04-01 00:00 +0200', '2016-01-01 00:00 +0100'])\n",
        "result = pd.to_datetime(f)\nhours = result.dt.hour",
        "hours.tolist() == [22, 23]",
        never_worked="until pandas 0.24 only, which no environment has",
    ),
    Case(
        "pandas-parse-dates-mixed",
        PD,
        f"d = pd.read_csv({MIXED}, parse_dates=['d'])\nresult = d['d'].dt.month",
        "result.tolist() == [1, 1]",
    ),
    Case(
        "pandas-parse-dates-mixed",
        PD,
        f"d = pd.read_csv({MIXED}, parse_dates=True, index_col='d')\n"
        "result = d.resample('D').sum()",
        "result.n.sum() == 3",
    ),
    Case(
        "pandas-quantile-truths",
        PD + "df['c'] = [True, False, True]\n",
        "result = df[['a', 'c']].quantile(.25)",
        "result.tolist() == [1.5, 0.5]",
    ),
    Case(
        "pandas-compare-aligned",
        PD + "low = df.quantile(.25, numeric_only=True)\n",
        "result = df[~((df < (low * 1.2)) | (df > low * 2)).any(axis=1)]",
        "result.a.tolist() == [3]",
    ),
    Case(
        "pandas-compare-aligned",
        PD + "low = df.quantile(.5, numeric_only=True)\n",
        "result = (df < low).sum()",
        "result.to_dict() == {'a': 1, 'b': 1, 't': 0}",
    ),
    Case(
        "pandas-integer-position",
        PD + "risks = pd.crosstab(df['t'], df['t'])\n",
        "low = risks['x'][0]\nhigh = risks['y'][1]\nresult = [low, high]",
        "result == [1, 2]",
    ),
    Case(
        "networkx-pagerank-variants",
        "import networkx as nx\ng = nx.path_graph(3)\n",
        "result = nx.pagerank_scipy(g)",
        "len(result) == 3",
    ),
    Case(
        "networkx-set-attributes-order",
        "import networkx as nx\ng = nx.path_graph(3)\n",
        "nx.set_node_attributes(g, 'kind', {1: 'a'})",
        "g.nodes[1]['kind'] == 'a'",
    ),
    Case(
        "pandas-column-of-arrays",
        PD + "costs = pd.DataFrame({'cost': [np.array([1.5]), np.array([2.])]})\n",
        "result = costs['cost'].astype(float)",
        "result.tolist() == [1.5, 2]",
    ),
    Case(
        "pandas-ix",
        PD + "other = df.set_index('t')\nd = pd.read_csv(io.StringIO('a,b\\n1,2\\n3,4'))\n",
        "d = d[d.a > 1]\nresult = d.ix[1]",
        "result.b == 4",
    ),
    Case(
        "pandas-object-numbers",
        PD + "from sklearn.tree import DecisionTreeClassifier\n",
        "texts.loc[texts['t'] == 'x', 't'] = 0\n"
        "texts.loc[texts['t'] == 'y', 't'] = 1\n"
        "result = DecisionTreeClassifier().fit(texts[['a']], texts['t'])",
        "result.classes_.tolist() == [0, 1]",
    ),
    Case(
        "pandas-infer-string",
        "",
        "import pandas as pd\n"
        "d = pd.DataFrame({'a': ['x', 'y']})\n"
        "d.loc[d['a'] == 'x', 'a'] = 0\n"
        "d.loc[d['a'] == 'y', 'a'] = 1",
        "d.a.tolist() == [0, 1]",
    ),
    Case(
        "pandas-errors-ignore",
        PD + "d = pd.DataFrame({'a': ['x', '1'], 'b': ['3', None]})\n",
        "result = d.apply(pd.to_numeric, errors='ignore')",
        "result.a.tolist() == ['x', '1'] and result.b[0] == 3",
    ),
    Case(
        "pandas-errors-ignore",
        PD + "d = pd.DataFrame({'a': ['x', '1'], 'b': ['3', '4']})\n",
        "result = d.apply(lambda c: pd.to_numeric(c, errors='ignore'))",
        "result.a.tolist() == ['x', '1'] and result.b.tolist() == [3, 4]",
    ),
    Case(
        "pandas-convert-objects",
        PD + "d = pd.DataFrame({'a': ['x', 'y'], 'b': ['3', '-']})\n",
        "result = d.convert_objects(convert_numeric=True)",
        "result.a.tolist() == ['x', 'y'] and result.b[0] == 3 and np.isnan(result.b[1])",
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "df.loc[0, 'a'] = 'fine'",
        "df.a.tolist() == ['fine', 2, 3]",
    ),
]

SILENT: list[Case] = [
    Case(
        "pandas-replace-types",
        PD,
        "result = texts['t'].replace({'x': 0, 'y': 1})",
        "result.dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        PD,
        "texts.replace(['x', 'y'], [0, 1], inplace=True)",
        "texts.t.dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        PD + "s = pd.Series([True, None], dtype=object)\n",
        "result = s.fillna(False)",
        "result.dtype == bool",
    ),
    Case(
        "pandas-column-view",
        PD,
        "s = df['b']\ns.replace(4., 9., inplace=True)",
        "df.b.tolist() == [9, 5, 6]",
    ),
]
