"""Calls of pandas that are still there and give something else."""

from __future__ import annotations

from tests.fixing.rules.executed.case import Case

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

LOUD: list[Case] = [
    Case(
        "pandas-frequency-names",
        PD + "ts = pd.Series([1, 2], index=when)\n",
        "result = ts.resample('Q-NOV').sum()",
        "result.sum() == 3 and result.index[0].month == 2",
    ),
    Case(
        "pandas-frequency-names",
        PD + "ts = pd.Series([1, 2], index=when)\n",
        "result = ts.groupby(pd.Grouper(freq='AS')).sum()",
        "list(result) == [3]",
    ),
    Case(
        "pandas-frequency-names",
        PD,
        "result = when.dt.floor('30T')",
        "result[1].hour == 12",
    ),
    Case(
        "pandas-period-frequencies",
        PD,
        "result = when.dt.to_period('A')",
        "str(result[0]) == '2019'",
    ),
    Case(
        "pandas-timedelta-abbreviations",
        PD,
        "result = pd.to_timedelta(df['a'], unit='T')",
        "result[1].seconds == 120",
    ),
    Case(
        "pandas-timedelta-months",
        PD,
        "pd.to_timedelta(df['a'], unit='M')",
        fix=False,
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
    Case("pandas-read-only-values", PD, "x = df[['b']].values\nx[0] = 9", "x[0, 0] == 9"),
    Case("pandas-read-only-values", PD, "x = df['b'].values\nx *= 2", "x[0] == 8"),
    Case(
        "pandas-read-only-values",
        PD,
        "x = df['b'].values\nnp.random.shuffle(x)",
        "sorted(x) == [4, 5, 6]",
    ),
    Case("pandas-upcasting-setitem", PD, "df.loc[0, 'a'] = 0.5", "list(df.a) == [0.5, 2, 3]"),
    Case(
        "pandas-upcasting-setitem",
        PD,
        "df.loc[df.a > 1, 'a'] = 'many'",
        "list(df.a) == [1, 'many', 'many']",
    ),
    Case("pandas-level-statistics", PD, "result = many.sum(level=0)", "list(result.v) == [7, 3]"),
    Case(
        "pandas-level-statistics", PD, "result = many['v'].mean(level=1)", "list(result) == [3, 2]"
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
    Case("pandas-set-value", PD, "df.set_value(1, 'a', 7)", "list(df.a) == [1, 7, 3]"),
    Case("pandas-set-value", PD, "df = df.set_value(1, 'a', 7)", "list(df.a) == [1, 7, 3]"),
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
        "pandas-datetime-units", PD, "result = when.astype('datetime64[D]')", "result[1].hour == 0"
    ),
    Case(
        "pandas-mixed-dates",
        PD,
        "result = pd.to_datetime(pd.Series(['2019-01-01', '01/02/2019 10:00']))",
        "result[1].hour == 10",
    ),
    Case("pandas-stack", PD, "result = gaps.stack(dropna=False)", "len(result) == 6"),
]

SILENT: list[Case] = [
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
    Case("pandas-column-view", PD, "s = df['a']\ns[df.a > 1] = 0", "list(df.a) == [1, 0, 0]"),
    Case(
        "pandas-column-view",
        PD,
        "s = df.b\ns.iloc[0] += 1\ns.loc[2] = 9",
        "list(df.b) == [5, 5, 9]",
    ),
    Case("pandas-groupby-observed", PD, "result = len(kinds.groupby('c').size())", "result == 2"),
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
    Case("pandas-stack", PD, "result = len(gaps.stack())", "result == 5"),
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
        "pandas-array-split",
        PD,
        "result = np.array_split(df, 2)[0]",
        "isinstance(result, pd.DataFrame) and list(result.columns) == ['a', 'b', 't']",
    ),
]
