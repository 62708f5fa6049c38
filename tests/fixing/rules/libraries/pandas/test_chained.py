import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells

SETUP = (
    "import pandas as pd\ntrain = pd.read_csv('a')\ntest = pd.read_csv('b')\nfull = [train, test]\n"
)
INPLACE = "pandas-chained-inplace"
SETITEM = "pandas-chained-setitem"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("train['a'].fillna(0, inplace=True)", "train['a'] = train['a'].fillna(0)"),
        ('train["a"].fillna(0, inplace = True)  # c', 'train["a"] = train["a"].fillna(0)  # c'),
        (
            "train.Age.fillna(train.Age.mean(), inplace=True)",
            "train['Age'] = train['Age'].fillna(train.Age.mean())",
        ),
        (
            "train.loc[:, 'a'].fillna(0, inplace=True)",
            "train.loc[:, 'a'] = train.loc[:, 'a'].fillna(0)",
        ),
        (
            "for d in full:\n    d['c'].replace({'a': 1}, inplace=True); print(d)",
            "for d in full:\n    d['c'] = d['c'].replace({'a': 1}); print(d)",
        ),
        (
            "for c in ['a', 'b']:\n    train[c].fillna('x', inplace=True)",
            "for c in ['a', 'b']:\n    train[c] = train[c].fillna('x')",
        ),
        (
            "def f(df):\n    df['a'].fillna(0, inplace=True)\nf(train)",
            "def f(df):\n    df['a'] = df['a'].fillna(0)\nf(train)",
        ),
        (
            "train['a'].fillna(\n    0,  # zero\n    inplace=True,\n)",
            "train['a'] = train['a'].fillna(\n    0,\n)",
        ),
    ],
)
def test_the_result_is_assigned(before: str, after: str) -> None:
    assert_rewrites(INPLACE, before, after, SETUP)


@pytest.mark.parametrize(
    "source",
    [
        "train.fillna(0, inplace=True)",
        "train[['a', 'b']].fillna(0, inplace=True)",
        "cols = ['a']\ntrain[cols].fillna(0, inplace=True)",
        "train[train['a'] > 1].fillna(0, inplace=True)",
        "train.loc[train.a > 1, 'a'].fillna(0, inplace=True)",
        "train['a'].str.strip().fillna('', inplace=True)",
        "train['a'].fillna(0, inplace=False)",
        "x = train['a'].fillna(0)",
        "tables = {'train': train}\ntables['train'].fillna(0, inplace=True)",
        "mystery['a'].fillna(0, inplace=True)",
        "s = train['a']\ns.fillna(0, inplace=True)",
        "train['a'].dropna(inplace=True)",
    ],
)
def test_what_worked_or_never_worked_stays(source: str) -> None:
    assert_stays(INPLACE, source, SETUP)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("train['b'][train['a'] > 1] = 5", "train.loc[train['a'] > 1, 'b'] = 5"),
        ("train.b[train.a > 1] = 5  # c", "train.loc[train.a > 1, 'b'] = 5  # c"),
        ("train['b'].loc[mask] = 5", "train.loc[mask, 'b'] = 5"),
        ("train['b'].iloc[0] = 5", "train.iloc[0, train.columns.get_loc('b')] = 5"),
        ("train['b'][:10] = 5", "train.iloc[:10, train.columns.get_loc('b')] = 5"),
        ("train['b'][3] = 5", "train.loc[3, 'b'] = 5"),
        ("train['b'][mask] += 1", "train.loc[mask, 'b'] += 1"),
        (
            "for d in full:\n    d['b'][d.a == 1] = 0",
            "for d in full:\n    d.loc[d.a == 1, 'b'] = 0",
        ),
    ],
)
def test_two_steps_become_one(before: str, after: str) -> None:
    assert_rewrites(SETITEM, before, after, SETUP)


@pytest.mark.parametrize(
    "source",
    [
        "train['b'] = 5",
        "train.loc[0, 'b'] = 5",
        "train[mask]['b'] = 5",
        "train[['a', 'b']][mask] = 5",
        "lists = {'b': [1]}\nlists['b'][0] = 5",
        "mystery['b'][0] = 5",
        "train.b = 5",
        "train['b'].values[0] = 5",
        "x = train['b'][0]",
        "self.b[0] = 5",
        "import numpy as np\nnp.options[0] = 5",
    ],
)
def test_other_assignments_stay(source: str) -> None:
    assert_stays(SETITEM, source, SETUP)


def test_one_value_in_brackets_is_still_spread_over_the_rows() -> None:
    setup = "import pandas as pd\ndf = pd.read_csv('a.csv')\n"
    for value, spread in (
        ("[5]", "5"),
        ("model.predict([[1, 2]])", "model.predict([[1, 2]])[0]"),
        ("np.array([7])", "np.array([7])[0]"),
        ("model.predict(rows)", "model.predict(rows)"),
        ("[1, 2]", "[1, 2]"),
    ):
        source = f"{setup}df['a'][df.b > 1] = {value}"
        assert cells(source, rules=("pandas-chained-setitem",)) == [
            f"{setup}df.loc[df.b > 1, 'a'] = {spread}"
        ]


@pytest.mark.parametrize(
    "made",
    [
        "pd.read_csv('a', index_col=0, parse_dates=True)",
        "pd.read_csv('a').groupby('g').sum()",
        "pd.read_csv('a').set_index('date')",
    ],
)
def test_a_whole_number_that_may_be_a_position_is_left(made: str) -> None:
    assert_stays(SETITEM, f"import pandas as pd\ntable = {made}\ntable['a'][0] = 1")
    other = "\nother = table.set_index('a')\ntable['a'][0] = 1"
    assert_stays(SETITEM, f"import pandas as pd\ntable = {made}{other}")


def test_a_whole_number_is_a_label_where_only_another_table_is_indexed() -> None:
    setup = "import pandas as pd\ntable = pd.read_csv('a')\nother = table.set_index('a')\n"
    assert_rewrites(SETITEM, "table['a'][0] = 1", "table.loc[0, 'a'] = 1", setup)
