from __future__ import annotations

from tests.fixing.rules.executed.case import PLOTS, Case

TABLES = """
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
texts = pd.DataFrame({'a': [1, 2, 3], 't': pd.Series(['x', 'y', 'y'], dtype=object)})
days = pd.DataFrame({'n': range(60)}, index=pd.date_range('2015-01-20', periods=60))
"""
NO_JINJA = {"kaggle": "Jinja is not installed there, which styles need"}
PD = """
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
gaps = pd.DataFrame({'a': [1., np.nan, 3.], 'b': [4., 4., 8.]})
day = pd.date_range('2020-01-01', periods=4, freq='D')
ts = pd.DataFrame({'v': [1., 2., 3., 4.]}, index=day)
"""

LOUD: list[Case] = [
    Case(
        "pandas-to-dict-outtype",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2]})\n",
        "def rows(table):\n    return table.to_dict(outtype='records')\nresult = rows(df)",
        "result == [{'a': 1}, {'a': 2}]",
    ),
    Case(
        "pandas-literal-text",
        "import pandas as pd",
        "result = pd.read_json('[{\"a\": 1}]')",
        "result.a[0] == 1",
    ),
    Case(
        "pandas-literal-text",
        "import json\nimport pandas as pd",
        "result = pd.read_json(json.dumps({str(n): {'a': n} for n in range(500)}), orient='index')",
        "result.shape == (500, 1)",
    ),
    Case(
        "pandas-literal-text",
        "import pandas as pd\npages = ['\\n<d><r><a>1</a></r></d>']",
        "for page in pages:\n    result = pd.read_xml(page, parser='etree')",
        "result.a[0] == 1",
        line=2,
    ),
    Case(
        "pandas-rolling-freq",
        "import pandas as pd\n"
        "s = pd.Series([1.0, 3, 5], pd.to_datetime(['2019-01-01', '2019-01-02', '2019-01-04']))",
        "result = s.rolling(2, min_periods=1, freq='D').sum()",
        "result.tolist() == [1, 4, 3, 5]",
    ),
    Case(
        "pandas-parse-dates-text",
        "import io\nimport pandas as pd\nf = io.StringIO('d,a\\n2019-01-01,1\\n')",
        "result = pd.read_csv(f, parse_dates='d', index_col='d')",
        "result.index[0] == pd.Timestamp('2019-01-01')",
    ),
    Case(
        "pandas-resample-arguments",
        "import pandas as pd\ns = pd.Series([1, 2, 3], pd.date_range('2019-01-30', periods=3))",
        "result = s.resample('M', kind='period').sum()",
        "result.index.astype(str).tolist() == ['2019-01', '2019-02']",
        also=("pandas-frequency-names",),
    ),
    Case(
        "pandas-series-plot-positional",
        PLOTS,
        "result = d['b'].plot('hist')",
        "len(result.patches) == 10",
    ),
    Case(
        "pandas-plot-colors",
        PLOTS,
        "result = d.groupby('a').agg('sum').plot(kind='bar', stacked=True, colors=['g', 'r'])",
        "[p.get_facecolor()[:3] for p in result.patches][::2] == [(0, 0.5, 0), (1, 0, 0)]",
    ),
    Case(
        "pandas-plot-colors",
        PLOTS,
        "result = d[['b', 'c']].plot.area(colors=['g', 'r'])",
        "result.lines[0].get_color() == 'g'",
    ),
    Case(
        "pandas-drop-columns-axis",
        "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})\n",
        "df.drop(columns=df.columns[0], axis=1, inplace=True)",
        "list(df.columns) == ['b']",
    ),
    Case(
        "pandas-resample-mean",
        TABLES,
        "weeks = days.n.resample('W')\nresult = weeks.head(2)",
        "list(result) == [2.5, 9.0]",
    ),
    Case(
        "pandas-resample-how",
        TABLES,
        "result = days.n.resample('W', how='sum')",
        "result.sum() == sum(range(60))",
    ),
    Case(
        "pandas-resample-how",
        TABLES,
        "result = days.n.iloc[::2].resample('D', how='sum')",
        "result.iloc[2] == 2 and bool(np.isnan(result.iloc[1]))",
    ),
    Case(
        "pandas-resample-how",
        TABLES,
        "result = days.iloc[::2].resample('D', how={'n': np.sum}).n",
        "result.iloc[2] == 2 and bool(np.isnan(result.iloc[1]))",
    ),
    Case(
        "pandas-resample-how",
        TABLES,
        "result = days.resample('W', how={'n': 'max'})",
        "result.n.max() == 59",
    ),
    Case(
        "pandas-resample-how",
        TABLES,
        "result = days.n.iloc[::2].resample('D', fill_method='ffill')",
        "result.tolist()[:4] == [0, 0, 2, 2]",
    ),
    Case(
        "pandas-concat-join-axes",
        TABLES + "other = df.iloc[:2]\n",
        "result = pd.concat([df, other], axis=1, join_axes=[other.index])",
        "result.shape == (2, 6) and result.dtypes.iloc[0].kind == 'i'",
    ),
    Case(
        "pandas-concat-join-axes",
        TABLES,
        "result = pd.concat([df, df], join_axes=[['a', 'b']])",
        "result.shape == (6, 2)",
    ),
    Case(
        "pandas-rename-axis-mapper",
        TABLES,
        "result = df.rename_axis({'a': 'z'}, axis=1)",
        "list(result.columns) == ['z', 'b', 't']",
    ),
    Case(
        "pandas-dropna-how-thresh",
        TABLES + "df.loc[0, 'b'] = np.nan\n",
        "result = df.dropna(axis=0, how='any', thresh=2)",
        "len(result) == 3",
    ),
    Case(
        "pandas-dropna-how-thresh",
        TABLES + "df.loc[0, 'b'] = np.nan\n",
        "result = df.dropna(how='any', thresh=None)",
        "len(result) == 2",
    ),
    Case(
        "pandas-styler-null-color",
        TABLES,
        "result = df.style.highlight_null(null_color='red').to_html()",
        "len(result) > 0",
        without=NO_JINJA,
    ),
    Case(
        "pandas-errors-ignore",
        TABLES + "d = pd.DataFrame({'a': ['x', '1'], 'b': ['3', None]})\n",
        "result = d.apply(pd.to_numeric, errors='ignore')",
        "result.a.tolist() == ['x', '1'] and result.b[0] == 3",
    ),
    Case(
        "pandas-errors-ignore",
        TABLES + "d = pd.DataFrame({'a': ['x', '1'], 'b': ['3', '4']})\n",
        "result = d.apply(lambda c: pd.to_numeric(c, errors='ignore'))",
        "result.a.tolist() == ['x', '1'] and result.b.tolist() == [3, 4]",
    ),
    Case(
        "pandas-positional-series",
        PD,
        "result = df['t'].drop_duplicates('last')",
        "len(result)",
    ),
    Case(
        "pandas-positional-series",
        PD,
        "result = df['a'].reset_index(None, True)",
        "list(result) == [1, 2, 3]",
    ),
    Case(
        "pandas-positional-filling",
        PD,
        "df['t'].replace('x', 'q', True)",
        "True",
    ),
    Case(
        "pandas-positional-filling",
        PD,
        "result = gaps['a'].interpolate('linear', 0)",
        "list(result) == [1, 2, 3]",
    ),
    Case("pandas-query-positional", PD, "df.query('a > 1', True)", "len(df) == 2"),
    Case(
        "pandas-positional-writing",
        PD,
        "result = df.to_json(None, 'records')",
        "result.startswith('[{')",
    ),
    Case(
        "pandas-positional-writing",
        PD,
        "result = df.to_csv(None, ';')",
        "';' in result and ',' not in result.splitlines()[0]",
    ),
    Case(
        "pandas-positional-reading",
        PD,
        "result = pd.read_table(io.StringIO('a;b\\n1;2'), ';')",
        "result.shape == (1, 2)",
    ),
    Case(
        "pandas-pivot-function-positional",
        PD,
        "result = pd.pivot(df, 'a', 't', 'b')",
        "result.shape == (3, 2)",
    ),
    Case(
        "pandas-apply-arguments",
        PD,
        "result = df[['a', 'b']].apply(lambda c: c.max(), broadcast=True)",
        "list(result['a']) == [3, 3, 3]",
    ),
    Case(
        "pandas-apply-arguments",
        PD,
        "result = df[['a', 'b']].apply(lambda c: c.max(), reduce=True)",
        "list(result) == [3, 6]",
    ),
    Case(
        "pandas-apply-convert-dtype",
        PD,
        "result = df['a'].apply(lambda v: v + 1, convert_dtype=True)",
        "list(result) == [2, 3, 4]",
    ),
    Case(
        "pandas-groupby-squeeze",
        PD,
        "result = df.groupby('t', squeeze=False)['a'].sum()",
        "list(result) == [1, 5]",
    ),
    Case(
        "pandas-shift-axis",
        PD,
        "result = df.groupby('t')['a'].shift(1, axis=0)",
        "result.isna().sum() == 2",
    ),
    Case(
        "pandas-rolling-axis",
        PD,
        "result = df[['a', 'b']].rolling(2, axis=0).mean()",
        "result['a'][2] == 2.5",
    ),
    Case(
        "pandas-resample-arguments",
        PD,
        "result = ts.resample('2D', axis=0).sum()",
        "list(result.v) == [3, 7]",
    ),
    Case(
        "pandas-resample-base",
        PD,
        "result = ts.resample('2D', base=0).sum()",
        "list(result.v) == [3, 7]",
    ),
    Case(
        "pandas-fillna-downcast",
        PD,
        "result = gaps.fillna(0, downcast=None)",
        "list(result.a) == [1, 0, 3]",
    ),
    Case(
        "pandas-where-errors",
        PD,
        "result = df['a'].where(df.a > 1, 0, try_cast=True)",
        "list(result) == [0, 2, 3]",
    ),
    Case(
        "pandas-pct-change-fill",
        PD,
        "result = gaps['a'].pct_change(1, fill_method='pad')",
        "list(result)[1:] == [0, 2]",
    ),
    Case(
        "pandas-align-fill",
        PD,
        "result = df.align(gaps, join='inner', axis=1, method=None)",
        "list(result[0].columns) == ['a', 'b']",
    ),
    Case(
        "pandas-between-time-include",
        PD,
        "result = ts.between_time('00:00', '01:00', include_end=False)",
        "len(result) == 4",
    ),
    Case(
        "pandas-sort-index-by",
        PD,
        "result = df.sort_index(by='b', ascending=False)",
        "list(result.a) == [3, 2, 1]",
    ),
    Case(
        "pandas-drop-duplicates-take-last",
        PD,
        "result = df.drop_duplicates(cols='t', take_last=True)",
        "list(result.a) == [1, 3]",
    ),
    Case(
        "pandas-pivot-table-rows",
        PD,
        "result = pd.pivot_table(df, values='a', rows='t', aggfunc='sum')",
        "list(result.a) == [1, 5]",
    ),
    Case(
        "pandas-sort-values-columns",
        PD,
        "result = df.sort_values(columns='b', ascending=False)",
        "list(result.a) == [3, 2, 1]",
    ),
    Case(
        "pandas-to-csv-cols",
        PD,
        "result = df.to_csv(cols=['a'])",
        "len(result.split()) == 4",
    ),
    Case(
        "pandas-to-csv-tupleize",
        PD,
        "result = df.to_csv(tupleize_cols=False)",
        "len(result.split()) == 4",
    ),
    Case(
        "pandas-to-datetime-box",
        PD,
        "result = pd.to_datetime('2020-01-02', box=True)",
        "result.year == 2020",
    ),
    Case(
        "pandas-to-datetime-coerce",
        PD,
        "result = pd.to_datetime(df['t'], coerce=True)",
        "result.isna().all()",
    ),
    Case(
        "pandas-errors-ignore",
        PD,
        "df['t'] = pd.to_numeric(df['t'], errors='ignore')",
        "list(df.t) == ['x', 'y', 'y']",
    ),
    Case(
        "pandas-timestamp-freq",
        PD,
        "result = pd.Timestamp('2020-01-02', freq='D')",
        "result.day == 2",
    ),
    Case(
        "pandas-datetimeindex-range",
        PD,
        "result = pd.DatetimeIndex(start='2020-01-01', periods=3, freq='D')",
        "len(result) == 3 and result[2].day == 3",
    ),
    Case(
        "pandas-factorize-sentinel",
        PD,
        "result = pd.factorize(df['t'], na_sentinel=-1)[0]",
        "list(result) == [0, 1, 1]",
    ),
    Case(
        "pandas-fastpath",
        PD,
        "result = pd.Series([1], fastpath=False)",
        "result[0] == 1",
    ),
    Case(
        "pandas-rolling-quantile",
        PD,
        "result = df['a'].rolling(2).quantile(quantile=0.5)",
        "result[2] == 2.5",
    ),
    Case(
        "pandas-read-csv-same-names",
        PD + "cols = ['a', 'x', 'x', 'x']\n",
        "result = pd.read_csv(io.StringIO('1,2,3,4'), header=None, names=cols)",
        "list(result.columns) == ['a', 'x', 'x.1', 'x.2']",
    ),
    Case(
        "pandas-read-csv-skip-footer",
        PD,
        "result = pd.read_csv(io.StringIO('a\\n1\\nend'), skip_footer=1, engine='python')",
        "list(result.a) == [1]",
    ),
    Case(
        "pandas-read-excel-convert-float",
        PD,
        "result = pd.read_csv(io.StringIO('a,a\\n1,2'), mangle_dupe_cols=True)",
        "list(result.columns) == ['a', 'a.1']",
    ),
    Case(
        "pandas-read-csv-verbose",
        PD,
        "result = pd.read_csv(io.StringIO('a\\n1'), verbose=True)",
        "list(result.a) == [1]",
    ),
    Case(
        "pandas-read-json-numpy",
        PD,
        "result = pd.read_json(io.StringIO('[{\"a\": 1}]'), numpy=False)",
        "list(result.a) == [1]",
    ),
    Case(
        "pandas-read-pickle-path",
        PD + "df.to_pickle('x.pkl')\n",
        "result = pd.read_pickle(path='x.pkl')",
        "result.shape == (3, 3)",
    ),
    Case(
        "pandas-take-is-copy",
        PD,
        "result = df.take([0, 1], is_copy=False)",
        "list(result.a) == [1, 2]",
    ),
    Case(
        "pandas-eval-truediv",
        PD,
        "result = pd.eval('1 / 2', truediv=True)",
        "result == 0.5",
    ),
]

SILENT: list[Case] = [
    Case(
        "pandas-pct-change-default",
        PD,
        "result = gaps['a'].pct_change()",
        "list(result)[1:] == [0, 2]",
    ),
    Case(
        "pandas-pct-change-default",
        PD + "rows = pd.DataFrame({'a': [1.0, 2.0], 'b': [None, 4.0], 'c': [3.0, 8.0]})\n",
        "result = rows.pct_change(axis=1)",
        "list(result.iloc[0])[1:] == [0, 2]",
    ),
]
