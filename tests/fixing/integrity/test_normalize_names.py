"""What a patch only calls otherwise is no change of the experiment; what it computes is one."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.proposal import Meaning
from mle_modernizer_server.fixing.integrity import judge_edits
from tests.fixing.integrity.corpus import edit, notebook_of

SOURCES = {
    "load": "import pandas as pd\nfrom sklearn.svm import SVC\n"
    "from sklearn.metrics import accuracy_score\n"
    "train, test = pd.read_csv('train.csv'), pd.read_csv('test.csv')\n"
    "X, y, X_test = train.drop('Kind', axis=1), train['Kind'], test",
    "model": "model = SVC()\nmodel.fit(X, y)\nfound = model.predict(X)",
    "score": "acc = accuracy_score(y, found)\nprint(acc)",
}


def bold(**sources: str) -> list[str]:
    """The cells whose new source is held as a change of the experiment."""
    edits = [edit(name, SOURCES[name], source) for name, source in sources.items()]
    judged = judge_edits(notebook_of(SOURCES), edits)
    assert not judged.left_out
    return [one.cell_id for one in judged.edits if one.meaning is Meaning.EXPERIMENT]


def test_a_variable_with_another_name_in_all_cells_is_the_same() -> None:
    model, score = (SOURCES[name].replace("found", "guessed") for name in ("model", "score"))
    assert bold(model=model, score=score) == []


def test_another_variable_that_is_there_as_well_is_another_one() -> None:
    assert bold(score=SOURCES["score"].replace("found", "model.predict(X[:9])")) == ["score"]


@pytest.mark.parametrize(
    ("score", "held"),
    [
        ("again = found\nacc = accuracy_score(y, again)\nprint(acc)", False),
        ("print(accuracy_score(y, found))", False),
        ("again = found[found == y]\nacc = accuracy_score(y, again)\nprint(acc)", True),
        ("acc = accuracy_score(y, found)\nacc = acc + 0.1\nprint(acc)", True),
        ("truth = y\nacc = accuracy_score(y, truth)\nprint(acc)", True),
    ],
)
def test_name_of_a_value_used_once_equals_the_value(score: str, held: bool) -> None:
    edits = [edit("score", SOURCES["score"], score)]
    judged = judge_edits(notebook_of(SOURCES), edits)
    refused = bool(judged.left_out)
    assert (refused or judged.edits[0].meaning is Meaning.EXPERIMENT) is held


def test_an_option_moved_out_of_a_call_is_compared_with_the_call() -> None:
    old = "s = pd.read_csv('a.csv', squeeze=True).resample('D', how='mean')"
    kept = edit("a", old, "s = pd.read_csv('a.csv').squeeze('columns').resample('D').mean()")
    other = edit("a", old, "s = pd.read_csv('b.csv', skiprows=9).squeeze('columns')")
    assert kept.meaning is not Meaning.EXPERIMENT
    assert other.meaning is Meaning.EXPERIMENT


def test_predictions_that_are_only_drawn_may_take_another_form() -> None:
    sources = {**SOURCES, "plot": "import seaborn as sns\nsns.tsplot(model.predict(X))"}
    new = "import seaborn as sns\nimport numpy as np\nsns.lineplot(np.cumsum(model.predict(X)))"
    (drawn,) = judge_edits(notebook_of(sources), [edit("plot", sources["plot"], new)]).edits
    assert drawn.meaning is not Meaning.EXPERIMENT


@pytest.mark.parametrize(
    ("old", "new", "held"),
    [
        ("SGD(X, y[:9], 100)", "descend(X, y[:9], 100)", False),  # its name of before
        ("SGD(0.1)", "descend(0.1)", True),
        ("SGD(rate)", "descend(rate)", True),
        ("SGD(model.parameters(), 0.1)", "SGD(model.parameters(), 0.5)", True),
    ],
)
def test_own_function_named_like_an_optimizer_has_no_rate(old: str, new: str, held: bool) -> None:
    sources = {"load": SOURCES["load"], "fit": f"w = {old}"}
    (judged,) = judge_edits(notebook_of(sources), [edit("fit", sources["fit"], f"w = {new}")]).edits
    assert (judged.meaning is Meaning.EXPERIMENT) is held
