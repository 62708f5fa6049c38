"""Which failures are a cell's own and which only follow."""

from __future__ import annotations

import pytest

from mle_modernizer_server.diagnosis.causes import findings
from mle_modernizer_server.domain.diagnosis import ErrorKind

ROOT = ("ImportError", "cannot import name 'x'")


def _told(pair):
    return [(item.error.cell_id, item.kind, item.caused_by) for item in findings(*pair)]


def _undefined(name):
    return ("NameError", f"name '{name}' is not defined")


BINDINGS = {
    "import sklearn.cross_validation": "sklearn",
    "from sklearn.externals import joblib": "joblib",
    "import pandas.io.data as web": "web",
    "a, (b, *c) = f()": "c",
    "df: object = f()": "df",
    "def train():\n    inner = 1": "train",
    "class Model: pass": "Model",
    "for i, row in f(): pass": "row",
    "with f() as handle: pass": "handle",
    "if (n := f()): pass": "n",
    "%time model = f()": "model",
    "files = !missing-command": "files",
    "total += f()": "total",
    "print 'old'\nold = 3": "old",
    "from keras.layers import *": "Dense",
    "try:\n    import x as found\nexcept ImportError:\n    raise": "found",
}


def test_an_error_behind_a_skipped_cell_is_the_cells_own(ran):
    pair = ran("x = 1", ("print(x)", _undefined("x")), skipped=(0,))
    assert _told(pair) == [("c1", ErrorKind.ROOT, None)]
    assert findings(*pair)[0].explanation.startswith(
        "The cell `x = 1` defines `x` and is tagged `skip-"
    )


@pytest.mark.parametrize("source", BINDINGS)
def test_undefined_name_follows_from_the_cell_that_binds_it(ran, source):
    name = BINDINGS[source]
    error = ("SyntaxError", "invalid syntax") if source.startswith("print '") else ROOT
    pair = ran((source, error), (f"print({name})", _undefined(name)))
    assert _told(pair) == [("c0", ErrorKind.ROOT, None), ("c1", ErrorKind.CASCADE, "c0")]


FUNCTIONS = [
    ("TypeError", "unsupported operand type(s) for /: 'function' and 'int'"),
    ("TypeError", "'function' object is not iterable"),
    ("AttributeError", "'function' object has no attribute 'mean'"),
]


@pytest.mark.parametrize("error", FUNCTIONS)
def test_name_that_is_still_a_function_follows_from_the_cell_that_gives_it_a_value(ran, error):
    imported, made = "from sklearn.model_selection import cross_val_score as cv", "cv = cv(m, X)"
    used = "print(cv.mean() / 2)"
    pair = ran(imported, (made, ROOT), (used, error))
    assert _told(pair) == [("c1", ErrorKind.ROOT, None), ("c2", ErrorKind.CASCADE, "c1")]
    assert _told(ran(imported, ("x = cv(m, X)", ROOT), (used, error)))[-1][1] is ErrorKind.ROOT


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    local = 1",
        "[item for item in x]",
        "print(local, item)",
        "f = lambda local: 1",
        "'local = 1; item = 2'",
    ],
)
def test_names_that_a_cell_would_not_have_bound_are_no_excuse(ran, source):
    name = "local" if "local" in source else "item"
    pair = ran((source, ROOT), (name, _undefined(name)))
    assert [kind for _, kind, _ in _told(pair)] == [ErrorKind.ROOT, ErrorKind.ROOT]


def test_names_bound_before_the_failing_line_do_exist(ran):
    source = "a = 1\nb = broken()\nc = 2"
    pair = ran((source, ("TypeError", "bad", 2)), ("a", _undefined("a")), ("c", _undefined("c")))
    assert _told(pair) == [
        ("c0", ErrorKind.ROOT, None),
        ("c2", ErrorKind.CASCADE, "c0"),
        ("c1", ErrorKind.ROOT, None),
    ]


def test_a_chain_of_failures_leads_to_its_root(ran):
    pair = ran(
        ("train = broken()", ROOT),
        ("X = train[1]", _undefined("train")),
        "z = 1",
        ("model.fit(X)", _undefined("X")),
        ("other()", ("TypeError", "bad")),
    )
    assert _told(pair) == [
        ("c0", ErrorKind.ROOT, None),
        ("c1", ErrorKind.CASCADE, "c0"),
        ("c3", ErrorKind.CASCADE, "c0"),
        ("c4", ErrorKind.ROOT, None),
    ]


