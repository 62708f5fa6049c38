import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error, outcome

SETUP = "import pandas as pd\ndf = pd.read_csv('a')\n"


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("pandas-ix", "df.ix[df.a > 1, 'b']", "df.loc[df.a > 1, 'b']"),
        ("pandas-ix", "df.ix[3]", "df.loc[3]"),
        (
            "pandas-set-value",
            "_ = df.set_value(df.a.isnull(), 'b', 'U0')",
            "df.loc[df.a.isnull(), 'b'] = 'U0'",
        ),
        (
            "pandas-ix",
            "d = df.set_index('k')\nd.ix[-1] / d.ix[0] - d.ix[:3]",
            "d = df.set_index('k')\nd.iloc[-1] / d.iloc[0] - d.iloc[:3]",
        ),
        ("pandas-ix", "df.ix[:, 2:5]", "df.iloc[:, 2:5]"),
        ("pandas-ix", "df.ix[:, (1, 2, 5)]", "df.iloc[:, [1, 2, 5]]"),
        ("pandas-ix", "df.ix[0:9, 1]", "df.loc[0:9, df.columns[1]]"),
        ("pandas-ix", "df.ix[rows, 'b'] = 3", "df.loc[rows, 'b'] = 3"),
        ("pandas-ix", "df.ix[rows, 2:5]", "df.loc[rows, df.columns[2:5]]"),
        ("pandas-ix", "df.ix[:, [3] + list(range(5, 9))]", "df.iloc[:, [3] + list(range(5, 9))]"),
        (
            "pandas-ix",
            "d = df.set_index('k')\nd.ix[3] = 0",
            "d = df.set_index('k')\n"
            '(d.loc if d.index.inferred_type in ("integer", "floating") else d.iloc)[3] = 0',
        ),
        (
            "pandas-ix",
            "d = df.set_index('k')\nx = d.ix[3:, 'a']",
            "d = df.set_index('k')\n"
            'x = (d[\'a\'].loc if d.index.inferred_type in ("integer", "floating")'
            " else d['a'].iloc)[3:]",
        ),
        (
            "pandas-ix",
            "d = df.set_index('k')\nd.ix[-1, ['Close', 'Open']].plot()",
            "d = df.set_index('k')\nd[['Close', 'Open']].iloc[-1].plot()",
        ),
        (
            "pandas-ix",
            "d = df.set_index(['k', 'm'])\nx = d.ix[3]",
            "d = df.set_index(['k', 'm'])\n"
            'x = (d.loc if d.index.get_level_values(0).inferred_type in ("integer", "floating")'
            " else d.iloc)[3]",
        ),
        (
            "pandas-ix",
            "d = df.set_index(['k', 'm'])\nx = d.ix[[1, 2]]",
            "d = df.set_index(['k', 'm'])\n"
            'x = (d.loc if d.index.inferred_type == "integer" else d.iloc)[[1, 2]]',
        ),
        (
            "pandas-ix",
            "d = df.set_index('k')\nx = d.copy().ix[1:]",
            "d = df.set_index('k')\n"
            'x = (d.copy().loc if d.index.inferred_type in ("integer", "floating")'
            " else d.copy().iloc)[1:]",
        ),
        (
            "pandas-ix",
            "d = df['a'].value_counts()\nx = d.ix[:3]",
            "d = df['a'].value_counts()\n"
            'x = (d.loc if d.index.inferred_type in ("integer", "floating") else d.iloc)[:3]',
        ),
        (
            "pandas-ix",
            "d = df.set_index(df['year'].astype(int))\nd.ix[1986:, 'a']",
            "d = df.set_index(df['year'].astype(int))\nd.loc[1986:, 'a']",
        ),
        (
            "pandas-ix",
            "d = df.set_index('land')\nd.ix['Austria'], d.ix[0], d.ix[:2], d.ix[0, 'a']",
            "d = df.set_index('land')\n"
            "d.loc['Austria'], d.iloc[0], d.iloc[:2], d.iloc[0, d.columns.get_loc('a')]",
        ),
        (
            "pandas-ix",
            "c = df.corr()\nc.ix[6:7, 59:65]",
            "c = df.corr()\nc.iloc[6:7, 59:65]",
        ),
        (
            "pandas-ix",
            "names = ['x', 'y']\nd = df.set_index('k')\nd.ix[names].dropna()",
            "names = ['x', 'y']\nd = df.set_index('k')\nd.reindex(names).dropna()",
        ),
        (
            "pandas-ix",
            "d = pd.read_csv('a', header=None)\nd.ix[:, 0:2]",
            "d = pd.read_csv('a', header=None)\nd.loc[:, 0:2]",
        ),
        ("pandas-fillna-method", "df.fillna(method='pad')", "df.ffill()"),
        (
            "pandas-fillna-method",
            "df['a'].fillna(method=\"bfill\", limit=2)",
            "df['a'].bfill(limit=2)",
        ),
        (
            "pandas-groupby-columns",
            "df.groupby('a')['b', 'c'].sum()",
            "df.groupby('a')[['b', 'c']].sum()",
        ),
        (
            "pandas-groupby-columns",
            "g = df.groupby('a')\ng['b', 'c']",
            "g = df.groupby('a')\ng[['b', 'c']]",
        ),
        (
            "pandas-str-replace-regex",
            r"df.t.str.replace('\d', '')",
            r"df.t.str.replace('\d', '', regex=True)",
        ),
        (
            "pandas-str-replace-regex",
            "for c in [',', 'a+']:\n    df.t = df.t.str.replace(c, '')",
            "for c in [',', 'a+']:\n    df.t = df.t.str.replace(c, '', regex=len(c) > 1)",
        ),
        (
            "pandas-str-replace-regex",
            "import re\np = re.compile('a+')\ndf.t.str.replace(p, '')",
            "import re\np = re.compile('a+')\ndf.t.str.replace(p, '', regex=True)",
        ),
    ],
)
def test_the_same_in_the_new_manner(rule: str, before: str, after: str) -> None:
    assert_rewrites(rule, before, after, SETUP)


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        ("pandas-ix", "thing = Thing()\nself.ix = 3"),
        ("pandas-ix", "d = df.set_index(['k', 'm'])\nd.ix[3, 'a']"),
        ("pandas-ix", "d = df.set_index('k')\nd.ix[3:5, 'a'] = 0"),
        ("pandas-ix", "d = df.set_index('k')\nd.ix[3:5, mask]"),
        ("pandas-ix", "d = pd.DataFrame(v)\nd.ix[3, 0:2]"),
        ("pandas-ix", "df.groupby('g').sum().ix[0]"),
        ("pandas-ix", "d = pd.DataFrame(v, index=[['a', 'b'], [1, 2]])\nd.ix['b', 2]"),
        ("pandas-fillna-method", "df.fillna(0)"),
        ("pandas-fillna-method", "df.fillna(method=how)"),
        ("pandas-fillna-method", "mystery.a.fillna(method='ffill', inplace=True)"),
        ("pandas-fillna-method", "df.fillna(0, method='ffill')"),
        ("pandas-groupby-columns", "df.groupby('a')['b'].sum()"),
        ("pandas-groupby-columns", "df.groupby('a')[['b', 'c']].sum()"),
        ("pandas-groupby-columns", "df['a', 'b']"),
        ("pandas-str-replace-regex", "df.t.str.replace('.', '')"),
        ("pandas-str-replace-regex", "df.t.str.replace(pattern, '')"),
        ("pandas-str-replace-regex", "cs = [',', '$']\nfor c in cs:\n    df.t.str.replace(c, '')"),
        ("pandas-str-replace-regex", "df.t.str.replace('Mr', '')"),
        ("pandas-str-replace-regex", "df.t.str.replace('#!-&', '')"),
        ("pandas-str-replace-regex", "df.t.str.replace('[a]', '', regex=False)"),
        ("pandas-str-replace-regex", "'a1'.replace('[a]', '')"),
        ("pandas-infer-string", "df.dtypes"),
        ("pandas-infer-string", "name == 'object'"),
        ("pandas-infer-string", "thing.name == 'object'"),
        ("pandas-infer-string", "df['a'].dtype == 'float64'"),
        ("pandas-group-list-index", "df.groupby('a').agg(['sum'])"),
        ("pandas-group-list-index", "df.groupby('a', as_index=False).agg({'b': ['sum']})"),
        ("pandas-group-list-index", "g = df.groupby('a', as_index=False)\ng.agg(['sum'])"),
        ("pandas-infer-string", "if words[0] == 'a':\n    words[0] = 1"),
        ("pandas-infer-string", "if df['a'][0] == 'a':\n    df['b'][0] = 1"),
    ],
)
def test_what_is_meant_otherwise_or_unclear_stays(rule: str, source: str) -> None:
    assert_stays(rule, source, SETUP)


