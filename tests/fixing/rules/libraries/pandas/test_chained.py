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
            "train['a'] = train.loc[:, 'a'].fillna(0)",
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
            "for c in train.columns[3:]:\n    p = c + '_p'\n    train[p].fillna(0, inplace=True)",
            "for c in train.columns[3:]:\n    p = c + '_p'\n    train[p] = train[p].fillna(0)",
        ),
        (
            "for c in names:\n    train['a_' + c].fillna(0, inplace=True)",
            "for c in names:\n    train['a_' + c] = train['a_' + c].fillna(0)",
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


def test_a_table_of_seaborn_is_a_table() -> None:
    setup = "import seaborn as sns\ntips = sns.load_dataset('tips')\n"
    assert_rewrites(
        INPLACE, "tips.tip.fillna(0, inplace=True)", "tips['tip'] = tips['tip'].fillna(0)", setup
    )


@pytest.mark.parametrize(
    "source",
    [
        "train.fillna(0, inplace=True)",
        "train[['a', 'b']].fillna(0, inplace=True)",
        "cols = ['a']\ntrain[cols].fillna(0, inplace=True)",
        "parts = names + '_p'\ntrain[parts].fillna(0, inplace=True)",
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
        ("train['b'][3] = x.mode()", "train.loc[3, 'b'] = x.mode().item()"),
        ("train['b'][mask] = x.mode()", "train.loc[mask, 'b'] = x.mode()"),
        ("train['b'][mask] += 1", "train.loc[mask, 'b'] += 1"),
        (
            "i = 0\nfor z in zip(train.index, v):\n    train[z[0]][i] = z[1]\n    i += 1",
            "i = 0\nfor z in zip(train.index, v):\n    train.loc[i, z[0]] = z[1]\n    i += 1",
        ),
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
        "for z in masks:\n    train[z[0]][3] = 5",
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


def test_whole_number_is_a_label_if_another_table_is_indexed() -> None:
    setup = "import pandas as pd\ntable = pd.read_csv('a')\nother = table.set_index('a')\n"
    assert_rewrites(SETITEM, "table['a'][0] = 1", "table.loc[0, 'a'] = 1", setup)


DATED = (
    "import numpy as np\nimport pandas as pd\nraw = pd.read_csv('a', index_col=0)\n"
    "table = pd.DataFrame(index=raw.index)\ntable['x'] = 0.0\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "n = 40\ntable['x'][n:] = 1.0",
            "n = 40\ntable.iloc[n:, table.columns.get_loc('x')] = 1.0",
        ),
        (
            "i = 0\nwhile i < 9:\n    table['x'][i:i + 2] = 1.0\n    i += 2",
            "i = 0\nwhile i < 9:\n    table.iloc[i:i + 2, table.columns.get_loc('x')] = 1.0\n"
            "    i += 2",
        ),
        (
            "for i in range(3):\n    table['x'][:i] = 1.0",
            "for i in range(3):\n    table.iloc[:i, table.columns.get_loc('x')] = 1.0",
        ),
        (
            "table['x'][len(table) // 2:] = 1.0",
            "table.iloc[len(table) // 2:, table.columns.get_loc('x')] = 1.0",
        ),
        ("table['x'][-3:] = 1.0", "table.iloc[-3:, table.columns.get_loc('x')] = 1.0"),
        ("table['x']['2020':'2021'] = 1.0", "table.loc['2020':'2021', 'x'] = 1.0"),
        ("table['x']['2020-03-01'] = 1.0", "table.loc['2020-03-01', 'x'] = 1.0"),
        ("table['x'][:] = 1.0", "table.loc[:, 'x'] = 1.0"),
        (
            "late = table['x'] > 3\ntable['x'][late] = 1.0",
            "late = table['x'] > 3\ntable.loc[late, 'x'] = 1.0",
        ),
        (
            "for day, row in raw.iterrows():\n    table['x'][day] = 1.0",
            "for day, row in raw.iterrows():\n    table.loc[day, 'x'] = 1.0",
        ),
    ],
)
def test_rows_are_positions_or_labels_as_they_were(before: str, after: str) -> None:
    assert_rewrites(SETITEM, before, after, DATED)
    assert_rewrites(
        SETITEM,
        f"def f():\n    {before.replace(chr(10), chr(10) + '    ')}",
        (f"def f():\n    {after.replace(chr(10), chr(10) + '    ')}"),
        DATED,
    )


@pytest.mark.parametrize(
    "source",
    [
        "n = 40\ntable['x'][n] = 1.0",
        "table['x'][n:] = 1.0",
        "def f(n):\n    table['x'][n:] = 1.0",
        "n = raw['n'].max()\ntable['x'][n:] = 1.0",
        "for n in np.where(raw['n'] > 1)[0]:\n    table['x'][n] = 1.0",
        "table['x'][[0, 1]] = 1.0",
    ],
)
def test_rows_that_may_be_either_are_left(source: str) -> None:
    assert_stays(SETITEM, source, DATED)


def test_text_behind_a_column_may_be_a_second_level() -> None:
    setup = "import pandas as pd\ntable = pd.read_csv('a', header=[0, 1], index_col=0)\n"
    assert_stays(SETITEM, "table['a']['b'] = 1", setup)
    assert_stays(SETITEM, "table['a']['b'] = 1", "import pandas as pd\ntable = pd.read_csv('a')\n")


@pytest.mark.parametrize(
    "lost",
    [
        "df = df[df.x > 1]",
        "df = df.loc[(df.x > 1) & (df.y > 1)].fillna(0)",
        "df.dropna(inplace=True)",
        "while len(df) > 9:\n    df = df.fillna(0)\n    df = df.query('x > 1')",
    ],
)
def test_numbers_counted_in_a_table_that_lost_rows_add_none(lost: str) -> None:
    read = "import pandas as pd\ndf = pd.read_csv('a')"
    loop = "for i in range(len(df)):\n    df['b'][i] = 3"
    loc = loop.replace("df['b'][i]", "df.loc[i, 'b']")
    numbered = "df = df.reset_index(drop=True)"
    assert cells(read, lost, loop, rules=(SETITEM,))[2] == loop
    assert cells(read, lost, numbered, loop, rules=(SETITEM,))[3] == loc
    assert cells(read, "df = df.fillna(0)", loop, rules=(SETITEM,))[2] == loc


def test_a_label_that_is_handed_on_to_another_name_is_one() -> None:
    source = (
        "import pandas as pd\ndf = pd.read_csv('a')\nfor language in found:\n"
        "    if language != 'id':\n        column = language\n        df[column].iloc[i] = 1\n"
        "    else:\n        column = 'ind'\n        df[column].iloc[i] = 1"
    )
    assert cells(source, rules=(SETITEM,)) == [
        source.replace("df[column].iloc[i]", "df.iloc[i, df.columns.get_loc(column)]")
    ]
