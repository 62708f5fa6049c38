from __future__ import annotations

from tests.fixing.rules.executed.case import FRAME, Case

PD = """
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
texts = pd.DataFrame({'a': [1, 2, 3], 't': pd.Series(['x', 'y', 'y'], dtype=object)})
days = pd.DataFrame({'n': range(60)}, index=pd.date_range('2015-01-20', periods=60))
"""
NO_JINJA = {"kaggle": "Jinja is not installed there, which styles need"}
PD_TYPES = """
import numpy as np
import pandas as pd
df = pd.DataFrame({'s': ['m', 'f', 'm', 'f'], 'n': [1, 2, 3, 4], 'b': [True, None, False, True]})
codes = {'m': 1, 'f': 0}
"""
PD_PANDAS_BEHAVIOUR = """
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

LOUD: list[Case] = [
    Case(
        "pandas-week-gaps",
        "import pandas as pd\nd = pd.DataFrame({'d': pd.to_datetime(['2020-01-01', None])})\n",
        "result = d['d'].dt.isocalendar().week.astype('int64')",
        "result[0] == 1 and result.isna().sum() == 1",
        never_worked="the line that pandas-dt-week writes",
    ),
    Case(
        "pandas-append",
        FRAME,
        "result = pd.Series()\nfor i in range(2):\n    result = result.append(pd.Series([i]))",
        "result.dtype == 'int64'",
    ),
    Case(
        "pandas-append",
        "import pandas as pd",
        "d = pd.DataFrame(columns=['n', 's'])\nfor i in range(3):\n"
        "    d = d.append({'n': i, 's': i / 2}, ignore_index=True)\n"
        "mean = d.mean(numeric_only=True)",
        "mean['s'] == 0.5",
    ),
    Case(
        "pandas-sort",
        PD,
        "d = df.iloc[::-1].copy()\nd.sort(inplace=True)\nfirst = d.index[0]",
        "first == 0",
    ),
    Case(
        "pandas-infer-string",
        "import numpy as np\n",
        "import pandas as pd\n"
        "d = pd.DataFrame({'a': list('xy') * 9})\n"
        "d.loc[:, 'a'] = np.zeros(18, dtype=int)",
        "d.a.tolist() == [0] * 18",
    ),
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
    Case(
        "pandas-numeric-only",
        PD,
        "result = df.groupby('a').transform('mean')",
        "list(result.columns) == ['b'] and len(result) == len(df)",
    ),
    Case(
        "pandas-numeric-only",
        PD,
        "df['c'] = df.groupby(['a']).transform(np.mean)",
        "df.c.tolist() == df.b.tolist()",
    ),
    Case(
        "pandas-numeric-only",
        PD,
        "result = df.groupby('a').agg(['mean', 'count', np.std])",
        "list(result.columns) == [('b', 'mean'), ('b', 'count'), ('b', 'std')]",
    ),
    Case(
        "pandas-numeric-only",
        PD + "df['u'] = 'x'\n",
        "result = df.groupby(['t', 'a']).aggregate(('sum', 'median'))",
        "list(result.columns) == [('b', 'sum'), ('b', 'median')]",
    ),
    Case("pandas-numeric-only", PD, "result = df.kurtosis()", "list(result.index) == ['a', 'b']"),
    Case(
        "pandas-numeric-only",
        "import pandas as pd\n"
        "p = pd.DataFrame({'s': pd.Series(['m', 'f', 'm'], dtype=object), 't': list('xyz')})\n"
        "p['n'] = [1, 2, 4]\n"
        "p.loc[p.s == 'm', 's'] = 0\n"
        "for i in range(len(p)):\n"
        "    if p.iloc[i, 0] == 'f':\n"
        "        p.iloc[i, 0] = 1\n",
        "result = p.corr()",
        "list(result.columns) == ['s', 'n']",
    ),
    Case(
        "pandas-numeric-only",
        "import numpy as np\n"
        "import pandas as pd\n"
        "p = pd.DataFrame({'n': [1, 'NaN', 3], 'm': [2, 4, 'NaN'], 't': ['x', 'y', 'NaN']})\n"
        "p = p.replace('NaN', np.nan)\n",
        "result = p[['n', 'm', 't']].median()",
        "result.to_dict() == {'n': 2, 'm': 3}",
    ),
    Case(
        "pandas-numeric-only",
        "import pandas as pd\n"
        "p = pd.DataFrame({'s': ['m', 'f', 'm'], 't': list('xyz'), 'n': [1, 2, 4]})\n"
        "p['s'] = p['s'].replace(['m', 'f'], [0, 1])\n",
        "result = p.corr()",
        "list(result.columns) == ['s', 'n']",
    ),
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
        "pandas-numeric-only",
        PD,
        "result = df.rolling(2).sum()",
        "result.columns.tolist() == ['a', 'b'] and result.a.tolist()[1:] == [3, 5]",
    ),
    Case(
        "pandas-applymap",
        PD,
        "result = df.style.applymap(lambda value: 'color: red').to_html()",
        "'red' in result",
        without=NO_JINJA,
    ),
    Case(
        "pandas-ix",
        PD + "other = df.set_index('t')\nd = pd.read_csv(io.StringIO('a,b\\n1,2\\n3,4'))\n",
        "d = d[d.a > 1]\nresult = d.ix[1]",
        "result.b == 4",
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
        "pandas-frequency-names",
        FRAME + "t = pd.Series([1, 2], index=when)\n",
        "result = t.resample('M').sum()",
        "len(result) == 7",
    ),
    Case("pandas-frequency-names", FRAME, "pd.date_range('2019-01-01', periods=2, freq='H')"),
    Case(
        "pandas-date-range-closed",
        FRAME,
        "result = pd.date_range('2019-01-01', '2019-01-03', closed='left')",
        "len(result) == 2",
    ),
    Case(
        "pandas-between-inclusive",
        FRAME,
        "result = df['a'].between(1, 2, inclusive=True)",
        "result.sum() == 2",
    ),
    Case("pandas-to-dict-short", FRAME, "result = df.to_dict('r')", "len(result) == 3"),
    Case(
        "pandas-append", FRAME, "result = df.append(other, ignore_index=True)", "len(result) == 4"
    ),
    Case(
        "pandas-append",
        FRAME,
        "result = df['a'].append(other['a'])",
        "list(result) == [1, 2, 3, 9]",
    ),
    Case(
        "pandas-append",
        FRAME,
        "result = df.append({'a': 7, 'b': 1., 't': 'q'}, ignore_index=True)",
        "list(result.a) == [1, 2, 3, 7] and list(result.columns) == ['a', 'b', 't']",
    ),
    Case("pandas-append", FRAME, "result = df.append([other, other])", "len(result) == 5"),
    Case(
        "pandas-append",
        FRAME + "row = df.iloc[0]\n",
        "result = df.append(row)",
        "list(result.a) == [1, 2, 3, 1] and list(result.columns) == ['a', 'b', 't']",
    ),
    Case(
        "pandas-append",
        FRAME + "rows = []\nrows.append({'a': 7, 'b': 1., 't': 'q'})\n",
        "result = df.append(rows, ignore_index=True)",
        "list(result.a) == [1, 2, 3, 7] and list(result.columns) == ['a', 'b', 't']",
    ),
    Case(
        "pandas-append",
        FRAME + "row = df.iloc[0]\n",
        "result = df.append(row, ignore_index=True)",
        "len(result) == 4 and result.shape[1] == 3",
    ),
    Case(
        "pandas-append",
        FRAME,
        "result = pd.DataFrame()\nfor i in range(2):\n    result = result.append(df.loc[i])",
        "list(result.a) == [1, 2] and list(result.columns) == ['a', 'b', 't']",
    ),
    Case(
        "pandas-append",
        FRAME + "table = df.set_index('t')\nrow = pd.Series({'a': 7, 'b': 1.}, name='q')\n",
        "table = table.append(row)\nresult = table.reset_index()['t']",
        "list(result) == ['x', 'y', 'y', 'q']",
        line=1,
    ),
    Case(
        "pandas-ix",
        FRAME,
        "shares = df[['a', 'b']].corr()\nresult = shares.ix[-1]",
        "result.name == 'b'",
    ),
    Case("pandas-ix", FRAME, "result = df.ix[0, 'a']", "result == 1"),
    Case(
        "pandas-ix",
        PD,
        "lines = df.set_index('t')\nyears = df.set_index('a')\n"
        "result = [lines.ix[0].tolist(), years.ix[1:2].b.tolist(), df.b.value_counts().ix[5.0]]\n"
        "counts = df.a.value_counts().sort_index()\nresult.append(counts.ix[1:2].tolist())",
        "result == [[1, 4.], [4., 5.], 1, [1, 1]]",
    ),
    Case(
        "pandas-ix",
        PD,
        "years = df.set_index(['a', 't'])\ntexts = df.set_index(['t', 'a'])\n"
        "result = [years.ix[1].b.tolist(), texts.ix[1].b, years.copy().ix[2:].b.tolist()]\n"
        "result.append(years.ix[[1, 2]].b.tolist())",
        "result == [[4.], 5., [5., 6.], [5., 6.]]",
    ),
    Case(
        "pandas-ix",
        PD,
        "lines = df.set_index('t')\nlines.ix['x']\nlines.ix[0, 'a'] = 9\n"
        "result = lines.ix[0:2, 0:1]",
        "result.a.tolist() == [9, 2]",
    ),
    Case(
        "pandas-ix",
        PD,
        "plain = pd.DataFrame(np.zeros((2, 4)))\nresult = plain.ix[:, 0:2]",
        "result.shape == (2, 3)",
    ),
    Case(
        "pandas-ix",
        PD,
        "lines = df.drop_duplicates('t').set_index('t')\nnames = ['x', 'z']\n"
        "result = lines.ix[names].dropna()",
        "result.index.tolist() == ['x']",
    ),
    Case("pandas-ix", FRAME, "result = df.ix[df.a > 1, 't']", "list(result) == ['y', 'y']"),
    Case("pandas-ix", FRAME, "result = df.ix[:, 0:2]", "list(result.columns) == ['a', 'b']"),
    Case("pandas-ix", FRAME, "result = df.ix[0:1, 1]", "list(result) == [4., 5.]"),
    Case(
        "pandas-as-matrix", FRAME, "result = df[['a', 'b']].as_matrix()", "result.shape == (3, 2)"
    ),
    Case(
        "pandas-as-matrix", FRAME, "result = df.as_matrix(columns=['a'])", "result.shape == (3, 1)"
    ),
    Case(
        "pandas-as-matrix",
        FRAME,
        "result = pd.DataFrame.as_matrix(df[['a', 'b']])",
        "result.shape == (3, 2)",
    ),
    Case("pandas-get-value", FRAME, "result = df.get_value(1, 'a')", "result == 2"),
    Case("pandas-iteritems", FRAME, "result = list(df.iteritems())", "len(result) == 3"),
    Case("pandas-sort", FRAME, "result = df.sort('a', ascending=False)", "result.a.iloc[0] == 3"),
    Case(
        "pandas-sort",
        "import pandas as pd\ns = pd.Series([3, 1, 2])\n",
        "s.sort()\nresult = s.tolist()",
        "result == [1, 2, 3]",
        line=1,
    ),
    Case("pandas-sort", FRAME, "result = df['a'].order()", "list(result) == [1, 2, 3]"),
    Case(
        "pandas-positional-axis",
        FRAME,
        "result = df.drop('a', 1)",
        "list(result.columns) == ['b', 't']",
    ),
    Case(
        "pandas-positional-axis",
        FRAME,
        "result = df.sort_values('a', 0, False)",
        "result.a.iloc[0] == 3",
    ),
    Case(
        "pandas-concat-positional",
        FRAME,
        "result = pd.concat([df, df], 1)",
        "result.shape == (3, 6)",
    ),
    Case(
        "pandas-pivot-positional",
        FRAME,
        "result = df.pivot('a', 't', 'b')",
        "result.shape == (3, 2)",
    ),
    Case(
        "pandas-read-csv-positional",
        FRAME,
        "result = pd.read_csv(io.StringIO('a;b\\n1;2'), ';')",
        "list(result.columns) == ['a', 'b']",
    ),
    Case(
        "pandas-str-split-positional",
        FRAME,
        "result = pd.Series(['a b c']).str.split(' ', 1)",
        "result[0] == ['a', 'b c']",
    ),
    Case(
        "pandas-str-iterated",
        FRAME,
        "first, second = pd.Series(['a/b', 'c']).str.split('/', n=1).str\n"
        "result = pd.DataFrame({'first': first, 'second': second})",
        "list(result['first']) == ['a', 'c'] and result.second[0] == 'b' "
        "and pd.isna(result.second[1])",
    ),
    Case("pandas-numeric-only", FRAME, "result = df.corr()", "list(result.columns) == ['a', 'b']"),
    Case("pandas-numeric-only", FRAME, "result = df.mean()", "result['a'] == 2"),
    Case(
        "pandas-numeric-only",
        FRAME,
        "result = df.groupby('a').mean()",
        "list(result.columns) == ['b']",
    ),
    Case(
        "pandas-fillna-method",
        FRAME + "tables = [pd.DataFrame({'v': ['a', None]})]\n",
        "tables[0]['v'].fillna(method='ffill', inplace=True)\nresult = tables[0]['v'].tolist()",
        "result == ['a', 'a']",
    ),
    Case(
        "pandas-fillna-method",
        FRAME,
        "result = pd.Series([1, None]).fillna(method='ffill', limit=1)",
        "np.ravel(result).tolist() == [1, 1]",
    ),
    Case(
        "pandas-groupby-columns",
        FRAME,
        "result = df.groupby('t')['a', 'b'].mean()",
        "result.shape == (2, 2)",
    ),
    Case("pandas-datetime", FRAME, "result = pd.datetime(2019, 1, 2)", "result.year == 2019"),
    Case("pandas-datetime", FRAME, "result = pd.np.sqrt(4)", "result == 2"),
    Case(
        "pandas-rolling-functions",
        FRAME,
        "result = pd.rolling_mean(df['b'], 2, min_periods=1)",
        "list(result) == [4, 4.5, 5.5]",
    ),
    Case(
        "pandas-rolling-functions",
        FRAME,
        "from pandas.stats.moments import rolling_mean\nresult = rolling_mean(df['b'], 2)",
        "list(result)[1:] == [4.5, 5.5]",
    ),
    Case(
        "pandas-rolling-window",
        FRAME,
        "result = pd.rolling_window(df['b'], 2, 'boxcar')",
        "list(result)[1:] == [4.5, 5.5]",
    ),
    Case(
        "pandas-plotting-moved",
        FRAME,
        "result = pd.scatter_matrix(df)",
        "result.shape[0] == result.shape[1]",
    ),
    Case("pandas-plotting-moved", FRAME, "from pandas.tools.plotting import scatter_matrix"),
    Case(
        "pandas-json-normalize",
        FRAME,
        "from pandas.io.json import json_normalize",
        "json_normalize([{'a': {'b': 1}}]).columns.tolist() == ['a.b']",
    ),
    Case(
        "pandas-value-counts",
        FRAME,
        "result = pd.value_counts(df['t'], normalize=True)",
        "result['x'] == 1 / 3",
    ),
    Case(
        "pandas-bad-lines",
        FRAME,
        "result = pd.read_csv(io.StringIO('a\\n1\\n2,3\\n'), error_bad_lines=False)",
        "len(result) == 1",
    ),
    Case(
        "pandas-bad-lines",
        FRAME,
        "result = pd.read_csv(io.StringIO('a\\n1\\n2,3\\n'), error_bad_lines=False, "
        "warn_bad_lines=False)",
        "len(result) == 1",
    ),
    Case(
        "pandas-read-csv-arguments",
        FRAME,
        "result = pd.read_csv(io.StringIO('a b\\n1 2'), delim_whitespace=True)",
        "result.shape == (1, 2)",
    ),
    Case(
        "pandas-max-colwidth",
        FRAME,
        "pd.set_option('display.max_colwidth', -1)",
        "pd.get_option('display.max_colwidth') in (None, -1)",
    ),
    Case("pandas-dt-week", FRAME, "result = when.dt.week", "list(result) == [1, 27]"),
    Case(
        "pandas-dt-week",
        FRAME,
        "day = when.rename('day')\nresult = day.groupby(day.dt.week).count().index",
        "list(result) == [1, 27] and result.name == 'day'",
        line=2,
    ),
    Case(
        "pandas-weekday-name",
        FRAME,
        "result = when.dt.weekday_name",
        "list(result) == ['Tuesday', 'Friday']",
    ),
    Case(
        "pandas-applymap", FRAME, "result = df[['a']].applymap(lambda v: v + 1)", "result.a[0] == 2"
    ),
    Case(
        "pandas-array-methods", FRAME, "result = df['a'].reshape(-1, 1)", "result.shape == (3, 1)"
    ),
    Case("pandas-array-methods", FRAME, "result = df['a'].nonzero()", "len(result[0]) == 3"),
    Case("pandas-is-monotonic", FRAME, "result = df['a'].is_monotonic", "result"),
    Case("pandas-clip-upper", FRAME, "result = df['a'].clip_upper(2)", "list(result) == [1, 2, 2]"),
    Case(
        "pandas-setting-warning",
        FRAME,
        "from pandas.errors import SettingWithCopyWarning",
        "issubclass(SettingWithCopyWarning, Warning)",
    ),
    Case(
        "pandas-infer-string",
        "import numpy as np\n",
        "import pandas as pd\n"
        "df = pd.DataFrame({'s': ['m', 'f']})\n"
        "for i in range(len(df)):\n"
        "    if df.loc[i, 's'] == 'm':\n"
        "        df.loc[i, 's'] = 0.74\n"
        "    else:\n"
        "        df.loc[i, 's'] = 0.18",
        "df.s.tolist() == [0.74, 0.18]",
        line=5,
    ),
    Case(
        "pandas-infer-string",
        FRAME,
        "df = pd.DataFrame({'s': ['m', 'f']})\ndf.loc[df['s'] == 'm', 's'] = 1",
        "df.s[0] == 1",
        line=2,
    ),
    Case(
        "pandas-frequency-names",
        PD_PANDAS_BEHAVIOUR + "ts = pd.Series([1, 2], index=when)\n",
        "result = ts.resample('Q-NOV').sum()",
        "result.sum() == 3 and result.index[0].month == 2",
    ),
    Case(
        "pandas-frequency-names",
        PD_PANDAS_BEHAVIOUR + "ts = pd.Series([1, 2], index=when)\n",
        "result = ts.groupby(pd.Grouper(freq='AS')).sum()",
        "list(result) == [3]",
    ),
    Case(
        "pandas-frequency-names",
        PD_PANDAS_BEHAVIOUR,
        "result = when.dt.floor('30T')",
        "result[1].hour == 12",
    ),
    Case(
        "pandas-period-frequencies",
        "import pandas as pd\nperiods = pd.period_range('2016Q1', periods=2, freq='Q')",
        "months = periods.asfreq('M')\nresult = periods.asfreq('A')",
        "[str(one) for one in result] == ['2016', '2016'] and str(months[0]) == '2016-03'",
        line=2,
        also=("pandas-frequency-names",),
    ),
    Case(
        "pandas-period-frequencies",
        PD_PANDAS_BEHAVIOUR,
        "result = when.dt.to_period('A')",
        "str(result[0]) == '2019'",
    ),
    Case(
        "pandas-timedelta-abbreviations",
        PD_PANDAS_BEHAVIOUR,
        "result = pd.to_timedelta(df['a'], unit='T')",
        "result[1].seconds == 120",
    ),
    Case(
        "pandas-timedelta-months",
        PD_PANDAS_BEHAVIOUR,
        "pd.to_timedelta(df['a'], unit='M')",
        fix=False,
    ),
]

SILENT: list[Case] = [
    Case(
        "pandas-group-list-index",
        FRAME,
        "result = df.groupby(['t'], as_index=False)[['a', 'b']].agg(['sum', 'mean'])",
        "result.index.name == 't'",
    ),
    Case(
        "pandas-group-list-index",
        FRAME,
        "kinds = ['sum', 'mean']\nresult = df.groupby('t', as_index=False)['a'].agg(kinds)",
        "list(result.columns) == ['sum', 'mean']",
    ),
    Case(
        "pandas-infer-string",
        PD_TYPES,
        "result = list(df.dtypes.pipe(lambda t: t[t == 'object']).index)",
        "'s' in result",
    ),
    Case("pandas-infer-string", PD_TYPES, "result = (df.dtypes.values == 'object')[0]", "result"),
    Case("pandas-infer-string", PD_TYPES, "result = df['s'].dtype == np.dtype('O')", "result"),
    Case(
        "pandas-infer-string", PD_TYPES, "result = pd.api.types.is_object_dtype(df['s'])", "result"
    ),
    Case(
        "pandas-chained-inplace",
        FRAME + "df.loc[0, 'b'] = None\n",
        "df['b'].fillna(0, inplace=True)",
        "df.b[0] == 0",
    ),
    Case("pandas-chained-inplace", FRAME, "df.t.replace('x', 'q', inplace=True)", "df.t[0] == 'q'"),
    Case(
        "pandas-chained-inplace",
        FRAME,
        "for d in [df, other]:\n    d['t'].replace({'x': 'q', 'z': 'w'}, inplace=True)",
        "df.t[0] == 'q' and other.t[0] == 'w'",
    ),
    Case(
        "pandas-chained-inplace",
        FRAME,
        "df.loc[:, 't'].replace({'x': 'q', 'y': 'r', 'z': 's'}, inplace=True)",
        "df.t[0] == 'q'",
    ),
    Case("pandas-chained-setitem", FRAME, "df['b'][df['a'] > 1] = 0", "list(df.b) == [4, 0, 0]"),
    Case("pandas-chained-setitem", FRAME, "df.b.iloc[1] = 0", "list(df.b) == [4, 0, 6]"),
    Case("pandas-chained-setitem", FRAME, "df['b'][0:2] = 0", "list(df.b) == [0, 0, 6]"),
    Case("pandas-chained-setitem", FRAME, "df['b'].loc[df.a == 1] += 1", "list(df.b) == [5, 5, 6]"),
    Case(
        "pandas-infer-string",
        "",
        "import pandas as pd\ndf = pd.DataFrame({'s': ['m'], 'n': [1]})\n"
        "result = [c for c in df.columns if df[c].dtype == 'object']",
        "result == ['s']",
    ),
    Case(
        "pandas-infer-string",
        "import pandas as pd",
        "df = pd.DataFrame({'s': ['m'], 'n': [1]})\n"
        "result = [c for c, t in df.dtypes.items() if t in ['object']]",
        "result == ['s']",
    ),
    Case(
        "pandas-get-dummies-bool",
        FRAME,
        "result = pd.get_dummies(df['t'])",
        "set(result.dtypes.astype(str)) <= {'uint8', 'int32'}",
        differs="int32 in place of uint8, whose sums have no sign any more",
    ),
    Case(
        "pandas-get-dummies-bool",
        FRAME,
        "result = pd.get_dummies(df['t'])\nbelow = result.sum() - 9, result * 300, result['x'] - 1",
        "list(below[0]) == [-8, -7] and result.dtypes.iloc[0] != bool",
        differs="int32 in place of uint8, whose sums have no sign any more",
    ),
    Case("pandas-to-csv-header", FRAME, "result = df['a'].to_csv()", "len(result.split()) == 3"),
    Case(
        "pandas-str-replace-regex",
        FRAME,
        r"result = pd.Series(['a1b']).str.replace(r'\d', '')",
        "result[0] == 'ab'",
    ),
]