@pytest.mark.parametrize(
    "loop",
    [
        "[c for c in df if df[c].dtype == 'object']",
        "[c for c in df if df[c].dtype == object]",
        "[c for c in df if df[c].dtypes != 'O']",
        "df.dtypes[df.dtypes == 'object'].index",
        "for c, t in df.dtypes.items():\n    if t in ['object', 'category']: pass",
        "for c in df:\n    col_type = df[c].dtype\n    if col_type == object: pass",
        "[c for c in df if df[c].dtype.name == 'object']",
        "import numpy as np\ndf.a.dtype == np.object",
    ],
)
def test_text_columns_are_objects_again_by_one_option(loop: str) -> None:
    setup, after = cells(SETUP, loop, rules=("pandas-infer-string",))
    assert after == loop
    assert setup == SETUP.replace("as pd\n", "as pd\npd.options.future.infer_string = False\n")


def test_text_column_that_refused_a_number_needs_the_option_too() -> None:
    seen = error("b", "TypeError", "Invalid value '1' for dtype 'str'. Value should be a string")
    setup, _ = cells(SETUP, "df.loc[0, 's'] = 1", rules=("pandas-infer-string",), errors=(seen,))
    assert "infer_string = False" in setup


def test_set_of_columns_becomes_a_list_in_written_order() -> None:
    source = "import pandas as pd\ndf = pd.DataFrame(data, {1}, columns={'b', 'a'})"
    told = outcome(source, rules=("pandas-axis-of-set",))
    assert told.notebook.cells[0].source == (
        "import pandas as pd\ndf = pd.DataFrame(data, [1], columns=['b', 'a'])"
    )
    assert told.remarks == [
        "The columns or rows of a set had no order; now they have the one they are written in."
    ]