def test_undefined_name_in_an_earlier_function_follows_too(ran):
    pair = ran(("import missing as m", ROOT), "def f():\n    return m.x", ("f()", _undefined("m")))
    assert _told(pair)[1] == ("c2", ErrorKind.CASCADE, "c0")


@pytest.mark.parametrize(
    ("lost", "source", "error"),
    [
        ("model.fit(X, y)", "model.predict(Z)", ("NotFittedError", "This X is not fitted yet.")),
        (
            "model.fit(X, y)",
            "model.predict(Z)",
            ("XGBoostError", "need to call fit or load_model beforehand"),
        ),
        ("df['Title'] = f(df)", "df.groupby('Title')", ("KeyError", "'Title'")),
        ("df['Title'] = f(df)", "df[['Title', 'A']]", ("KeyError", "\"['Title'] not in index\"")),
        ("df.loc[:, 'Title'] = f(df)", "df['Title']", ("KeyError", "'Title'")),
        ("df = df.assign(Title=f)", "df['Title']", ("KeyError", "'Title'")),
        ("df.rename(columns={'a': 'Title'}, inplace=True)", "df['Title']", ("KeyError", "'Title'")),
        (
            "df['Title'] = f(df)",
            "df.Title",
            ("AttributeError", "'DataFrame' object has no attribute 'Title'"),
        ),
        (
            "df['Sex'] = df['Sex'].map(m)",
            "model.fit(df, y)",
            ("ValueError", "could not convert string to float: 'male'"),
        ),
        (
            "df.to_csv('/kaggle/working/features.csv')",
            "pd.read_csv('features.csv')",
            ("FileNotFoundError", "[Errno 2] No such file or directory: 'features.csv'"),
        ),
        (
            "with open('./model.pkl', 'wb') as f:\n    pickle.dump(m, f)",
            "open('model.pkl')",
            ("FileNotFoundError", "[Errno 2] No such file or directory: 'model.pkl'"),
        ),
        (
            "np.save('../data/mu{}_{}.npy'.format(house, t), mu)",
            "np.load('../data/muC_c.npy')",
            ("FileNotFoundError", "[Errno 2] No such file or directory: '../data/muC_c.npy'"),
        ),
        (
            "for t in ts:\n    np.save(f'data/mu_{t}.npy', mu)",
            "np.load('data/mu_c.npy')",
            ("FileNotFoundError", "[Errno 2] No such file or directory: 'data/mu_c.npy'"),
        ),
        (
            "scores = {}\nfor name in kinds:\n    scores[name] = fit(name)",
            "scores['single']",
            ("KeyError", "'single'"),
        ),
        (
            "rows = []\nfor n in ns:\n    rows.append(fit(n))",
            "table = pd.DataFrame(rows)\ntable.columns = ['a', 'b']",
            ("ValueError", "Length mismatch: Expected axis has 0 elements, new values have 2"),
        ),
        ("for n in ns:\n    rows.append(n)", "rows[0]", ("IndexError", "list index out of range")),
        ("for n in ns:\n    rows += f(n)", "max(rows)", ("ValueError", "max() arg is an empty se")),
    ],
)
def test_what_a_failed_cell_was_to_do_is_missed_later(ran, lost, source, error):
    pair = ran((lost, ("TypeError", "bad")), (source, error))
    assert _told(pair)[1] == ("c1", ErrorKind.CASCADE, "c0")


def test_a_table_with_texts_that_is_averaged_fails_by_itself(ran):
    notebook, execution = ran(
        ("df['Sex'] = df['Sex'].map(m)", ("TypeError", "bad")),
        ("df.corr()", ("ValueError", "could not convert string to float: 'male'")),
    )
    first, second = execution.errors
    second = second.model_copy(update={"traceback": (*second.traceback, "----> 1 df.corr()")})
    execution = execution.model_copy(update={"errors": (first, second)})
    assert [kind for _, kind, _ in _told((notebook, execution))] == [ErrorKind.ROOT] * 2


