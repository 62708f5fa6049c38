"""Which failing cells a submission depends on."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.slices import cells_behind, failing_on_the_way

BAD = ("AttributeError", "gone")
LOAD = "import pandas as pd\nfrom sklearn.svm import SVC\nd = pd.read_csv('train.csv')"
MODEL = "model = SVC()\nhistory = model.fit(d[['g']], d.y)"
WRITE = "sub = d[['id']].copy()\nsub['y'] = model.predict(d)\nsub.to_csv('submission.csv')"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("d['g'] = d.a.ix[0]", 1),
        ("d = d.ix[:, :3]", 1),
        ("d.drop('a', axis=1, inplace=True, levels=3)", 1),
        ("for t in [d]:\n    t['f'] = t.ix[0]", 1),
        ("d.groupby('a').mean().hist()\nd['g'] = 1", 1),  # what comes behind it did not happen
        ("def prepare(t):\n    t['g'] = 1\nprepare(d, 3)", 3),
        ("history = model.fit(d, d.y, nb=3)", 1),
        ("print d.a\nd['g'] = 1", 1),
        ("from sklearn.cross_validation import x\nmodel = x(SVC())", 1),
    ],
)
def test_what_the_submission_is_made_of_is_on_the_way(ran, source, line):
    model = MODEL.replace("history = model.fit(d[['g']], d.y)", "") if "model" in source else MODEL
    name = "SyntaxError" if source.startswith("print ") else "AttributeError"
    run = ran(LOAD, model, (source, (name, "gone", line)), WRITE)
    assert failing_on_the_way(*run, "submission.csv") == ("c2",)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("import seaborn as sns\nsns.distplot(d.a)\nplt.show()", 2),
        ("d.plot()\nfig, ax = plt.subplots()", 1),
        ("print(d.ix[0])", 1),
        ("d.a.value_counts().iplot()", 1),
        ("means = d.groupby('a').mean()\nmeans.ix[0]", 2),
        ("d['g'] = 1\nplt.gone(d.g)", 2),  # what it did before it failed is done
        ("sub2 = d.ix[0]\nsub2.to_csv('other.csv')", 1),
        ("score = model.score(d, d.y)\nscore.ix", 2),
        ("d2 = d.copy()\nd2['x'] = d2.ix[3]", 2),
    ],
)
def test_plots_and_side_ways_are_not(ran, source, line):
    run = ran(LOAD, MODEL, (source, ("AttributeError", "gone", line)), WRITE)
    assert failing_on_the_way(*run, "submission.csv") == ()


def test_what_is_bound_anew_needs_nothing_from_before(ran):
    run = ran(LOAD, ("d['g'] = d.ix[0]", BAD), "d = pd.read_csv('other.csv')", MODEL, WRITE)
    assert failing_on_the_way(*run, "submission.csv") == ()


@pytest.mark.parametrize(
    "prepare",
    [
        "def prepare():\n    d['g'] = d.a.ix[0]\nprepare()",
        "def prepare():\n    global d\n    d = d.ix[:, :3]\nprepare()",
        "def prepare(t):\n    t['g'] = t.a.ix[0]\nprepare(d)",
        "def prepare(i):\n    d['g'] = d.a.ix[i]\n[prepare(i) for i in (1, 2)]",
        "def prepare(i):\n    d['g'] = d.a.ix[i]\nlist(map(prepare, (1, 2)))",
    ],
)
def test_failing_function_that_prepares_the_data_is_in_slice(ran, prepare):
    last = prepare.count("\n") + 1
    run = ran(LOAD, (prepare, ("AttributeError", "gone", last)), MODEL, WRITE)
    assert failing_on_the_way(*run, "submission.csv") == ("c1",)


def test_failing_local_name_of_a_comprehension_is_not_in_slice(ran):
    run = ran(LOAD, ("means = [d.mean() for d in parts.ix]", BAD), MODEL, WRITE)
    assert failing_on_the_way(*run, "submission.csv") == ()


def test_failing_cell_that_writes_a_file_read_later_is_in_slice(ran):
    save = "import joblib\njoblib.dump(model.ix, 'm.pkl')"
    load = "model = joblib.load(open('m.pkl', 'rb'))"
    run = ran(LOAD, MODEL, (save, ("AttributeError", "gone", 2)), load, WRITE)
    assert failing_on_the_way(*run, "submission.csv") == ("c2",)


def test_a_function_that_writes_ends_the_way_where_it_is_called(ran):
    writer = "def hand_in(y):\n    pd.DataFrame({'y': y}).to_csv('submission.csv')"
    run = ran(LOAD, writer, ("y = model.ix[0]", BAD), "hand_in(y)")
    assert failing_on_the_way(*run, "submission.csv") == ("c2",)


def test_without_a_submission_there_is_no_way(ran):
    assert failing_on_the_way(*ran(("x = 1", BAD), "print(x)")) == ()


def test_the_cells_that_a_result_depends_on(ran):
    notebook, _ = ran(LOAD, "d.fillna(0, inplace=True)", "e = d.copy()\ne['a'] = 1", "d.mean()")
    assert cells_behind(notebook, {"c3"}) == {"c0", "c1", "c3"}
    assert cells_behind(notebook, set()) == frozenset()


def test_result_is_independent_of_other_classes_of_the_module(ran):
    start = "from sklearn import linear_model\nx, y = f()"
    ridge = "ridge = linear_model.Ridge(0.1)\nridge.fit(x, y)"
    lasso = "lasso = linear_model.Lasso(0.1)\nlasso.fit(x, y).coef_"
    notebook, _ = ran(start, ridge, lasso)
    assert cells_behind(notebook, ["c2"]) == {"c0", "c2"}
