from __future__ import annotations

from tests.fixing.rules.executed.case import Case

TABLES = """
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
texts = pd.DataFrame({'a': [1, 2, 3], 't': pd.Series(['x', 'y', 'y'], dtype=object)})
days = pd.DataFrame({'n': range(60)}, index=pd.date_range('2015-01-20', periods=60))
"""
MIXED = "io.StringIO('d,n\\n2019-01-13,1\\n01/02/2018,2\\n')"
TYPES = """
import numpy as np
import pandas as pd
df = pd.DataFrame({'s': ['m', 'f', 'm', 'f'], 'n': [1, 2, 3, 4], 'b': [True, None, False, True]})
codes = {'m': 1, 'f': 0}
"""
PD = """
import datetime
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
gaps = pd.DataFrame({'a': [1., np.nan, 3.], 'b': [4., 4., 8.]})
when = pd.to_datetime(pd.Series(['2019-01-01 00:00', '2019-07-05 12:00']))
levels = pd.MultiIndex.from_product([['p', 'q'], [1, 2]])
many = pd.DataFrame({'v': [4, 3, 2, 1]}, index=levels)
kinds = pd.DataFrame({'c': pd.Categorical(['x', 'x'], categories=['x', 'y']), 'n': [1, 2]})
"""
DAY = "io.StringIO('d,n\\n2019-03-01,1')"

