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
NO_JINJA = {"kaggle": "Jinja is not installed there, which styles need"}
PD = """
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1, 2, 3], 'b': [4., 5., 6.], 't': ['x', 'y', 'y']})
gaps = pd.DataFrame({'a': [1., np.nan, 3.], 'b': [4., 4., 8.]})
s = pd.Series([3., 1., 2.], index=['p', 'q', 'r'], name='s')
day = pd.date_range('2020-01-01', periods=4, freq='D')
ts = pd.DataFrame({'v': [1., 2., 3., 4.]}, index=day)
levels = pd.MultiIndex.from_product([['a', 'b'], [1, 2]], names=['k', 'l'])
many = pd.DataFrame({'v': [4, 3, 2, 1]}, index=levels)
kinds = pd.DataFrame({'c': pd.Series(['a', 'b', 'a']).astype('category')})
"""

LOUD: list[Case] = [
    Case(
        "pandas-at-of-several",
        PD,
        "df.at[df['t'] == 'y', 'a'] = 7\nresult = df['a']",
        "result.tolist() == [1, 7, 7]",
        line=1,
    ),
    Case(
        "pandas-axis-of-set",
        PD,
        "made = pd.DataFrame([[1]], columns={'x'})\nresult = made['x']",
        holds="result.tolist() == [1]",
        line=1,
    ),
    Case(
        "pandas-axis-of-set",
        PD,
        "names = {'x'}\nmade = pd.DataFrame([[1]], columns=names)\nresult = made['x']",
        holds="result.tolist() == [1]",
        line=2,
    ),
    Case(
        "pandas-axis-of-set",
        PD,
        "made = pd.DataFrame([[1]], columns=set(df.columns) - {'b', 't'})\nresult = made['a']",
        holds="result.tolist() == [1]",
        line=1,
    ),
    Case(
        "pandas-value-counts-function",
        TABLES,
        "result = df[['t', 't']].apply(pd.value_counts)",
        "result.iloc[:, 0]['y'] == 2",
    ),
    Case(
        "pandas-styler-methods",
        TABLES,
        "result = df.style.set_precision(1).hide_index().set_na_rep('-').render()",
        "'>4.0<' in result",
        without=NO_JINJA,
    ),
    Case(
        "pandas-styler-methods",
        TABLES,
        "result = df.style.set_precision(1).format({'a': '{:.2f}'}).to_html()",
        "'>1.00<' in result and '>4.0<' in result",
        without=NO_JINJA,
    ),
    Case(
        "pandas-styler-methods",
        TABLES,
        "result = df.style.hide_columns(['b']).to_html()",
        "'4.0' not in result",
        without=NO_JINJA,
    ),
    Case(
        "pandas-convert-objects",
        TABLES + "d = pd.DataFrame({'a': ['x', 'y'], 'b': ['3', '-']})\n",
        "result = d.convert_objects(convert_numeric=True)",
        "result.a.tolist() == ['x', 'y'] and result.b[0] == 3 and np.isnan(result.b[1])",
    ),
    Case("pandas-profiling", "", "import pandas_profiling", fix=False),
    Case(
        "pandas-core-common-warning",
        "",
        "from pandas.core.common import SettingWithCopyWarning",
        "issubclass(SettingWithCopyWarning, Warning)",
    ),
    Case(
        "pandas-array-equivalent",
        PD,
        "from pandas.core.common import array_equivalent\n"
        "result = array_equivalent(gaps['a'].values, gaps['a'].values)",
        "result",
    ),
    Case(
        "pandas-get-dtype-counts",
        PD,
        "result = gaps.get_dtype_counts()",
        "list(result) == [2] and result.name is None",
    ),
    Case(
        "pandas-convert-objects",
        PD + "df['n'] = ['1', '2', 'z']\n",
        "result = df['n'].convert_objects(convert_numeric=True)",
        "list(result[:2]) == [1, 2] and np.isnan(result[2])",
    ),
    Case(
        "pandas-convert-objects",
        PD,
        "result = df.convert_objects()",
        "result.a.sum() == 6",
    ),
    Case(
        "pandas-bool-method",
        PD,
        "result = pd.Series([True]).bool()",
        "result is True",
    ),
    Case(
        "pandas-lookup",
        PD,
        "result = df.lookup([0, 1], ['a', 'b'])",
        "result.tolist() == [1, 5] and result.dtype.kind == 'f'",
    ),
    Case(
        "pandas-lookup",
        PD,
        "try:\n    df.lookup([0, 9], ['a', 'b'])\nexcept KeyError:\n    result = 'missing'",
        "result == 'missing'",
    ),
    Case("pandas-mad", PD, "result = df['b'].mad()", "round(result, 6) == 0.666667"),
    Case(
        "pandas-mad",
        PD,
        "result = df[['a', 'b']].mad()",
        "round(result['a'], 6) == 0.666667",
    ),
    Case(
        "pandas-reindex-axis",
        PD,
        "result = df.reindex_axis(['b', 'a'], axis=1)",
        "list(result.columns) == ['b', 'a']",
    ),
    Case("pandas-tshift", PD, "result = ts.tshift(1)", "result.index[0].day == 2"),
    Case(
        "pandas-tshift",
        PD,
        "result = ts.tshift(2, freq='D')",
        "result.index[0].day == 3 and list(result.v) == [1, 2, 3, 4]",
    ),
    Case("pandas-slice-shift", PD, "ts.slice_shift(1)", fix=False),
    Case(
        "pandas-compress-ptp",
        PD,
        "result = s.compress(s > 1)",
        "list(result) == [3, 2]",
    ),
    Case("pandas-compress-ptp", PD, "result = s.ptp() * 2", "result == 4"),
    Case(
        "pandas-compress-ptp",
        PD,
        "result = gaps['a'].valid()",
        "list(result) == [1, 3]",
    ),
    Case(
        "pandas-series-ravel",
        PD,
        "result = s.ravel()",
        "result.tolist() == [3, 1, 2]",
    ),
    Case(
        "pandas-swapaxes",
        PD,
        "result = gaps.swapaxes(0, 1)",
        "result.shape == (2, 3)",
    ),
    Case(
        "pandas-categorical-from-array",
        PD,
        "result = pd.Categorical.from_array(df.t).codes",
        "list(result) == [0, 1, 1]",
    ),
    Case(
        "pandas-select",
        PD,
        "result = df.select(lambda c: c != 'a', axis=1)",
        "list(result.columns) == ['b', 't']",
    ),
    Case("pandas-select", PD, "result = df.select(lambda n: n % 2)", "list(result.a) == [2]"),
    Case(
        "pandas-pad-backfill",
        PD,
        "result = gaps.pad()",
        "list(result.a) == [1, 1, 3]",
    ),
    Case(
        "pandas-groupby-pad",
        PD,
        "result = gaps.groupby('b')['a'].pad()",
        "list(result) == [1, 1, 3]",
    ),
    Case(
        "pandas-groupby-fillna",
        PD,
        "result = gaps.groupby('b')['a'].fillna(0)",
        "list(result) == [1, 0, 3]",
    ),
    Case(
        "pandas-groupby-mad",
        PD,
        "result = df.groupby('t')['b'].mad()",
        "list(result) == [0, 0.5]",
    ),
    Case(
        "pandas-index-contains",
        PD,
        "result = df.columns.contains('a')",
        "result is True",
    ),
    Case(
        "pandas-index-contains",
        PD,
        "result = pd.Index([1, 1, 2]).get_duplicates()",
        "list(result) == [1]",
    ),
    Case(
        "pandas-index-is-numeric",
        PD,
        "result = df.index.is_numeric()",
        "result is True",
    ),
    Case(
        "pandas-multiindex-labels",
        PD,
        "result = pd.MultiIndex(levels=[['a'], ['b']], labels=[[0], [0]])",
        "list(result) == [('a', 'b')]",
    ),
    Case(
        "pandas-datetimeindex-week",
        PD,
        "result = ts.index.week",
        "list(result) == [1, 1, 1, 1] and result.name is None",
    ),
    Case(
        "pandas-datetimeindex-weekday-name",
        PD,
        "result = ts.index.weekday_name",
        "result[0] == 'Wednesday'",
    ),
    Case(
        "pandas-datetimeindex-weekday-name",
        PD,
        "result = pd.Timestamp('2020-01-01').weekday_name",
        "result == 'Wednesday'",
    ),
    Case(
        "pandas-timestamp-to-datetime",
        PD,
        "result = pd.Timestamp('2020-01-01').to_datetime()",
        "result.year == 2020",
    ),
    Case(
        "pandas-index-set-operations",
        PD,
        "result = pd.Index(['a', 'b']) & pd.Index(['a'])",
        "list(result) == ['a']",
    ),
    Case(
        "pandas-index-minus",
        PD,
        "result = df.columns - ['a']",
        "list(result) == ['b', 't']",
    ),
    Case(
        "pandas-typed-indexes",
        PD,
        "result = pd.Int64Index([3, 4])",
        "list(result) == [3, 4] and result.dtype == 'int64'",
    ),
    Case(
        "pandas-sparse-array",
        PD,
        "result = pd.SparseArray([0, 1])",
        "len(result) == 2",
    ),
    Case(
        "pandas-sparse-frames",
        PD,
        "result = gaps.to_sparse(fill_value=0)",
        "result.b.sparse.fill_value == 0",
    ),
    Case(
        "pandas-to-dense",
        PD + "wide = gaps.astype(pd.SparseDtype(float, 0))\n",
        "result = wide.to_dense()",
        "list(result.b) == [4, 4, 8]",
    ),
    Case(
        "pandas-time-grouper",
        PD,
        "result = ts.groupby(pd.TimeGrouper('2D')).sum()",
        "list(result.v) == [3, 7]",
    ),
    Case("pandas-panel", PD, "pd.Panel", fix=False),
    Case(
        "pandas-ewm-functions",
        PD,
        "result = pd.ewma(df['b'], span=3)",
        "round(result[1], 6) == 4.666667",
    ),
    Case(
        "pandas-rolling-apply",
        PD,
        "result = pd.rolling_apply(df['b'], 2, lambda x: x[-1])",
        "list(result)[1:] == [5, 6]",
    ),
    Case(
        "pandas-rolling-apply",
        PD,
        "result = pd.rolling_corr(df['a'], df['b'], 3)",
        "round(result[2], 6) == 1",
    ),
    Case(
        "pandas-rolling-apply-raw",
        PD,
        "result = df['b'].rolling(2).apply(lambda x: x[-1])",
        "list(result)[1:] == [5, 6]",
    ),
    Case(
        "pandas-groupby-function",
        PD,
        "result = pd.groupby(df, 't')['a'].sum()",
        "list(result) == [1, 5]",
    ),
    Case("pandas-util-testing", "", "from pandas.util.testing import assert_frame_equal"),
    Case("pandas-util-testing", "", "import pandas.util.testing as tm", "tm.assert_frame_equal"),
    Case(
        "pandas-types-is-categorical",
        "",
        "from pandas.api.types import is_categorical",
        "not is_categorical([1])",
    ),
    Case("pandas-core-index", "", "from pandas.core.index import MultiIndex", "MultiIndex"),
    Case("pandas-compat", "", "from pandas.compat import StringIO", "StringIO('a').read() == 'a'"),
    Case(
        "pandas-io-common-errors",
        "",
        "from pandas.io.common import EmptyDataError",
        "issubclass(EmptyDataError, ValueError)",
    ),
    Case("pandas-io-common-errors", "", "from pandas.parser import CParserError"),
    Case(
        "pandas-private-libraries",
        "",
        "from pandas.tslib import Timestamp",
        "Timestamp('2020-01-02').day == 2",
    ),
    Case("pandas-datareader", "", "from pandas.io.data import DataReader", fix=False),
    Case("pandas-stats", "", "from pandas.stats.api import ols", fix=False),
    Case(
        "pandas-datetools",
        "",
        "from pandas.core.datetools import MonthEnd",
        "MonthEnd(2).n == 2",
    ),
    Case(
        "pandas-datetools",
        "import pandas as pd",
        "later = pd.datetools.timedelta(hours=2) + pd.datetools.datetime(2014, 5, 1)",
        "later.hour == 2",
    ),
    Case("pandas-msgpack", PD, "df.to_msgpack('x')", fix=False),
    Case(
        "pandas-gbq",
        PD,
        "df.to_gbq('x')",
        never_worked="it needs a package and an account",
        fix=False,
    ),
    Case(
        "pandas-from-csv",
        PD + "open('x.csv', 'w').write('i,a\\n2020-01-02,1\\n')\n",
        "result = pd.DataFrame.from_csv('x.csv')",
        "result.index[0].day == 2 and list(result.columns) == ['a']",
    ),
    Case(
        "pandas-from-items",
        PD,
        "result = pd.DataFrame.from_items([('b', [1]), ('a', [2])])",
        "list(result.columns) == ['b', 'a']",
    ),
    Case(
        "pandas-period-fields",
        PD,
        "result = pd.PeriodIndex(year=[2000, 2001], quarter=[1, 2], name='when')",
        "list(map(str, result)) == ['2000Q1', '2001Q2'] and result.name == 'when'",
        without={"kaggle": "there it only warns"},
    ),
    Case(
        "pandas-sortlevel",
        PD,
        "result = many.sortlevel('l')",
        "list(result.v) == [4, 2, 3, 1]",
    ),
    Case("pandas-irow", PD, "result = df.irow(1)", "result['a'] == 2"),
    Case("pandas-irow", PD, "result = df.icol(0)", "list(result) == [1, 2, 3]"),
    Case(
        "pandas-option-names",
        PD,
        "pd.set_option('max_rows', 7)",
        "pd.get_option('display.max_rows') == 7",
    ),
    Case("pandas-option-names", PD, "pd.set_option('display.height', 7)"),
    Case(
        "pandas-inf-as-na",
        PD,
        "pd.set_option('mode.use_inf_as_na', True)",
        fix=False,
    ),
    Case(
        "pandas-max-colwidth-attribute",
        PD,
        "pd.options.display.max_colwidth = -1",
        "pd.get_option('display.max_colwidth') in (None, -1)",
    ),
    Case(
        "pandas-set-axis-inplace",
        PD,
        "df.set_axis(['x', 'y', 'z'], axis=1, inplace=True)",
        "list(df.columns) == ['x', 'y', 'z']",
    ),
    Case(
        "pandas-categories-inplace",
        PD,
        "kinds['c'].cat.rename_categories(['u', 'v'], inplace=True)",
        "list(kinds.c) == ['u', 'v', 'u']",
    ),
    Case(
        "pandas-categories-attribute",
        PD,
        "kinds['c'].cat.categories = ['u', 'v']\nresult = kinds['c'].tolist()",
        "result == ['u', 'v', 'u']",
    ),
    Case(
        "pandas-categories-attribute",
        PD,
        "kinds.c.cat.categories = ['u', 'v']\nresult = kinds['c'].tolist()",
        "result == ['u', 'v', 'u']",
    ),
    Case(
        "pandas-astype-categories",
        PD,
        "result = df['t'].astype('category', ordered=True)",
        "list(result.cat.codes) == [0, 1, 1] and result.cat.ordered",
    ),
    Case(
        "pandas-astype-categories",
        PD,
        "result = df['t'].astype('category', categories=['y', 'x'], ordered=True)",
        "list(result.cat.codes) == [1, 0, 0] and result.cat.ordered",
    ),
    Case("pandas-set-value-frame", PD, "result = df['a'].get_value(1)", "result == 2"),
    Case(
        "pandas-read-frame",
        "",
        "from pandas.io.sql import read_frame",
        "callable(read_frame)",
    ),
    Case("pandas-index-format", PD, "df.index.format()", fix=False),
    Case("pandas-float-of-series", PD, "result = float(df['b'][:1])", "result == 4"),
    Case(
        "pandas-multidimensional-series",
        PD,
        "result = df['b'][:, None]",
        "result.shape == (3, 1)",
    ),
    Case("pandas-missing-labels", PD, "df['a'].loc[[0, 9]]", fix=False),
    Case("pandas-set-indexer", PD, "result = df[{'a', 'b'}]", "result.shape == (3, 2)"),
]

SILENT: list[Case] = [
    Case(
        "pandas-argmax-label",
        PD + "c = df.set_index('t')['b']\n",
        "result = c.argmax()",
        "result == 'y'",
    ),
    Case(
        "pandas-argmax-label",
        PD,
        "result = df.t.fillna(np.argmax(df['t'].value_counts()))\n"
        "most = np.argmax(df['t'].value_counts())",
        "most == 'y'",
    ),
    Case(
        "pandas-index-set-operations",
        PD,
        "result = pd.Index([1, 2]) | pd.Index([2, 3])",
        "list(result) == [1, 2, 3]",
    ),
]
