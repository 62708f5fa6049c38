"""What can be taken out of a notebook, and how; nothing runs."""

from __future__ import annotations

from mle_modernizer_server.code.pipeline.blocks import blocks
from mle_modernizer_server.code.pipeline.pipeline import Pipeline
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.improving.ablation import MOST, knockouts
from tests.improving.sources import LOAD, SUBMIT, notebook

FIT = "model.fit(train[features], train['y'])\ntest['y'] = model.predict(test[features])"


def taken_out(source: Notebook) -> dict[str, str]:
    """The changed lines of each version, by its name."""
    return {
        one.name: "\n".join(
            line
            for old, new in zip(source.cells, one.notebook.cells, strict=True)
            for line in new.source.splitlines()
            if line not in old.source.splitlines()
        )
        for one in knockouts(source, ["y"])
    }


def test_an_engineered_column_becomes_a_constant_in_both_tables() -> None:
    source = notebook(
        LOAD,
        "train['ab'] = train['a'] * train.b\ntest['ab'] = test['a'] * test.b\n"
        "train['a'] = train['a'] + 1\ntest['a'] = test['a'] + 1\n"
        "train['only'] = 1\nfeatures = ['a', 'ab']",
        f"from sklearn.linear_model import Ridge\nmodel = Ridge()\n{FIT}",
        SUBMIT,
    )
    assert taken_out(source) == {"without ab": "train['ab'] = 0\ntest['ab'] = 0"}
    (found,) = knockouts(source, ["y"])
    block = next(one for one in blocks(Pipeline(source)) if one.number == found.block)
    assert (block.role.value, block.cell) == ("features", 2)


def test_a_column_made_in_a_loop_over_tables() -> None:
    loop = "for frame in [train, test]:\n    frame['ab'] = frame['a'] * frame['b']"
    model = f"features = ['a', 'ab']\nfrom sklearn.svm import SVR\nmodel = SVR()\n{FIT}"
    found = taken_out(notebook(LOAD, loop, model, SUBMIT))
    assert found == {"without ab": "    frame['ab'] = 0"}


def test_a_column_made_in_a_function_that_gets_both_tables() -> None:
    made = "def add(frame):\n    frame['ab'] = frame['a'] * frame['b']\n    return frame\n"
    model = f"features = ['a', 'ab']\nfrom sklearn.svm import SVR\nmodel = SVR()\n{FIT}"
    both = made + "train, test = add(train), add(frame=test)"
    assert taken_out(notebook(LOAD, both, model, SUBMIT)) == {"without ab": "    frame['ab'] = 0"}
    assert taken_out(notebook(LOAD, made + "train = add(train)", model, SUBMIT)) == {}


def test_single_filled_value_is_removed_from_both_tables() -> None:
    named = "middle = train[features].median()\n"
    filled = "train = train.fillna(middle)\ntest = test.fillna(middle)"
    model = f"from sklearn.svm import SVR\nmodel = SVR()\n{FIT}"
    source = notebook(LOAD, "features = ['a', 'b']\n" + named + filled, model, SUBMIT)
    assert taken_out(source) == {
        "0 in what middle fills": "train = train.fillna(0)\ntest = test.fillna(0)"
    }
    filled = "for t in [train, test]:\n    t['a'] = t['a'].fillna(t['a'].mean())\n"
    filled += "test['a'] = test['a'].fillna(train['a'].mean())"
    found = taken_out(notebook(LOAD, "features = ['a']\n" + filled, model, SUBMIT))
    assert found["0 in a"].count("fillna(0)") == 2


def test_polynomials_are_a_step_too() -> None:
    model = (
        "from sklearn.pipeline import make_pipeline\nfrom sklearn.linear_model import Ridge\n"
        "from sklearn.preprocessing import PolynomialFeatures\nfeatures = ['a', 'b']\n"
        f"model = make_pipeline(PolynomialFeatures(2), Ridge())\n{FIT}"
    )
    found = taken_out(notebook(LOAD, model, SUBMIT))
    assert "make_pipeline(FunctionTransformer(), R" in found["without PolynomialFeatures"]