SPREAD = """
import numpy as np
import pandas as pd
df = pd.DataFrame({'g': ['a', 'a', 'b', 'b'], 'v': [1.0, 2.0, 3.0, 4.0]})
"""
GAP = SPREAD + "df.loc[0, 'v'] = np.nan\n"
LOUD: list[Case] = [
    Case(
        "pandas-astype-missing",
        TYPES + "df['u'] = [1.5, None, 2.0, None]\n",
        "result = df[['s', 'u']].astype(str).apply(' '.join, axis=1)\nlengths = result.str.len()",
        "result.tolist() == ['m 1.5', 'f nan', 'm 2.0', 'f nan'] and lengths.tolist() == [5] * 4",
        line=1,
    ),
    Case(
        "pandas-row-position",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})\n",
        "def total(cols):\n    return cols[0] + 10 * cols[-1]\n"
        "result = df[['a', 'b']].apply(total, axis=1)",
        "result.tolist() == [31, 42]",
    ),
    Case(
        "pandas-row-position",
        "import pandas as pd\ndf = pd.DataFrame({'a': range(4)}, index=pd.date_range('2019', "
        "periods=4))\n",
        "result = df.resample('2D').apply(lambda x: x[-1])",
        "result.a.tolist() == [1, 3]",
    ),
    Case(
        "pandas-pivot-numbers",
        TABLES,
        "result = df.pivot_table(index='a')",
        "list(result.columns) == ['b'] and result.b[2] == 5",
    ),
    Case(
        "pandas-pivot-numbers",
        TABLES + "df['u'] = 'q'\n",
        "result = pd.pivot_table(df, index=['t'], columns='a', aggfunc='mean')",
        "set(result.columns.get_level_values(0)) == {'b'}",
    ),
    Case(
        "pandas-get-group",
        TABLES,
        "groups = df.groupby(['t'])\nresult = groups.get_group('y')",
        "result.a.tolist() == [2, 3]",
    ),
    Case(
        "pandas-interpolate-text",
        TABLES + "texts.loc[1, 'a'] = np.nan\n",
        "result = texts.interpolate(method='linear')",
        "result.a.tolist() == [1, 2, 3] and result.t.tolist() == ['x', 'y', 'y']",
    ),
    Case(
        "pandas-interpolate-text",
        TABLES + "texts.loc[1, 'a'] = np.nan\n",
        "texts.interpolate(inplace=True)",
        "texts.a.tolist() == [1, 2, 3]",
    ),
    Case("pandas-row-dates", TABLES, "result = days['2015-02']", "len(result) == 28"),
    Case(
        "pandas-column-names-values",
        TABLES,
        "df.columns.values[0] = 'z'",
        "list(df.columns) == ['z', 'b', 't']",
    ),
    Case(
        "pandas-column-names-values",
        TABLES + "df.columns = ['a', 'a', 't']\n",
        "df.columns.values[[0, 2]] = ['x', 'y']\ndf.columns.values[-1] = 'z'",
        "list(df.columns) == ['x', 'a', 'z']",
    ),
    Case(
        "pandas-astype-datetime",
        TABLES,
        "result = pd.Series(['2019-01-02']).astype('datetime64')",
        "result[0].day == 2 and str(result.dtype) == 'datetime64[ns]'",
    ),
    Case(
        "pandas-astype-datetime",
        TABLES,
        "result = pd.Series(['2019-01-02']).astype(np.datetime64)",
        "result[0].day == 2",
    ),
    Case(
        "pandas-mixed-timezones",
        TABLES + "f = pd.Series(['2016-04-01 00:00 +0200', '2016-01-01 00:00 +0100'])\n",
        "result = pd.to_datetime(f)\nhours = result.dt.hour",
        "hours.tolist() == [22, 23]",
        never_worked="until pandas 0.24 only, which no environment has",
    ),
    Case(
        "pandas-parse-dates-mixed",
        TABLES,
        f"d = pd.read_csv({MIXED}, parse_dates=['d'])\nresult = d['d'].dt.month",
        "result.tolist() == [1, 1]",
    ),
    Case(
        "pandas-parse-dates-mixed",
        TABLES,
        f"d = pd.read_csv({MIXED}, parse_dates=True, index_col='d')\n"
        "result = d.resample('D').sum()",
        "result.n.sum() == 3",
    ),
    Case(
        "pandas-quantile-truths",
        TABLES + "df['c'] = [True, False, True]\n",
        "result = df[['a', 'c']].quantile(.25)",
        "result.tolist() == [1.5, 0.5]",
    ),
    Case(
        "pandas-compare-aligned",
        TABLES + "low = df.quantile(.25, numeric_only=True)\n",
        "result = df[~((df < (low * 1.2)) | (df > low * 2)).any(axis=1)]",
        "result.a.tolist() == [3]",
    ),
    Case(
        "pandas-compare-aligned",
        TABLES + "low = df.quantile(.5, numeric_only=True)\n",
        "result = (df < low).sum()",
        "result.to_dict() == {'a': 1, 'b': 1, 't': 0}",
    ),
    Case(
        "pandas-integer-position",
        TABLES + "risks = pd.crosstab(df['t'], df['t'])\n",
        "low = risks['x'][0]\nhigh = risks['y'][1]\nresult = [low, high]",
        "result == [1, 2]",
    ),
    Case(
        "pandas-column-of-arrays",
        TABLES + "costs = pd.DataFrame({'cost': [np.array([1.5]), np.array([2.])]})\n",
        "result = costs['cost'].astype(float)",
        "result.tolist() == [1.5, 2]",
    ),
    Case(
        "pandas-object-numbers",
        TABLES + "from sklearn.tree import DecisionTreeClassifier\n",
        "texts.loc[texts['t'] == 'x', 't'] = 0\n"
        "texts.loc[texts['t'] == 'y', 't'] = 1\n"
        "result = DecisionTreeClassifier().fit(texts[['a']], texts['t'])",
        "result.classes_.tolist() == [0, 1]",
    ),
    Case(
        "pandas-upcasting-setitem",
        TABLES,
        "df.loc[0, 'a'] = 'fine'",
        "df.a.tolist() == ['fine', 2, 3]",
    ),
    Case(
        "pandas-group-keys",
        PD,
        "gaps['a'] = gaps.groupby('b')['a'].apply(lambda x: x.fillna(x.mean()))",
        "list(gaps.a) == [1, 1, 3]",
        without={"newest": "pandas 3 aligns the wrong index instead of refusing it"},
    ),
    Case(
        "pandas-value-counts-names",
        PD,
        "result = df['t'].value_counts().reset_index()['index']",
        "list(result) == ['y', 'x']",
    ),
    Case(
        "pandas-read-csv-squeeze",
        PD,
        "result = pd.read_csv(io.StringIO('a\\n1\\n2'), squeeze=True)",
        "list(result) == [1, 2]",
    ),
    Case(
        "pandas-read-csv-prefix",
        PD,
        "result = pd.read_csv(io.StringIO('1,2'), header=None, prefix='x')",
        "list(result.columns) == ['x0', 'x1']",
    ),
    Case(
        "pandas-read-csv-date-parser",
        PD,
        f"parse = lambda x: datetime.datetime.strptime(x, '%Y-%m-%d')\n"
        f"result = pd.read_csv({DAY}, parse_dates=['d'], date_parser=parse)",
        "result.d[0].month == 3",
    ),
    Case(
        "pandas-read-csv-date-parser",
        PD,
        f"result = pd.read_csv({DAY}, parse_dates=['d'], date_parser=pd.to_datetime)",
        "result.d[0].month == 3",
    ),
    Case(
        "pandas-read-csv-nested-dates",
        PD,
        "x = pd.read_csv(io.StringIO('n,d,h\\n1,2019-03-01,10:30'), parse_dates=[['d', 'h']])",
        "list(x.columns) == ['d_h', 'n'] and x.d_h[0].hour == 10",
    ),
    Case("pandas-integer-position", PD, "result = df.dtypes[0]", "result == 'int64'"),
    Case(
        "pandas-integer-position",
        PD,
        "result = df.apply(lambda row: row[0] + row[1], axis=1)",
        "list(result) == [5, 7, 9]",
    ),
    Case(
        "pandas-integer-position",
        PD,
        "for i, row in df.iterrows():\n    result = row[-1]",
        "result == 'y'",
    ),
    Case(
        "pandas-read-only-values",
        PD,
        "x = df[['b']].values\nx[0] = 9",
        "x[0, 0] == 9",
    ),
    Case("pandas-read-only-values", PD, "x = df['b'].values\nx *= 2", "x[0] == 8"),
    Case(
        "pandas-read-only-values",
        PD,
        "x = df['b'].values\nnp.random.shuffle(x)",
        "sorted(x) == [4, 5, 6]",
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "df.loc[0, 'a'] = 0.5",
        "list(df.a) == [0.5, 2, 3]",
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "df.loc[df.a > 1, 'a'] = 'many'",
        "list(df.a) == [1, 'many', 'many']",
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "for i in range(2):\n    df.loc[i, 'a'] = f'number {i}'\nresult = df['a'].str.len()",
        "list(result[:2]) == [8, 8] and df.a[2] == 3",
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "df.iloc[0, 0] = 'x'\nresult = list(df['a'])",
        "result == ['x', 2, 3]",
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "df['a'].iloc[0] = 'x'\nresult = list(df['a'])",
        "result == ['x', 2, 3]",
        also=("pandas-chained-setitem",),
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "df['n'] = 0\ndf.loc[df.a > 1, 'n'] = df['t']\nresult = list(df['n'])",
        "result[0] == 0 and result[1:] == list(df.t[1:])",
        line=2,
    ),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "t = ['a', 'b']\ndf.loc[:, t] = np.log1p(df.loc[:, t])\nresult = df[t]",
        "abs(result.a[0] - np.log(2)) < 1e-9 and str(result.dtypes.iloc[1]) == 'float64'",
        line=2,
    ),
    Case(
        "pandas-one-element",
        PD,
        "df.loc[df.a > 1, 'b'] = 0,\nresult = df['b']",
        "list(result) == [4, 0, 0]",
        line=1,
    ),
    Case(
        "pandas-one-element",
        f"{PD}fill = np.array(['q'])\n",
        "df.loc[df.a > 1, 't'] = fill\nresult = df['t']",
        "list(result) == ['x', 'q', 'q']",
        line=1,
    ),
    Case(
        "pandas-one-element",
        PD,
        "df.loc[df.a > 0, 't'] = df.t.mode().values\nresult = df['t']",
        "list(result) == ['y', 'y', 'y']",
        line=1,
    ),
    Case(
        "pandas-one-element",
        f"{PD}fill = np.array(['q'])\n",
        "df.t[df.a > 1] = fill\nresult = df['t']",
        "list(result) == ['x', 'q', 'q']",
        also=("pandas-chained-setitem",),
        without={"kaggle": "a column took the one element there"},
    ),
    Case(
        "pandas-column-of-numbers",
        PD,
        "df['n'] = np.zeros(len(df))\ndf.loc[df.a > 1, 'n'] = 'many'\n"
        "df.loc[df.a > 2, 'n'] = 'most'\nresult = df['n']",
        "list(result) == [0, 'many', 'most']",
        line=2,
    ),
    Case(
        "pandas-column-of-numbers",
        PD,
        "df['n'] = 0\nfor i in df.index:\n    df.at[i, 'n'] = df.a[i] / 2\nresult = df['n']",
        "list(result) == [0.5, 1, 1.5]",
        line=3,
    ),
    Case(
        "pandas-level-statistics",
        PD,
        "result = many.sum(level=0)",
        "list(result.v) == [7, 3]",
    ),
    Case(
        "pandas-level-statistics",
        PD,
        "result = many['v'].mean(level=1)",
        "list(result) == [3, 2]",
    ),
    Case(
        "pandas-groupby-axis",
        PD,
        "result = df[['a', 'b']].groupby([0, 0], axis=1).sum()",
        "list(result[0]) == [5, 7, 9]",
    ),
    Case(
        "pandas-groupby-apply-columns",
        PD,
        "result = df.groupby('t').apply(lambda g: g['t'].iloc[0])",
        "list(result) == ['x', 'y']",
    ),
    Case(
        "pandas-set-value",
        PD,
        "df.set_value(1, 'a', 7)",
        "list(df.a) == [1, 7, 3]",
    ),
    Case(
        "pandas-set-value",
        PD,
        "df = df.set_value(1, 'a', 7)",
        "list(df.a) == [1, 7, 3]",
    ),
    Case(
        "pandas-set-value",
        PD,
        "df.set_value(df.b.isnull(), 'a', 0)\ndf.set_value(df.a > 1, 'a', [8, 9])",
        "list(df.a) == [1, 8, 9]",
    ),
    Case(
        "pandas-nested-renamer",
        PD,
        "result = df.groupby('t')['a'].agg({'m': 'mean', 's': 'sum'})",
        "list(result.columns) == ['m', 's'] and list(result.s) == [1, 5]",
    ),
    Case(
        "pandas-nested-renamer",
        PD,
        "result = df.groupby('t')['a'].agg({'the mean': np.mean})",
        "list(result.columns) == ['the mean']",
    ),
    Case(
        "pandas-nested-renamer",
        PD,
        "made = df.groupby('t')[['a', 'b']].agg({'avg': np.average, 'sum': np.sum})\n"
        "result = made['sum']['a'].tolist() + made['avg']['b'].tolist()",
        "result == [1, 5, 4.0, 5.5]",
        line=1,
    ),
    Case(
        "pandas-nested-renamer",
        PD,
        "result = df.groupby('t').agg({'a': {'m': 'mean', 's': 'sum'}, 'b': {'x': 'max'}})",
        "list(result.columns) == [('a', 'm'), ('a', 's'), ('b', 'x')] and "
        "list(result['b']['x']) == [4, 6]",
    ),
    Case(
        "pandas-timedelta-units",
        PD,
        "result = (when - when[0]) / np.timedelta64(1, 'M')",
        "round(result[1], 4) == 6.0946",
    ),
    Case(
        "pandas-timedelta-units",
        PD,
        "result = (when - when[0]).astype('timedelta64[D]')",
        "list(result) == [0, 185] and result.dtype == float",
    ),
    Case(
        "pandas-timedelta-units",
        PD,
        "result = (when[0] - when).astype('timedelta64[h]')",
        "list(result) == [0, -4452]",
    ),
    Case(
        "pandas-datetime-units",
        PD,
        "result = when.astype('datetime64[D]')",
        "result[1].hour == 0",
    ),
    Case(
        "pandas-mixed-dates",
        PD,
        "result = pd.to_datetime(pd.Series(['2019-01-01', '01/02/2019 10:00']))",
        "result[1].hour == 10",
    ),
    *(
        Case(
            "pandas-mixed-dates",
            PD,
            f"dates = pd.Series({dates})\nresult = pd.to_datetime(dates, dayfirst=True)",
            "result.dt.month.tolist()[-2:] == [2, 2] and result.dt.day.tolist()[:2] == [1, 13]",
        )
        for dates in (
            ["2016-01-01", "2016-01-13", "2016-02-01", "2016-02-12"],
            ["2016/01/01", "2016/01/13", "2016/02/01", "2016/02/12"],
            ["01/01/2016", "13/01/2016", "02/13/2016", "01/02/2016"],
            ["01/01/2016", "13/01/2016", "2016-02-01", "01/02/2016"],
            ["2016-01-01", "13/01/2016", "2016-02-01", "01/02/2016"],
        )
    ),
    *(
        Case(
            "pandas-parse-dates-mixed",
            TABLES + "text = io.StringIO('d,n\\n2016-01-01,1\\n2016-02-01,2\\n2016-02-13,3\\n')\n",
            f"d = pd.read_csv(text, {arguments}, dayfirst=True)\nresult = {then}",
            "list(result) == [1, 2, 2]",
        )
        for arguments, then in (
            ("parse_dates=['d']", "d['d'].dt.month"),
            ("parse_dates=['d'], index_col='d'", "d.index.month"),
        )
    ),
    Case(
        "pandas-astype-missing-input",
        TABLES
        + "from sklearn.feature_extraction import DictVectorizer\n"
        + "from sklearn.linear_model import LogisticRegression\n"
        + "df['c'] = ['x', np.nan, 'z']\n",
        "texts = df[['c']].astype(str)\n"
        "rows = DictVectorizer(sparse=False).fit_transform(texts.to_dict(orient='records'))\n"
        "result = LogisticRegression().fit(rows, [0, 1, 0]).coef_.shape",
        "result == (1, 3)",
    ),
    *(
        Case("pandas-row-position", TABLES + "first = df['a']\n", f"result = {code}", holds)
        for code, holds in (
            ("df.count()[0]", "result == 3"),
            ("df.isnull().sum()[-1]", "result == 0"),
            ("df.nunique()[1]", "result == 3"),
            ("str(df.dtypes[0])", "result == 'int64'"),
            ("df['a'].describe()[1]", "result == 2"),
        )
    ),
    Case(
        "pandas-row-position",
        TABLES + "import statsmodels.api as sm\nfrom statsmodels.formula.api import ols\n"
        "df['y'] = [1., 2.5, 2.]\nmodel = ols('y ~ a', df).fit()\n",
        "aov = sm.stats.anova_lm(model)\nresult = model.params[1], aov['sum_sq'][0]",
        "[round(one, 3) for one in result] == [0.5, 0.5]",
    ),
    Case(
        "pandas-dates-with-year-first",
        TABLES + "from statsmodels.tsa.seasonal import seasonal_decompose\n"
        "days = [f'{y}-{m:02d}-01' for y in (1980, 1981, 1982) for m in range(1, 13)]\n"
        "text = io.StringIO('m,n\\n' + '\\n'.join(f'{m},{n % 12}' for n, m in enumerate(days)))\n",
        "d = pd.read_csv(text, index_col=['m'], parse_dates=['m'], dayfirst=True)\n"
        "result = len(seasonal_decompose(d['n']).trend), d.index[1].month",
        "result == (36, 2)",
    ),
    Case(
        "pandas-group-sum-text",
        TABLES + "df['c'] = pd.cut(df['a'], 2)\n",
        "result = df.groupby('t').sum()['a']",
        "result.tolist() == [1, 5]",
    ),
    Case("pandas-stack", PD, "result = gaps.stack(dropna=False)", "len(result) == 6"),
]