@pytest.mark.parametrize(
    ("lost", "source", "error"),
    [
        ("other.fit(X)", "model.predict(Z)", ("NotFittedError", "This X is not fitted yet.")),
        ("df['Title'] = f(df)", "df['Name']", ("KeyError", "'Name'")),
        ("print(df['Title'])", "df['Title']", ("KeyError", "'Title'")),
        ("x = open('a.csv')", "open('b.csv')", ("FileNotFoundError", "[Errno 2] No: 'b.csv'")),
        (
            "import pandas as pd\npd.bad()",
            "model.fit(pd.get_dummies(y))",
            ("ValueError", "Input contains NaN"),
        ),
        (
            "df = bad()",
            "np.float(1)",
            ("AttributeError", "module 'numpy' has no attribute 'float'"),
        ),
        ("rows.append(1)", "other[0]", ("IndexError", "list index out of range")),
        ("rows.append(1)", "rows[0].x(0)", ("ValueError", "x must be positive")),
        (
            "np.save(f'{name}.npy', x)",
            "np.load('b.npy')",
            ("FileNotFoundError", "[Errno 2] No: 'b.npy'"),
        ),
        ("df = bad()", "df.fit(bad=1)", ("TypeError", "got an unexpected keyword argument 'bad'")),
    ],
)
def test_what_has_nothing_to_do_with_it_is_a_root_error(ran, lost, source, error):
    pair = ran((lost, ("TypeError", "bad")), (source, error))
    assert [kind for _, kind, _ in _told(pair)] == [ErrorKind.ROOT, ErrorKind.ROOT]


def test_shown_errors_are_harmless_and_come_last(ran):
    notebook, execution = ran("import tensorflow", ("1/0", ("ZeroDivisionError", "division")))
    shown = execution.errors[0].model_copy(
        update={"raised": False, "cell_id": "c0", "index": 0, "ename": "AttributeError"}
    )
    execution = execution.model_copy(update={"errors": (shown, *execution.errors)})
    assert _told((notebook, execution)) == [
        ("c1", ErrorKind.ROOT, None),
        ("c0", ErrorKind.HARMLESS, None),
    ]


NAN = ("ValueError", "Input X contains NaN.")


def test_result_of_an_unchanged_table_is_wrong_too(ran):
    pair = ran(
        ("df['Age'].fillna(0, inplace=True).nope", ROOT),
        "X = df.drop('y', axis=1)\nX_train, X_test = split(X)",
        ("model.fit(X_train)", NAN),
    )
    assert _told(pair) == [("c0", ErrorKind.ROOT, None), ("c2", ErrorKind.CASCADE, "c0")]


def test_what_was_made_of_something_else_is_an_error_of_its_own(ran):
    pair = ran(
        ("import numpy as np\ndf['Age'].fillna(0, inplace=True).nope", ROOT),
        "X = np.load('x')",
        ("model.fit(X)", NAN),
    )
    assert [kind for _, kind, _ in _told(pair)] == [ErrorKind.ROOT, ErrorKind.ROOT]


def test_column_of_a_lost_step_follows_from_it(ran):
    key = ("KeyError", "\"['Sex_male'] not in index\"")
    pair = ran(("df = pd.get_dummies(df, nope=1)", ROOT), ("df[['Sex_male']]", key))
    assert _told(pair) == [("c0", ErrorKind.ROOT, None), ("c1", ErrorKind.CASCADE, "c0")]
    pair = ran(("other = pd.get_dummies(df, nope=1)", ROOT), ("df[['Sex_male']]", key))
    assert [kind for _, kind, _ in _told(pair)] == [ErrorKind.ROOT, ErrorKind.ROOT]


def test_a_name_that_no_cell_defines_is_the_authors_own_error(ran):
    pair = ran("a = 1", ("print(b)", _undefined("b")))
    (found,) = findings(*pair)
    assert found.explanation.startswith("No cell of the notebook defines `b`")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("from keras.layers import *", "Dense"),
        ("%pylab inline", "plot"),
        ("%run helpers.py", "helper"),
        ("globals().update(x)", "c"),
        ("x = 1", "unicode"),
    ],
)
def test_a_name_that_may_be_defined_somewhere_is_not_called_so(ran, source, name):
    pair = ran((f"print({name})", _undefined(name)), source)
    assert [found.explanation for found in findings(*pair)] == [""]