@pytest.mark.parametrize(
    "source",
    [
        "df.groupby('a').agg(['min', 'max'])",
        "df.groupby(keys).agg(['mean', 'max'])",
        "g = df.groupby('a')\ng.agg(['mean', 'max'])",
        "df[df.a > 1].groupby('a').agg(['mean', 'max'])",
        "df.groupby('a')[['b']].agg(['mean', 'max'])",
    ],
)
def test_ambiguous_statistics_by_group_stay(source: str) -> None:
    rules, words = ("pandas-numeric-only",), "dtype 'str' does not support operation 'mean'"
    raised = error("b", "TypeError", words, line=source.count("\n") + 1)
    assert cells(SETUP, source, rules=rules, errors=(raised,)) == [SETUP, source]
    raised = error("b", "TypeError", words, line=1)
    meant = "df.groupby('a').agg(['mean', 'max'])"
    changed = (
        "df.groupby('a')[df.select_dtypes(['number', 'bool']).columns.drop(['a'], errors='ignore')]"
    )
    done = outcome(SETUP, meant, rules=rules, errors=(raised,))
    assert done.doubts == []
    now = [cell.source for cell in done.notebook.cells]
    assert now == [SETUP, f"{changed}.agg(['mean', 'max'])"]


TWO = "import numpy as np\nimport pandas as pd\na = pd.read_csv('a')\nb = pd.read_csv('b')\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b.loc[b.x > 1]", "sort=not a.columns.equals(b.columns)"),
        ("b[b.x > 1]", "sort=not a.columns.equals(b.columns)"),
        ("b.head()", "sort=not a.columns.equals(b.columns)"),
        ("a.loc[a.x > 1]", ""),
        ("b[['x', 'y']]", ""),
    ],
)
def test_appended_rows_of_another_table_are_sorted_as_before(before: str, after: str) -> None:
    rules = ("pandas-append", "pandas-concat-sort")
    end = f", {after}" if after else ""
    assert cells(TWO, f"c = a.append({before})", rules=rules)[1] == (
        f"c = pd.concat([a, {before}]{end})"
    )


@pytest.mark.parametrize(
    "code",
    [
        "n = a['x'].value_counts().reset_index()\nn['count'].sum()",
        "n = a['x'].value_counts().reset_index().head()\nn.sort_values('count')",
        "a['x'].value_counts(normalize=True).to_frame().query('proportion > 0')['proportion']",
        "n = a['x'].value_counts().reset_index()\npx.bar(n, x='x', y='count')",
    ],
)
def test_counts_that_are_called_count_were_counted_by_pandas_2(code: str) -> None:
    assert_stays("pandas-value-counts-names", code, TWO)


@pytest.mark.parametrize(
    "later",
    [
        "n = n.rename(columns={'index': 'x', 'x': 'count'})\nn['count']",
        "x = 1\nn.columns = ['x', 'count']\nn['count']",
        "a.groupby('x')['y'].agg('count')",
    ],
)
def test_counts_that_are_given_that_name_were_not(later: str) -> None:
    assert_rewrites(
        "pandas-value-counts-names",
        f"n = a['x'].value_counts().reset_index()\n{later}",
        "n = a['x'].value_counts().rename_axis(None).rename('x').reset_index()\n" + later,
        TWO,
    )


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ("{'b': 1, 'a': 2}", "pd.DataFrame([{'b': 1, 'a': 2}]).sort_index(axis=1)"),
        ("{'a': 1, 'b': 2}", "pd.DataFrame([{'a': 1, 'b': 2}])"),
        ("dict(b=1)", "pd.DataFrame([dict(b=1)]).sort_index(axis=1)"),
    ],
)
def test_labels_of_a_first_row_are_sorted_as_before(row: str, after: str) -> None:
    rules = ("pandas-append", "pandas-concat-sort")
    code = "t = pd.DataFrame()\nfor i in x:\n    t = {}"
    assert cells(TWO, code.format(f"t.append({row}, ignore_index=True)"), rules=rules)[1] == (
        code.format(f"pd.concat([t, {after}], ignore_index=True)")
    )