SILENT: list[Case] = [
    Case(
        "pandas-read-csv-none",
        f"{PD}text = 'kind,n\\nNone,1\\nhouse,\\nNA,3\\n'\n",
        "result = pd.read_csv(io.StringIO(text))",
        "result.kind.isnull().sum() == 1 and result.n.isnull().sum() == 1",
    ),
    *(
        Case("pandas-numpy-aggregates", SPREAD, f"result = {code}\nlarge = result > 0.7", "large")
        for code in (
            "df.groupby('g').v.agg(np.std).iloc[0]",
            "df.groupby('g').v.transform(np.nanstd).iloc[0]",
            "df.groupby('g').agg({'v': [np.mean, np.std]}).iloc[0, 1]",
            "df.groupby('g').agg(x=('v', np.std)).iloc[0, 0]",
            "df.pivot_table(index='g', values='v', aggfunc=[np.std]).iloc[0, 0]",
            "pd.pivot_table(df, index='g', values='v', aggfunc=np.std).iloc[0, 0]",
            "df.v.head(2).agg(np.std)",
            "df[['v']].agg(np.var).iloc[0] - 0.9",
        )
    ),
    *(
        Case(
            "pandas-numpy-aggregates",
            GAP,
            f"result = {code}\nmissing = bool(np.isnan(result))",
            "not missing",
        )
        for code in (
            "df.groupby('g').v.agg(np.median).iloc[0]",
            "df.groupby('g').v.apply(sum).iloc[0]",
            "df.groupby('g').agg({'v': [np.mean, sum]}).iloc[0, 1]",
            "df.pivot_table(index='g', values='v', aggfunc=sum).reindex(['a']).iloc[0, 0]",
            "df.v.agg([min, np.median]).iloc[1]",
            "df.set_index(pd.date_range('2020', periods=len(df))).v.resample('YE')"
            ".apply(np.median).iloc[0]",
        )
    ),
    Case(
        "pandas-replace-types",
        TABLES,
        "result = texts['t'].replace({'x': 0, 'y': 1})",
        "result.dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        TABLES,
        "texts.replace(['x', 'y'], [0, 1], inplace=True)",
        "texts.t.dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        TABLES + "s = pd.Series([True, None], dtype=object)\n",
        "result = s.fillna(False)",
        "result.dtype == bool",
    ),
    Case(
        "pandas-column-view",
        TABLES,
        "s = df['b']\ns.replace(4., 9., inplace=True)",
        "df.b.tolist() == [9, 5, 6]",
    ),
    Case(
        "pandas-replace-types",
        TYPES,
        "result = df['s'].replace(['m', 'f'], [1, 0])",
        "result.dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        TYPES,
        "result = df['s'].replace('m', 1.5).replace('f', 0)",
        "result.dtype == 'float64'",
    ),
    Case(
        "pandas-replace-types",
        TYPES,
        "df.replace({'s': codes}, inplace=True)",
        "df['s'].dtype == 'int64' and df['n'].dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        TYPES,
        "for c in ['s']:\n    df[c] = df[c].replace(list(df[c].unique()), range(2))",
        "list(df['s']) == [0, 1, 0, 1] and df['s'].dtype == 'int64'",
    ),
    Case(
        "pandas-replace-types",
        TYPES + "b = pd.Series([True, False])\n",
        "result = b.replace({True: 1, False: 0})",
        "result.dtype == 'int64'",
    ),
    Case("pandas-replace-types", TYPES, "result = df['b'].fillna(False)", "result.dtype == bool"),
    Case(
        "pandas-whole-columns",
        TYPES
        + "from sklearn.preprocessing import LabelEncoder\ndf['s'] = df['s'].astype(object)\n",
        "df.iloc[:, 0] = LabelEncoder().fit_transform(df.iloc[:, 0])",
        "df['s'].dtype == 'int64' and list(df['s']) == [1, 0, 1, 0]",
    ),
    Case(
        "pandas-whole-columns",
        TYPES + "df['s'] = df['s'].astype(object)\n",
        "for c in ['s']:\n    df.loc[:, c] = df[c].astype('category')",
        "str(df['s'].dtype) == 'category'",
    ),
    Case(
        "pandas-whole-columns",
        TYPES + "df['s'] = df['s'].astype(object)\n",
        "df.loc[:, 's'] = df['s'].map(codes)",
        "df['s'].dtype == 'int64'",
    ),
    Case(
        "pandas-value-counts-names",
        PD,
        "c = df['t'].value_counts()\nresult = c.reset_index()",
        "list(result.columns) == ['index', 't'] and list(result['t']) == [2, 1]",
    ),
    Case(
        "pandas-value-counts-names",
        PD,
        "result = pd.DataFrame(df.t.value_counts()[:1])",
        "list(result.columns) == ['t'] and list(result.index) == ['y']",
    ),
    Case(
        "pandas-value-counts-names",
        PD,
        "result = df['a'].isnull().value_counts().to_frame()",
        "list(result.columns) == ['a']",
    ),
    Case(
        "pandas-datetime-integers",
        PD,
        "result = when.astype('int64') // 10 ** 9",
        "result[0] == 1546300800",
    ),
    Case(
        "pandas-datetime-integers",
        PD + "df['d'] = pd.to_datetime('2019-01-01')\n",
        "df['d'] = pd.to_datetime(df['d'])\nresult = df['d'].astype(np.int64)",
        "result[0] == 1546300800000000000",
    ),
    Case(
        "pandas-column-view",
        PD,
        "s = df['a']\ns[df.a > 1] = 0",
        "list(df.a) == [1, 0, 0]",
    ),
    Case(
        "pandas-column-view",
        PD,
        "s = df.b\ns.iloc[0] += 1\ns.loc[2] = 9",
        "list(df.b) == [5, 5, 9]",
    ),
    Case(
        "pandas-groupby-observed",
        PD,
        "result = len(kinds.groupby('c').size())",
        "result == 2",
    ),
    Case(
        "pandas-groupby-apply-columns",
        PD,
        "result = list(df.groupby('t').apply(lambda g: g.head(1)).columns)",
        "result == ['a', 'b', 't']",
    ),
    Case(
        "pandas-group-keys",
        PD,
        "result = df.groupby('t')['b'].apply(lambda x: x - x.mean())",
        "list(result.index) == [0, 1, 2] and list(result) == [0, -0.5, 0.5]",
    ),
    Case(
        "pandas-group-names",
        PD,
        "result = [name for name, g in df.groupby(['t'])]",
        "result == ['x', 'y']",
    ),
    Case(
        "pandas-group-sum-text",
        PD,
        "result = list(df.groupby('a').sum().columns)",
        "result == ['b']",
    ),
    Case(
        "pandas-group-sum-text",
        PD,
        "result = list(df.groupby('a').agg('sum').columns)",
        "result == ['b']",
    ),
    Case(
        "pandas-group-sum-text",
        PD,
        "result = list(df.groupby('a').aggregate(np.sum).columns)",
        "result == ['b']",
    ),
    Case("pandas-stack", PD, "result = len(gaps.stack())", "result == 5"),
    Case(
        "pandas-numpy-mean",
        PD,
        "result = df.groupby('t')[['a', 'b']].apply(np.mean)\nshape = result.shape",
        "shape == (2, 2)",
    ),
    Case(
        "pandas-numpy-reductions",
        PD,
        "result = df.groupby('t')[['a', 'b']].apply(np.std)\nshape = result.shape",
        "shape == (2, 2)",
    ),
    Case(
        "pandas-numpy-mean",
        PD,
        "result = np.mean(gaps)",
        "np.ravel(result).tolist() == [2, 16 / 3]",
    ),
    Case(
        "pandas-numpy-reductions",
        PD,
        "result = np.std(df[['a', 'b']])",
        "np.ravel(result).round(6).tolist() == [0.816497, 0.816497]",
    ),
    Case(
        "pandas-numpy-reductions",
        PD,
        "missing = np.sum(df.isnull())\nresult = list(np.ravel(missing))",
        "result == [0, 0, 0]",
    ),
    Case(
        "pandas-concat-sort",
        PD + "wide = pd.DataFrame({'z': [1], 'a': [2]})\nsame = wide.copy()\n",
        "result = pd.concat([wide, df])\nplain = pd.concat([wide, same])",
        "list(result) == ['a', 'b', 't', 'z'] and list(plain) == ['z', 'a']",
    ),
    Case(
        "pandas-concat-sort",
        PD + "wide = pd.DataFrame({'z': [1], 'a': [2]})\n",
        "result = pd.DataFrame()\nfor part in [1, 2]:\n"
        "    result = pd.concat([result, wide[wide.a == part]])\nmore = pd.concat([wide, df])",
        "list(result) == ['z', 'a'] and list(more) == ['a', 'b', 't', 'z']",
    ),
    Case(
        "pandas-array-split",
        PD,
        "result = np.array_split(df, 2)[0]",
        "isinstance(result, pd.DataFrame) and list(result.columns) == ['a', 'b', 't']",
    ),
    Case(
        "pandas-array-split",
        PD,
        "result = np.array_split(df.sample(frac=1), 2)",
        "isinstance(result[0], pd.DataFrame) and "
        "sorted([*result[0].index, *result[1].index]) == list(df.index)",
        differs="without a seed",
    ),
]