def test_a_name_that_only_a_later_cell_defines_is_said_to_be(ran):
    pair = ran("a = 1", ("b.run()", _undefined("b")), "c = 1", "class b:\n    pass")
    (found,) = findings(*pair)
    assert found.explanation.startswith("The cell `class b:` defines `b` and is further down")
    for before in ("from x import *", "[b for b in y]", "try:\n    x\nexcept E as b:\n    pass"):
        pair = ran(before, ("b.run()", _undefined("b")), "b = 1")
        assert [found.explanation for found in findings(*pair)] == [""]


def test_what_a_model_learns_is_missed_where_the_fit_has_failed(ran):
    search = "search = GridSearchCV(model, grid)\nsearch.fit(X, y)"
    missing = ("AttributeError", "'GridSearchCV' object has no attribute 'best_params_'")
    pair = ran((search, ("ValueError", "bad", 2)), ("search.best_params_", missing))
    assert _told(pair) == [("c0", ErrorKind.ROOT, None), ("c1", ErrorKind.CASCADE, "c0")]
    gone = ("AttributeError", "'GradientBoostingClassifier' object has no attribute 'loss_'")
    pair = ran((search, ("ValueError", "bad", 2)), ("other.loss_", gone))
    assert [kind for _, kind, _ in _told(pair)] == [ErrorKind.ROOT, ErrorKind.ROOT]


@pytest.mark.parametrize(
    ("lost", "source", "evalue", "follows"),
    [
        ("d = copy.deepcopy(c)", "d.l", "'D' object has no attribute 'l'", True),
        ("d = numpy.array(d)", "d.shape", "'list' object has no attribute 'shape'", True),
        # of a library's class: the library has changed
        ("d = merged(d)", "d.ix", "'DataFrame' object has no attribute 'ix'", False),
        ("d = merged(d)", "d.week()", "'DataFrame' object has no attribute 'week'", False),
        ("d = merged(d)", "d.week", "'DataFrame' object has no attribute 'week'", True),
        ("e = merged(d)", "d.week", "'DataFrame' object has no attribute 'week'", False),
        # it has been made anew since
        ("d = merged(d)", "d = [1]\nd.shape", "'list' object has no attribute 'shape'", False),
        # of Python 2
        ("d = merged(d)", "d.has_key(1)", "'dict' object has no attribute 'has_key'", False),
        ("e = merged(d)", "d.l", "'D' object has no attribute 'l'", False),
    ],
)
def test_object_a_failed_cell_should_replace_is_the_old_one(ran, lost, source, evalue, follows):
    error = ("AttributeError", evalue, source.count("\n") + 1)
    pair = ran("class D:\n    pass", "d = D()", (lost, ROOT), (source, error))
    assert (_told(pair)[-1][1] is ErrorKind.CASCADE) is follows
    pair = ran("class D:\n    pass", (lost, ROOT), "d = D()", (source, error))
    assert _told(pair)[-1][1] is ErrorKind.ROOT


@pytest.mark.parametrize(
    ("source", "error", "follows"),
    [
        ("df['Weight']", ("KeyError", "'Weight'"), True),
        ("df.drop(['L2'], axis=1)", ("KeyError", "\"['L2'] not found in axis\""), True),
        (
            "sns.boxplot(x='Kind', data=df)",
            ("ValueError", "Could not interpret value `Kind` for `x`. An entry with this name"),
            True,
        ),
        ("other['Weight']", ("KeyError", "'Weight'"), False),
        ("df = other\ndf['Weight']", ("KeyError", "'Weight'", 2), False),
    ],
)
def test_columns_of_an_unread_table_are_missing_in_the_old_one(ran, source, error, follows):
    lost = ("df = pd.read_csv('gone.csv')", ROOT)
    first = "import pandas as pd\ndf = pd.DataFrame()\nother = df"
    pair = ran(first, lost, (source, error))
    assert (_told(pair)[-1][1] is ErrorKind.CASCADE) is follows
    pair = ran(first, lost, "df = pd.DataFrame()", (source, error))
    assert _told(pair)[-1][1] is ErrorKind.ROOT


