"""What a patch must not do, what a reviewer must hear of, and what passes in silence."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.notebook import CellType, source_hash
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    EditKind,
    IntegrityNote,
    IntegritySeverity,
    Meaning,
)
from mle_modernizer_server.fixing.integrity import check_patch, classify
from tests.fixing.llm.material import COMPETITION
from tests.values import modification, notebook

IMPORTS = "import os\nimport numpy as np\nimport pandas as pd\nfrom pathlib import Path\n"


def notes(before: str, after: str) -> tuple[IntegrityNote, ...]:
    return check_patch(notebook(IMPORTS, before), [modification("c1", before, after)])


def blockers(before: str, after: str) -> list[str]:
    found = notes(before, after)
    return [note.code for note in found if note.severity is IntegritySeverity.BLOCKER]


def warnings(before: str, after: str) -> list[str]:
    found = notes(before, after)
    assert all(note.severity is IntegritySeverity.WARNING for note in found), found
    return [note.code for note in found]


FIT = "model = RandomForestClassifier(n_estimators=100)\nmodel.fit(X, y)"


@pytest.mark.parametrize(
    ("added", "code"),
    [
        ("y = pd.read_csv('/kaggle/input/wine/prepared/private/answers.csv')", "private-answers"),
        ("y = pd.read_csv(os.path.join('..', 'private', 'test.csv'))", "private-answers"),
        ("y = pd.read_csv(Path('/data') / 'prepared' / 'private' / 'x.csv')", "private-answers"),
        ("root = '../../prepared/' + 'private/'", "private-answers"),
        ("truth = open(f'{root}/private/a.csv').read()", "private-answers"),
        ("y = pd.read_csv('answers.csv')", "private-answers"),
        ("s = pd.read_csv('submission.csv')", "existing-submission"),
        ("s = pd.read_csv('../input/blend/best_submission.csv')", "existing-submission"),
        ("import shutil\nshutil.copy('old/submission.csv', '.')", "existing-submission"),
        ("s = open('/kaggle/working/submission.csv').read()", "existing-submission"),
        ("s = Path('submission.csv').read_text()", "existing-submission"),
        ("sub['target'] = 0.5", "constant-prediction"),
        ("submission.loc[:, 'target'] = 1", "constant-prediction"),
        ("sub['target'] = np.full(len(test), 0.37)", "constant-prediction"),
        ("sub['target'] = [0.5] * len(test)", "constant-prediction"),
        ("p = 0.5\nsub['target'] = p", "constant-prediction"),
        (
            "pd.DataFrame({'id': test.id, 'y': np.zeros(len(test))}).to_csv('s.csv')",
            "constant-prediction",
        ),
        ("import requests\nr = requests.get(u)", "network"),
        ("from urllib.request import urlopen", "network"),
        ("import urllib\nurllib.request.urlretrieve(u)", "network"),
        ("import socket", "network"),
        ("df = pd.read_csv('https://example.org/train.csv')", "network"),
        ("!wget http://example.org/x", "network"),
        ("!pip install scikit-learn==0.20", "network"),
        ("%pip install xgboost==0.90", "network"),
        ("%%bash\ncurl -O http://example.org/x", "network"),
        ("from sklearn.datasets import fetch_openml\nd = fetch_openml('boston')", "network"),
        ("import nltk\nnltk.download('stopwords')", "network"),
        ("os.system('ls')", "process"),
        ("from os import system as s\ns('ls')", "process"),
        ("import subprocess\nsubprocess.run(['ls'])", "process"),
        ("run = os.popen", "process"),
        ("eval('1 + 1')", "process"),
        ("exec(code)", "process"),
        ("__import__('os').getcwd()", "process"),
        ("getattr(os, 'sys' + 'tem')('ls')", "process"),
        ("!cp a b", "process"),
        ("%time os.system('ls')", "process"),
        ("%%time\nos.system('ls')", "process"),
        ("%%writefile grader.py\nx = 1", "process"),
        ("os.remove('train.csv')", "deletion"),
        ("from os import unlink\nunlink('train.csv')", "deletion"),
        ("import shutil\nshutil.rmtree('/kaggle/working')", "deletion"),
        ("Path('a').unlink()", "deletion"),
        ("!rm -rf /kaggle/working", "deletion"),
        ("cv_score = 0.87511", "hard-coded-score"),
        ("val_auc = 0.99", "hard-coded-score"),
    ],
)
def test_forbidden_addition_is_blocked(added: str, code: str) -> None:
    assert code in blockers("x = 1", f"{added}\nx = 1" if added[0] == "%" else f"x = 1\n{added}")
    more = "\n" if added.startswith("%%") else "\nx = 1"
    assert blockers(added, added + more) == []  # the author had it already


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        (FIT, f"try:\n    {FIT.splitlines()[1]}\nexcept Exception:\n    pass", "swallowed-error"),
        (
            "model.fit(X, y)",
            "from contextlib import suppress\nwith suppress(ValueError):\n    model.fit(X, y)",
            "swallowed-error",
        ),
        (
            "d['a'] = f(d)",
            "try:\n    d['a'] = f(d)\nexcept Exception:\n    pass",
            "swallowed-error",
        ),
        (FIT, "model = RandomForestClassifier(n_estimators=100)", "training-dropped"),
        ("bst = xgb.train(params, dtrain, 100)", "bst = xgb.Booster()", "training-dropped"),
        (
            "models = [LogisticRegression(), SVC()]",
            "models = [LogisticRegression()]",
            "model-dropped",
        ),
    ],
)
def test_lost_training_is_blocked(before: str, after: str, code: str) -> None:
    assert code in blockers(before, after)


def test_a_deleted_cell_that_trains_is_blocked() -> None:
    book = notebook(IMPORTS, FIT)
    edit = CellEdit(
        id="e",
        kind=EditKind.DELETE,
        cell_id="c1",
        base_source=FIT,
        base_hash=source_hash(FIT),
    )
    assert {note.code for note in check_patch(book, [edit])} >= {"training-dropped"}


def test_training_that_moves_to_another_cell_is_not_dropped() -> None:
    book = notebook(FIT, "x = 1")
    edits = [modification("c0", FIT, "y = 2"), modification("c1", "x = 1", f"x = 1\n{FIT}")]
    assert check_patch(book, edits) == ()


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("d = pd.read_csv('t.csv')", "d = pd.read_csv('t.csv', nrows=1000)", "data-thinned"),
        ("m = Ridge(alpha=0.3)", "m = Ridge(alpha=0.5)", "hyper-parameter-changed"),
        ("d = pd.read_csv('t.csv')", "d = pd.read_csv('t.csv').sample(1000)", "data-thinned"),
        ("X = d.values", "X = d.head(500).values", "data-thinned"),
        ("X = d.values", "X = d.values[:1000]", "data-thinned"),
        ("X = d.values", "X = d.values[::10]", "data-thinned"),
        ("m.fit(X, y)", "m.fit(X.iloc[:500], y[:500])", "data-thinned"),
        ("m.fit(X, y, epochs=50)", "m.fit(X, y, epochs=5)", "training-cut"),
        ("m.fit(X, y, nb_epoch=50)", "m.fit(X, y, epochs=5)", "training-cut"),
        (
            "c = XGBClassifier(n_estimators=500)",
            "c = XGBClassifier(n_estimators=50)",
            "training-cut",
        ),
        ("k = StratifiedKFold(n_splits=10)", "k = StratifiedKFold(n_splits=2)", "training-cut"),
        ("EPOCHS = 30", "EPOCHS = 3", "training-cut"),
        ("p = {'num_boost_round': 900}", "p = {'num_boost_round': 90}", "training-cut"),
        ("np.random.seed(0)", "np.random.seed(42)", "seed-changed"),
        (
            "a, b = train_test_split(X, random_state=1)",
            "a, b = train_test_split(X)",
            "seed-changed",
        ),
        (
            "a, b = train_test_split(X, test_size=0.3)",
            "a, b = train_test_split(X, test_size=0.2)",
            "split-changed",
        ),
        ("m = SVC(C=1.0)", "m = SVC(C=10.0)", "hyper-parameter-changed"),
        ("p = {'eta': 0.1}", "p = {'eta': 0.3}", "hyper-parameter-changed"),
        ("m = SVC(kernel='rbf')", "m = SVC()", "hyper-parameter-changed"),
        ("m = SVC()", "m = LogisticRegression()", "model-changed"),
        ("m.fit(X, y)", "m.fit(X, y, epochs=2)", "hyper-parameter-changed"),
        ("X = s.fit_transform(X)", "X = s.transform(X)", "feature-step-dropped"),
    ],
)
def test_changes_of_the_experiment_are_warned_of(before: str, after: str, code: str) -> None:
    assert code in warnings(before, after)


HONEST = [
    ("a = b.append(c)", "a = pd.concat([b, c])", Meaning.BEHAVIOUR_RESTORED),
    (
        "all = train.append(test, ignore_index=True)",
        "all = pd.concat([train, test], ignore_index=True)",
        Meaning.BEHAVIOUR_RESTORED,
    ),
    (
        "from sklearn.cross_validation import train_test_split",
        "from sklearn.model_selection import train_test_split",
        Meaning.RENAME,
    ),
    (
        "from sklearn.externals import joblib\nm = 1",
        "import joblib\nm = 1",
        Meaning.RENAME,
    ),
    ("X = d.as_matrix()", "X = d.to_numpy()", Meaning.RENAME),
    ("a = np.int(3)", "a = int(3)", Meaning.RENAME),
    ("for k, v in d.iteritems():\n    f(k)", "for k, v in d.items():\n    f(k)", Meaning.RENAME),
    ("m.fit(X, y, nb_epoch=5)", "m.fit(X, y, epochs=5)", Meaning.RENAME),
    ("o = Adam(lr=0.01)", "o = Adam(learning_rate=0.01)", Meaning.RENAME),
    (
        "m = GradientBoostingClassifier(loss='deviance')",
        "m = GradientBoostingClassifier(loss='log_loss')",
        Meaning.RENAME,
    ),
    (
        "p = {'objective': 'reg:linear', 'eta': 0.1}",
        "p = {'objective': 'reg:squarederror', 'eta': 0.1}",
        Meaning.RENAME,
    ),
    ("m = SVC()", "m = SVC(gamma='auto')", Meaning.DEFAULT_PINNED),
    (
        "m = RandomForestClassifier()",
        "m = RandomForestClassifier(n_estimators=10)",
        Meaning.DEFAULT_PINNED,
    ),
    ("c = cross_val_score(m, X, y)", "c = cross_val_score(m, X, y, cv=3)", Meaning.DEFAULT_PINNED),
    (
        "m = XGBClassifier(n_estimators=50)",
        "m = XGBClassifier(n_estimators=50, max_depth=3, learning_rate=0.1)",
        Meaning.DEFAULT_PINNED,
    ),
    (
        "s = d['a'].str.replace('.', '')",
        "s = d['a'].str.replace('.', '', regex=True)",
        Meaning.DEFAULT_PINNED,
    ),
    ("m = RandomForestClassifier()", "m = RandomForestClassifier(n_jobs=-1)", Meaning.SPEED),
    (
        "d = pd.read_csv('../input/train.csv')",
        "d = pd.read_csv('/kaggle/input/wine/train.csv')",
        Meaning.PATH,
    ),
    ("plt.plot(x)\nsns.distplot(x)", "plt.plot(x)\nsns.histplot(x, kde=True)", Meaning.DISPLAY),
    ("print(m.score(X, y))", "print('score', m.score(X, y))", Meaning.DISPLAY),
    ("d.head()", "d.head(20)", Meaning.DISPLAY),
    ("show(x, y, colour='a', alpha=0.3)", "ax.scatter(x, y, alpha=0.5)", None),
    (
        "sns.distplot(a, fit=stats.norm)",
        "sns.histplot(a)\nplt.plot(x, stats.norm.pdf(x, *stats.norm.fit(a)))",
        Meaning.DISPLAY,
    ),
    ("f = draw(x)", "f, axes = plt.subplots(nrows=3, squeeze=False)", None),
    ("x = 1  # one", "x = 1  # uno", Meaning.DISPLAY),
    (
        "s = pd.read_csv('sample_submission.csv')",
        "s = pd.read_csv('/kaggle/input/w/sample_submission.csv')",
        Meaning.PATH,
    ),
    ("print 'score', s", "print('score', s)", Meaning.OTHER),
    ("x = 1", "x = 1\nbest_score = 0.0", Meaning.OTHER),
    (
        "p = m.predict(X)",
        "p = np.zeros(len(X))\nfor m in ms:\n    p += m.predict(X)\nsub['y'] = p",
        Meaning.OTHER,
    ),
    (
        "m.fit(X, y)\np = m.predict_classes(T)",
        "m.fit(X, y)\np = m.predict(T).argmax(axis=1)",
        Meaning.BEHAVIOUR_RESTORED,
    ),
    ("h = m.fit_generator(g, epochs=3)", "h = m.fit(g, epochs=3)", Meaning.RENAME),
    ("x = d.ix[0]", "x = d.loc[0]", Meaning.RENAME),
    (
        "y_new = y",
        "from sklearn.preprocessing import LabelEncoder\ny_new = LabelEncoder().fit_transform(y)",
        None,
    ),
    ("t = 'see http://example.org'", "t = 'see http://example.org now'", None),
    ("a, b = f(X, iid=True)", "a, b = f(X)", Meaning.RENAME),
    ("pd.set_option('max_rows', 5)", "pd.set_option('display.max_rows', 5)", Meaning.DISPLAY),
    ("d['a'][0] = 5", "d.loc[0, 'a'] = 5", None),
    (
        "with open('log.txt', 'w') as f:\n    f.write('x')",
        "with open('submission.csv', 'w') as f:\n    f.write('x')",
        None,
    ),
    ("x = df.eval('a + b')", "x = df.eval('a + b', engine='python')", None),
    ("m.eval()\nm.train()", "m.train()", None),
    ("r = re.compile('a')", "import re\nr = re.compile('a')", Meaning.RENAME),
    ("d = d.drop('a', 1)", "d = d.drop('a', axis=1)", None),
    ("d = d.drop(['a', 'b'], axis=1)", "d = d.drop(columns=['a', 'b'])", None),
    (
        "d['a'] = pd.to_numeric(d['a'], errors='ignore')",
        "try:\n    d['a'] = pd.to_numeric(d['a'])\nexcept (ValueError, TypeError):\n    pass",
        None,
    ),
    ("d = d.drop('a', 1)", "c = 'a'\nd = d.drop(c, axis=1)", None),
    ("assert d.ix[0, 'a'] == 1", "assert d.loc[0, 'a'] == 1", None),
    ("n = name[0]", "n = name[:3]", None),
    ("train = d[:len(train)]", "train = d.iloc[:len(train)]", None),
    ("d = d.sample(frac=1, random_state=3)", "d = d.sample(frac=1.0, random_state=3)", None),
]


@pytest.mark.parametrize(("before", "after"), [case[:2] for case in HONEST])
def test_honest_repairs_pass_without_a_note(before: str, after: str) -> None:
    assert notes(before, after) == ()


@pytest.mark.parametrize(("before", "after", "meaning"), [case for case in HONEST if case[2]])
def test_honest_repair_gets_its_meaning(before: str, after: str, meaning: Meaning) -> None:
    assert classify(modification("c1", before, after)) is meaning


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("m.fit(X, y, epochs=50)", "m.fit(X, y, epochs=5)"),
        ("m = SVC()", "m = LogisticRegression()"),
        ("m = SVC(C=1)", "m = SVC(C=2)"),
        ("np.random.seed(0)", "np.random.seed(1)"),
        ("X = d[['a', 'b']]", "X = d[['a', 'c']]"),
        ("d['f'] = d.a > 30", "d['f'] = d.a > 40"),
        ("X = d.values", "X = d.values[:1000]"),
        ("m = SVC()", "m = SVC(random_state=3, max_iter=7)"),
        ("m = DecisionTreeClassifier(max_depth=3)", "m = DecisionTreeClassifier()"),
        (FIT, "model = None"),
        ("", FIT),
        ("X = d.drop(['id', 'price'], axis=1)", "X = d.drop(['id'], axis=1)"),
        ("assert len(d) == len(test)", "assert len(d) >= 1"),
    ],
)
def test_change_of_the_experiment_is_classified_so(before: str, after: str) -> None:
    assert classify(modification("c1", before, after)) is Meaning.EXPERIMENT


def test_text_cells_are_display() -> None:
    edit = modification("c1", "# A", "# B").model_copy(update={"cell_type": CellType.MARKDOWN})
    assert classify(edit) is Meaning.DISPLAY


def test_a_rules_pins_are_not_warned_of_but_its_blockers_are() -> None:
    def by_rule(after: str) -> tuple[IntegrityNote, ...]:
        edit = modification("c1", "m = KFold(5, random_state=0)", after).model_copy(
            update={"rules": ("kfold-random-state",), "meaning": Meaning.RENAME}
        )
        return check_patch(notebook(IMPORTS, "m = KFold(5, random_state=0)"), [edit])

    assert by_rule("m = KFold(5)") == ()
    assert [note.code for note in by_rule("m = KFold(5)\nos.system('x')")] == ["process"]


def test_facts_of_a_broken_old_cell_are_the_authors() -> None:
    before = "import requests\nprint 'a'\nfor x in y:\n    print requests.get(x)"
    after = "import requests\nprint('a')\nfor x in y:\n    print(requests.get(x))"
    assert notes(before, after) == ()


def test_a_known_target_column_may_not_be_constant_in_any_table() -> None:
    edit = modification("c1", "x = 1", "out_table['quality'] = 5")
    book = notebook(IMPORTS, "x = 1")
    assert check_patch(book, [edit]) == ()
    found = check_patch(book, [edit], competition=COMPETITION)
    assert [note.code for note in found] == ["constant-prediction"]


@pytest.mark.parametrize(
    "source", ["\x00", "(" * 500, "-" * 100_000 + "1", "'''", "\ud800", "a" * 100_000, "%" * 999]
)
def test_hostile_code_is_judged_without_breaking_down(source: str) -> None:
    edit = modification("c1", "x = 1", "x = 2").model_copy(update={"new_source": source})
    assert isinstance(check_patch(notebook(IMPORTS, "x = 1"), [edit]), tuple)
    assert isinstance(classify(edit), Meaning)
