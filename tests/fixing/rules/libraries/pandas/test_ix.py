"""`.ix` where rows or columns may have other labels than whole numbers, or whole numbers only.

The old results were seen in pandas 0.25.
"""

import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells

SETUP = "import pandas as pd\ndf = pd.read_csv('a')\n"
ASKED = '({0}.loc if {0}.index.inferred_type in ("integer", "floating") else {0}.iloc)'
COLUMNS_ASKED = '({0}.loc if {0}.columns.inferred_type == "integer" else {0}.iloc)'


@pytest.mark.parametrize(
    "made",
    [
        "pd.Series([1, 2], index=labels)",
        "pd.Series({'a': 1, 'b': 2})",
        "df.mean()",
        "df.isnull().sum()",
        "df.dtypes",
        "df.iloc[0]",
        "df.loc[0].copy()",
        "pd.read_json('a')",
    ],
)
def test_where_labels_may_be_no_numbers_the_index_is_asked(made: str) -> None:
    before = f"s = {made}\ns.ix[1] = 9\nprint(s.ix[0])"
    asked = ASKED.format("s")
    assert_rewrites("pandas-ix", before, f"s = {made}\n{asked}[1] = 9\nprint({asked}[0])", SETUP)


def test_the_rows_of_a_description_are_called_by_texts() -> None:
    before = "x = df.describe().ix[1]\ny = df.groupby('g').a.describe().ix[1]"
    after = "x = df.describe().iloc[1]\ny = df.groupby('g').a.describe().ix[1]"
    assert_rewrites("pandas-ix", before, after, SETUP)


@pytest.mark.parametrize(
    "function",
    ["lambda row: row.ix[0]", "f", "g"],
)
def test_what_apply_gives_a_function_may_be_a_row(function: str) -> None:
    before = f"def f(row):\n    return row.ix[0]\nx = df.apply({function}, axis=1)"
    after = cells(SETUP, before, rules=("pandas-ix",))[1]
    assert after.count(ASKED.format("row")) == {"f": 1, "g": 0}.get(function, 1)


def test_row_slice_with_levels_goes_by_existing_labels() -> None:
    before = "g = df.groupby(['n', 'k']).sum()\nx = g.ix[0:5]"
    after = cells(SETUP, before, rules=("pandas-ix",))[1]
    assert "g.index.nlevels > 1 and all(label in g.index for label in [0, 5])" in after


@pytest.mark.parametrize(
    "made",
    [
        "pd.get_dummies(df['a'])",
        "pd.crosstab(df['a'], df['b'])",
        "df.groupby('a').b.value_counts().unstack()",
        "pd.concat([x, y], axis=1)",
        "df.T",
        "pd.DataFrame(iris.data)\nt['target'] = iris.target",
    ],
)
def test_where_columns_may_be_called_by_numbers_they_are_asked(made: str) -> None:
    asked = COLUMNS_ASKED.format("t")
    before = f"t = {made}\nx = t.ix[:, 1:]"
    assert_rewrites("pandas-ix", before, f"t = {made}\nx = {asked}[:, 1:]", SETUP)


@pytest.mark.parametrize(
    "source",
    [
        "t = pd.crosstab(df['a'], df['b'])\nt.ix['x', 1:2]",
        "t = df.T\nt.ix[0, 0:2]",
        "g = df.groupby(['a', 'b']).sum()\ng.ix['x', 1]",
        "df.ix[0]['a'] = 1",
        "df.ix[1:2].a = 1",
        "df.ix[:, 'a'][0] = 1",
        "t = df[df.a > 1]\nfor i in range(len(t)):\n    t.a.ix[i] = 5",
        "t = pd.read_pickle('a')\nt.ix[0, 'a'] = 5",
        "t = pd.read_pickle('a')\nt.a.ix[1] = 5",
        "def f(t):\n    t.a.ix[1] = 5",
        "df.ix[:, 'a'].ix[0] = 5",
    ],
)
def test_what_would_be_another_place_or_be_lost_stays(source: str) -> None:
    assert_stays("pandas-ix", source, SETUP)


def test_a_row_that_is_gone_is_not_added_to_the_table() -> None:
    source = "t = df[df.a > 1]\nfor i in range(len(t)):\n    t.a.loc[i] = 5"
    assert_stays("pandas-chained-setitem", source, SETUP)