def test_steps_let_through_what_they_get() -> None:
    model = (
        "from sklearn.pipeline import make_pipeline\nfrom sklearn.linear_model import Ridge\n"
        "from sklearn.impute import KNNImputer\nfrom sklearn.preprocessing import StandardScaler\n"
        "features = ['a', 'b']\n"
        f"model = make_pipeline(KNNImputer(), StandardScaler(), Ridge(alpha=5))\n{FIT}"
    )
    found = taken_out(notebook(LOAD, model, SUBMIT))
    assert set(found) == {"without KNNImputer", "without StandardScaler", "defaults of Ridge"}
    assert "make_pipeline(KNNImputer(), FunctionTransformer(), R" in found["without StandardScaler"]
    assert "(SimpleImputer(strategy='constant'), Stand" in found["without KNNImputer"]
    assert "StandardScaler(), Ridge())" in found["defaults of Ridge"]
    looked = model.replace("model = ", "scaler = StandardScaler()\nscaler.mean_\nmodel = ")
    looked = looked.replace("StandardScaler(), R", "scaler, R")
    assert "without StandardScaler" not in taken_out(notebook(LOAD, looked, SUBMIT))


def test_a_member_of_a_blend_is_replaced_by_the_others() -> None:
    fits = (
        "from sklearn.linear_model import Ridge\nfrom sklearn.svm import SVR\n"
        "p1 = Ridge().fit(train[['a']], train['y']).predict(test[['a']])\n"
        "p2 = SVR().fit(train[['a']], train['y']).predict(test[['a']])\n"
    )
    found = taken_out(notebook(LOAD, fits + "test['y'] = 0.7 * p1 + 0.3 * p2", SUBMIT))
    assert found == {
        "without p1": "test['y'] = 0.7 * p2 + 0.3 * p2",
        "without p2": "test['y'] = 0.7 * p1 + 0.3 * p1",
    }
    three = fits + "p3 = Ridge().fit(train[['a']], train['y']).predict(test[['a']])\n"
    found = taken_out(notebook(LOAD, three + "test['y'] = (p1 + p2 + p3) / 3", SUBMIT))
    assert found["without p2"] == "test['y'] = (p1 + ((p1 + p3) / 2) + p3) / 3"
    voting = (
        "from sklearn.ensemble import VotingRegressor\nfrom sklearn.linear_model import Ridge\n"
        "from sklearn.svm import SVR\nfeatures = ['a', 'b']\n"
        f"model = VotingRegressor([('r', Ridge()), ('s', SVR())])\n{FIT}"
    )
    found = taken_out(notebook(LOAD, voting, SUBMIT))
    assert found["without s"] == "model = VotingRegressor([('r', Ridge())])"


def test_rows_fillings_target_and_listed_features() -> None:
    source = notebook(
        LOAD,
        "train = train[(train['a'] < 9) & ~(train['b'] > 3)]\n"
        "train['c'] = train['c'].fillna(train['c'].mean())\n"
        "test['c'] = test['c'].fillna('none')\nfeatures = ['a', 'b', 'c']",
        "import numpy as np\nfrom sklearn.linear_model import Ridge\n"
        "from sklearn.compose import TransformedTargetRegressor\n"
        "model = TransformedTargetRegressor(Ridge(), func=np.log1p, inverse_func=np.expm1)\n" + FIT,
        SUBMIT,
    )
    assert taken_out(source) == {
        "all rows (line 1)": "train = train",
        "0 in c": "train['c'] = train['c'].fillna(0)",
        "the target as it is": "model = Ridge()",
        "without a": "features = ['b', 'c']",
        "without b": "features = ['a', 'c']",
        "without c": "features = ['a', 'b']",
    }


def test_what_is_not_submitted_stays_and_there_are_few() -> None:
    seen = "train['d'] = train['a'] * 2\ntest['d'] = test['a'] * 2\nfrom sklearn.svm import SVR\n"
    seen += "SVR(C=2).fit(train[['a']], train['y'])"
    assert taken_out(notebook(LOAD, seen, "test['y'] = 1\nout = test", SUBMIT)) == {}
    many = f"features = {[f'f{number}' for number in range(40)]}\n"
    source = notebook(LOAD, f"{many}from sklearn.svm import SVR\nmodel = SVR()\n{FIT}", SUBMIT)
    assert len(knockouts(source, ["y"])) == MOST