def test_empty_series_has_the_type_of_appended_values() -> None:
    assert_rewrites(
        "pandas-append",
        "s = pd.Series()\ns = s.append(pd.Series([1]))",
        "s = pd.Series()\ns = pd.concat([s, pd.Series([1])]).infer_objects()",
        TWO,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a.resample('D', how=sum)", "a.resample('D').sum(min_count=1)"),
        ("a.resample('D', how=np.mean)['x']", "a.resample('D').mean()['x']"),
        ("a.resample('D', 'sum')", "a.resample('D').sum(min_count=1)"),
        (
            "a.resample('D', how={'x': 'sum', 'y': 'max'})",
            "a.resample('D').agg({'x': lambda values: values.sum(min_count=1), 'y': 'max'})",
        ),
        ("a.resample('D', how=np.ptp)", "a.resample('D').agg(np.ptp)"),
        ("a.resample('D', 'index')", "a.resample('D', 'index')"),
        (
            "def sum(x): return 1\na.resample('D', how=sum)",
            "def sum(x): return 1\na.resample('D').agg(sum)",
        ),
    ],
)
def test_functions_that_pandas_took_for_its_own_methods(before: str, after: str) -> None:
    assert_rewrites("pandas-resample-how", before, after, TWO)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pd.read_excel('f', parse_cols=2)", "pd.read_excel('f', usecols=[0, 1, 2])"),
        ("pd.read_excel('f', parse_cols=[2])", "pd.read_excel('f', usecols=[2])"),
        ("pd.read_excel('f', parse_cols='A:C')", "pd.read_excel('f', usecols='A:C')"),
    ],
)
def test_the_last_column_to_be_read(before: str, after: str) -> None:
    assert_rewrites("pandas-read-excel-arguments", before, after, "import pandas as pd\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = pd.read_json('[1]')", "x = pd.read_json(io.StringIO('[1]'))"),
        (
            "x = pd.read_xml(path_or_buffer=r.text)",
            "x = pd.read_xml(path_or_buffer=io.StringIO(r.text))",
        ),
        (
            "page = '<p>'\nx = pd.read_html(page)",
            "page = '<p>'\nx = pd.read_html(io.StringIO(page))",
        ),
        ("x = pd.read_json(df.to_json())", "x = pd.read_json(io.StringIO(df.to_json()))"),
        (
            "x = pd.read_html(soup.prettify(), header=0)",
            "x = pd.read_html(io.StringIO(soup.prettify()), header=0)",
        ),
    ],
)
def test_literal_text_is_read_as_a_file(before: str, after: str) -> None:
    assert_rewrites("pandas-literal-text", before, after, "import io\n" + SETUP)


@pytest.mark.parametrize(
    "source",
    [
        "pd.read_json('data/x.json')",
        "pd.read_json(path)",
        "pd.read_json(io.StringIO('[1]'))",
        "f = io.StringIO('[1]')\npd.read_json(f)",
        "pd.read_html('https://x.org/a.html')",
        "pd.read_csv('[1]')",
        "pd.read_html(str(table))",
        "pd.read_json(*a)",
    ],
)
def test_literal_text_leaves_paths_and_files(source: str) -> None:
    assert_stays("pandas-literal-text", source, "import io\n" + SETUP)


def test_literal_text_of_unknown_origin_is_told_by_the_error() -> None:
    rule = "pandas-literal-text"
    refusal = str(FileNotFoundError(2, "No such file or directory", "\n<table class='a'>"))
    seen = error("b", "FileNotFoundError", refusal, 2)
    source = "table = f(x)\ny = pd.read_html(str(table))[0]"
    after = source.replace("str(table)", "io.StringIO(str(table))")
    assert cells("import io\n" + SETUP, source, rules=(rule,), errors=(seen,))[1] == after
    missing = error("b", "FileNotFoundError", "[Errno 2] No such file or directory: 'a.html'", 2)
    assert cells("import io\n" + SETUP, source, rules=(rule,), errors=(missing,))[1] == source