@pytest.mark.parametrize(
    ("use", "error"),
    [
        ("df.index.year", ("AttributeError", "'RangeIndex' object has no attribute 'year'")),
        ("df.resample('D')", ("TypeError", "Only valid with DatetimeIndex, but got 'RangeIndex'")),
        ("x = df > 200", ("TypeError", "'>' not supported between instances of 'str' and 'int'")),
        ("df.set_index('date')", ("KeyError", "\"None of ['date'] are in the columns\"")),
    ],
)
def test_unread_table_has_the_rows_of_the_one_before(ran, use, error):
    before, again = "df = pd.read_csv('a.csv')", "df = pd.read_csv('b.csv', names=names)"
    for between in ((), ("df = df.drop(columns='x')",)):
        told = _told(ran(before, (again, ROOT), *between, (use, error)))
        assert [kind for _, kind, _ in told] == [ErrorKind.ROOT, ErrorKind.CASCADE]
    told = _told(ran(before, ("y = f()", ROOT), (use, error)))
    assert [kind for _, kind, _ in told] == [ErrorKind.ROOT, ErrorKind.ROOT]


def test_a_number_that_a_failed_loop_was_to_fill_in_is_missed(ran):
    lost = ("for year in years:\n    sources[year] = Source(year)", ROOT)
    pair = ran("sources = {}", lost, ("sources[year].data", ("KeyError", "2006")))
    assert _told(pair)[-1][1] is ErrorKind.CASCADE
    pair = ran("sources = {}", lost, ("other[0]", ("KeyError", "0")))
    assert _told(pair)[-1][1] is ErrorKind.ROOT


def test_a_column_is_missed_that_a_cell_of_python_2_was_to_make(ran):
    lost = ("t = t.assign(b=f)\nprint t.shape", ("SyntaxError", "Missing parentheses"))
    error = ("AttributeError", "'DataFrame' object has no attribute 'b'")
    assert _told(ran("t = f()", lost, ("t.b", error)))[-1][1] is ErrorKind.CASCADE
    assert _told(ran("t = f()", lost, "few = t[:2]", ("few.b", error)))[-1][1] is ErrorKind.CASCADE
    assert _told(ran("u = t = f()", lost, ("u.b", error)))[-1][1] is ErrorKind.ROOT


def test_an_array_made_of_a_list_that_was_not_filled_is_empty(ran):
    lost = ("for x in xs:\n    found.append(f(x))", ROOT)
    error = ("ValueError", "Length of values (0) does not match length of index (192)")
    made = "found = np.array(found)"
    assert _told(ran("found = []", lost, made, ("t['y'] = found", error)))[-1][2] == "c1"
    told = _told(ran("found = []", lost, made, ("t['y'] = other", error)))
    assert told[-1][1] is ErrorKind.ROOT


def test_names_of_a_file_that_was_not_run_are_missed(ran):
    lost = ("x = 1\n%run shared.ipynb", ("Exception", "File `'shared.ipynb'` not found.", 2))
    told = _told(ran(lost, ("np.arange(3)", _undefined("np"))))
    assert told[-1] == ("c1", ErrorKind.CASCADE, "c0")
    behind = ("%run shared.ipynb\nx = f()", ("TypeError", "bad", 2))
    assert _told(ran(behind, ("np.arange(3)", _undefined("np"))))[-1][1] is ErrorKind.ROOT


def test_a_name_of_python_2_comes_from_no_other_module(ran):
    told = _told(ran(("from own import *", ROOT), ("xrange(3)", _undefined("xrange"))))
    assert [kind for _, kind, _ in told] == [ErrorKind.ROOT, ErrorKind.ROOT]


def test_number_in_brackets_of_a_series_is_a_label(ran):
    made = "means = df.pivot_table(values='a')"
    lost = ("df.loc[df.a == 0, 'a'] = f(df)", ROOT)
    notebook, execution = ran("df = f()", lost, made, ("means.loc['x'][0]", ("KeyError", "0")))
    assert _told((notebook, execution))[-1][1] is ErrorKind.CASCADE
    first, second = execution.errors
    frame = "File /x/pandas/core/series.py:1102, in Series.__getitem__(self, key)"
    second = second.model_copy(update={"traceback": (*second.traceback, frame)})
    execution = execution.model_copy(update={"errors": (first, second)})
    assert _told((notebook, execution))[-1][1] is ErrorKind.ROOT
