import libcst as cst
import pytest

from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.types.inference import TypeInference
from tests.fixing.rules.rewriting import notebook

SETUP = """
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.ensemble import RandomForestClassifier as RF
df = pd.read_csv('a.csv')
test = pd.read_csv('b.csv')
s = df['a']
X, y = df.drop('a', axis=1), df.a
X_train, X_valid, y_train, y_valid = train_test_split(X, y)
def clean(table):
    table['a'].fillna(0)
    return table
def unknown(thing):
    return thing
def used(frame):
    print(frame.columns)
    frame
"""


def type_of(expression: str, setup: str = SETUP) -> str | None:
    program = Program(notebook(setup, expression))
    cell = program.cells[-1]
    statement = cell.module.body[-1]
    assert isinstance(statement, cst.SimpleStatementLine)
    value = statement.body[-1]
    assert isinstance(value, cst.Expr)
    found = TypeInference(program).of(value.value)
    return None if found is None else found.name


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("df", "pandas.DataFrame"),
        ("df['a']", "pandas.Series"),
        ("df.Age", "pandas.Series"),
        ("df[['a', 'b']]", "pandas.DataFrame"),
        ("df[df['a'] > 1]", "pandas.DataFrame"),
        ("df[df['a'] > 1]['b']", "pandas.Series"),
        ("df[:10]", "pandas.DataFrame"),
        ("df.loc[df.a > 1, 'b']", "pandas.Series"),
        ("df.loc[:, ['a', 'b']]", "pandas.DataFrame"),
        ("df.iloc[:10]", "pandas.DataFrame"),
        ("df.values", "numpy.ndarray"),
        ("df.columns", "pandas.Index"),
        ("df.columns[df.isna().any()]", "pandas.Index"),
        ("df.columns[2:]", "pandas.Index"),
        ("df[df.columns[0]]", "pandas.Series"),
        ("df[df.columns[1:]]", "pandas.DataFrame"),
        ("pd.concat([df, test])", "pandas.DataFrame"),
        ("pd.concat([df['a'], test['a']])", "pandas.Series"),
        ("df.groupby('a')['b'].mean()", "pandas.Series"),
        ("df.groupby('a').mean()", "pandas.DataFrame"),
        ("df.groupby('a')", "pandas.DataFrameGroupBy"),
        ("np.log1p(df['a'])", "pandas.Series"),
        ("np.array(df)", "numpy.ndarray"),
        ("df['a'].str.strip()", "pandas.Series"),
        ("df['a'] + 1", "pandas.Series"),
        ("df.merge(test, on='k').fillna(0)", "pandas.DataFrame"),
        ("df.fillna(0, inplace=True)", "builtins.None"),
        ("X_train", "pandas.DataFrame"),
        ("y_valid", "pandas.Series"),
        ("clean(df)", "pandas.DataFrame"),
        ("RF(n_estimators=3).fit(X, y)", "sklearn.ensemble.RandomForestClassifier"),
        ("for d in [df, test]: pass\nd", "pandas.DataFrame"),
        ("for i, d in enumerate([df, test]): pass\nd", "pandas.DataFrame"),
        ("for d in pd.read_csv('a', chunksize=9): pass\nd", "pandas.DataFrame"),
        (
            "r = pd.read_csv('a', chunksize=9)\nfor i, d in enumerate(r): pass\nd",
            "pandas.DataFrame",
        ),
        ("for i, row in df.iterrows(): pass\nrow", "pandas.Series"),
        ("for c in df.columns: pass\ndf[c]", "pandas.Series"),
        ("cols = ['a', 'b']\ndf[cols]", "pandas.DataFrame"),
        ("df if a else test", "pandas.DataFrame"),
        ("[]", "builtins.list"),
    ],
)
def test_kinds_follow_from_how_a_thing_was_made(expression: str, name: str) -> None:
    assert type_of(expression) == name


@pytest.mark.parametrize(
    "expression",
    [
        "mystery",
        "unknown(mystery)",
        "df if a else s",
        "for d in [df, s]: pass\nd",
        "df[mystery]",
        "mystery.loc[:, 'a']",
        "pd.read_csv('a', chunksize=10)",
        "df.plot",
    ],
)
def test_what_cannot_be_told_is_not_guessed(expression: str) -> None:
    assert type_of(expression) is None


def test_name_has_the_kind_of_its_last_assignment() -> None:
    assert type_of("X = X.values\nX") == "numpy.ndarray"
    assert type_of("df", SETUP + "\ndf = df.values\ndf = pd.DataFrame(df)") == "pandas.DataFrame"


def test_a_loop_over_itself_ends() -> None:
    assert type_of("a = b\nb = a\na") is None
    assert type_of("def f(x):\n    return f(x)\nf(1)") is None


def test_searches_that_are_named_in_a_circle_end() -> None:
    program = Program(
        notebook(
            "from sklearn.linear_model import Ridge\n"
            "from sklearn.model_selection import GridSearchCV\n"
            "h = GridSearchCV(Ridge(), {})\n"
            "for i in range(2):\n    g = h\n    h = g.fit(X, y)\n"
        )
    )
    types = TypeInference(program)
    names = [
        node
        for cell in program.cells
        for node in cell.places
        if isinstance(node, cst.Name) and node.value in ("g", "h")
    ]
    assert None in {types.searched(name) for name in names}
