from __future__ import annotations

from tests.fixing.rules.executed.case import FRAME, Case

LOUD: list[Case] = [
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
        "result = df.append(row, ignore_index=True)",
        "len(result) == 4 and result.shape[1] == 3",
    ),
    Case("pandas-ix", FRAME, "result = df.ix[0, 'a']", "result == 1"),
    Case("pandas-ix", FRAME, "result = df.ix[df.a > 1, 't']", "list(result) == ['y', 'y']"),
    Case("pandas-ix", FRAME, "result = df.ix[:, 0:2]", "list(result.columns) == ['a', 'b']"),
    Case("pandas-ix", FRAME, "result = df.ix[0:1, 1]", "list(result) == [4., 5.]"),
    Case(
        "pandas-as-matrix", FRAME, "result = df[['a', 'b']].as_matrix()", "result.shape == (3, 2)"
    ),
    Case(
        "pandas-as-matrix", FRAME, "result = df.as_matrix(columns=['a'])", "result.shape == (3, 1)"
    ),
    Case("pandas-get-value", FRAME, "result = df.get_value(1, 'a')", "result == 2"),
    Case("pandas-iteritems", FRAME, "result = list(df.iteritems())", "len(result) == 3"),
    Case("pandas-sort", FRAME, "result = df.sort('a', ascending=False)", "result.a.iloc[0] == 3"),
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
    Case("pandas-plotting-moved", FRAME, "pd.scatter_matrix(df)"),
    Case("pandas-plotting-moved", FRAME, "from pandas.tools.plotting import scatter_matrix"),
    Case("pandas-json-normalize", FRAME, "from pandas.io.json import json_normalize"),
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
        "pandas-read-csv-arguments",
        FRAME,
        "result = pd.read_csv(io.StringIO('a b\\n1 2'), delim_whitespace=True)",
        "result.shape == (1, 2)",
    ),
    Case("pandas-max-colwidth", FRAME, "pd.set_option('display.max_colwidth', -1)"),
    Case("pandas-dt-week", FRAME, "result = when.dt.week", "list(result) == [1, 27]"),
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
    Case("pandas-setting-warning", FRAME, "from pandas.errors import SettingWithCopyWarning"),
    Case(
        "pandas-infer-string",
        FRAME,
        "df = pd.DataFrame({'s': ['m', 'f']})\ndf.loc[df['s'] == 'm', 's'] = 1",
        "df.s[0] == 1",
        line=2,
    ),
]

SILENT: list[Case] = [
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
        "set(result.dtypes.astype(str)) == {'uint8'}",
    ),
    Case("pandas-to-csv-header", FRAME, "result = df['a'].to_csv()", "len(result.split()) == 3"),
    Case(
        "pandas-str-replace-regex",
        FRAME,
        r"result = pd.Series(['a1b']).str.replace(r'\d', '')",
        "result[0] == 'ab'",
    ),
]
