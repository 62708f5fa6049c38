"""What values depend on, over cells: what is seen, and what is left open."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.data_flow import interpreter, trace
from mle_modernizer_server.code.data_flow.traces import SinkKind, Trace
from mle_modernizer_server.code.data_flow.values import MODEL, Origin
from mle_modernizer_server.domain.proposal import IntegritySeverity
from mle_modernizer_server.fixing.integrity.lineage import lineage_notes
from tests.values import modification, notebook

LOAD = """import numpy as np
import pandas as pd
from sklearn.svm import SVC
train = pd.read_csv('train.csv')
test = pd.read_csv('test.csv')
"""


def traced(*sources: str) -> Trace:
    return trace((f"c{at}", source) for at, source in enumerate(sources))


def submitted(*sources: str) -> Origin:
    """What the prediction column of the submission depends on."""
    sinks = [one for one in traced(*sources).sinks if one.kind is SinkKind.SUBMISSION]
    return sinks[-1].value.column("y")


@pytest.mark.parametrize(
    "code",
    [
        "m = SVC().fit(train[['a']], train.y)\ntest['y'] = m.predict(test[['a']])",
        "m = SVC()\nm.fit(train[['a']], train.y)\np = np.zeros(len(test))\np[:] = m.predict(test)"
        "\ntest['y'] = p",
        "def train_it(X, y):\n    m = SVC()\n    m.fit(X, y)\n    return m\n"
        "test['y'] = train_it(train[['a']], train.y).predict(test)",
        "models = [SVC(), SVC()]\nfor m in models:\n    m.fit(train[['a']], train.y)\n"
        "test['y'] = sum(m.predict(test) for m in models)",
        "def fill(m):\n    m.fit(train[['a']], train.y)\nm = SVC()\nfill(m)\n"
        "test['y'] = m.predict(test)",
        "import xgboost as xgb\nb = xgb.train({}, xgb.DMatrix(train, train.y), 9)\n"
        "test['y'] = b.predict(xgb.DMatrix(test))",
        "class Net(object):\n    def fit(self, X, y):\n        self.m = SVC().fit(X, y)\n"
        "    def predict(self, X):\n        return self.m.predict(X)\n"
        "n = Net()\nn.fit(train[['a']], train.y)\ntest['y'] = n.predict(test)",
        "class Coded(SVC):\n    def fit(self, X, y):\n        self.codes = LabelEncoder().fit(y)\n"
        "        super().fit(X, self.codes.transform(y))\n        return self\n"
        "    def predict(self, X):\n"
        "        return self.codes.inverse_transform(super().predict(X))\n"
        "m = Coded()\nm.fit(train[['a']], train.y)\ntest['y'] = m.predict(test)",
        "m = SVC()\ntry:\n    m.fit(train[['a']], train.y)\nexcept ValueError:\n    m = SVC()\n"
        "    m.fit(train[['a']], train.y)\ntest['y'] = m.predict(test)",
        "from sklearn.pipeline import make_pipeline\np = make_pipeline(SVC())\n"
        "p.fit(train[['a']], train.y)\ntest = test.assign(y=p.predict(test))",
        "import joblib\nm = SVC()\nm.fit(train[['a']], train.y)\njoblib.dump(m, 'm')\n"
        "test['y'] = joblib.load('m').predict(test)",
    ],
)
def test_predictions_are_followed_to_the_submission(code: str) -> None:
    assert submitted(LOAD, code, "test.to_csv('submission.csv')") & MODEL


@pytest.mark.parametrize(
    "code",
    [
        "test['y'] = 0",
        "class Coded(SVC):\n    def predict(self, X):\n        return 0 * super().predict(X)\n"
        "m = Coded()\nm.fit(train[['a']], train.y)\nm.predict(test)\ntest['y'] = m.predict(test)",
        "test['y'] = test['Id'] % 2",
        "from sklearn.preprocessing import StandardScaler\n"
        "test['y'] = StandardScaler().fit(train).transform(test)[:, 0]",
        "m = SVC()\nm.fit(train[['a']], train.y)\ntest['y'] = m.predict(test)\ntest['y'] = 1",
        "m = SVC()\nm.fit(train[['a']], train.y)\nif False:\n    test['y'] = m.predict(test)\n"
        "else:\n    test['y'] = 1",
        "m = SVC()\nm.fit(train[['a']], train.y)\ntest['y'] = m.predict(test) * 0",
        "m = SVC()\nm.fit(train[['a']], train.y)\ntest['z'] = m.predict(test)\ntest['y'] = test.Id",
        "m = SVC()\nm.fit(train[['a']], train.y)\nfor _ in range(0):\n    g = m.predict(test)\n"
        "test['y'] = np.random.rand(len(test))",
    ],
)
def test_value_without_a_model_is_noticed(code: str) -> None:
    assert not submitted(LOAD, code, "test.to_csv('submission.csv')") & (MODEL | Origin.UNKNOWN)


def test_code_not_understood_is_a_note_and_no_blocker() -> None:
    fit = "m = SVC()\nm.fit(train[['a']], train.y)"
    write = "test['y'] = m.predict(test)\ntest.to_csv('submission.csv')"
    book = notebook(LOAD, fit, write)
    edit = modification("c2", write, "from own import go\ntest['y'] = go(m)\n" + write[28:])
    edit = edit.model_copy(
        update={"new_source": "import own\ntest['y'] = own.go()\ntest.to_csv('submission.csv')"}
    )
    notes = lineage_notes(book, [edit], ())
    assert [note.code for note in notes] == ["dependence-unclear"]
    assert {note.severity for note in notes} == {IntegritySeverity.WARNING}


def test_training_in_python_2_on_a_part_is_not_new() -> None:
    part = "few = train.iloc[:100]\nfor data in [few, train]:\n    learn(SVC(), data)"
    learn = "def learn(model, data):\n    model.fit(data[['a']], data.y)\n    print 'done'"
    edit = modification("c1", learn, learn.replace("print 'done'", "print('done')"))
    assert lineage_notes(notebook(LOAD, learn, part), [edit], ()) == ()
    thinned = edit.new_source.replace("data[['a']], data.y", "data[['a']][:9], data.y[:9]")
    edit = edit.model_copy(update={"new_source": thinned})
    notes = lineage_notes(notebook(LOAD, learn, "learn(SVC(), train)"), [edit], ())
    assert [note.code for note in notes] == ["trained-on-part"]


def test_too_much_code_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "x = 1\n" + "".join(f"{'  ' * at}for a{at} in b:\n" for at in range(15))
    assert traced(LOAD, deep + "  " * 15 + "x = a1\n" * 1).complete
    monkeypatch.setattr(interpreter, "_MOST_STEPS", 2_000)
    assert traced("y = " + "+".join(["x"] * 400)).complete
    assert not traced(*["y = " + "+".join(["x"] * 400)] * 10).complete


def test_operators_on_predictions_each_count_once() -> None:
    scaled = [f"p *= {number}" for number in range(2, 60)]
    loop = "for _ in range(3):\n    p += 9"
    fit = "p = SVC().fit(train[['a']], train.y).predict(test)"
    found = traced(LOAD, fit, *scaled, loop).computed
    assert [one.what for one in found] == [*(f"Mult {n}" for n in range(2, 60)), "Add 9"]
    assert [one.cell_id for one in found] == [f"c{at}" for at in range(2, 61)]
