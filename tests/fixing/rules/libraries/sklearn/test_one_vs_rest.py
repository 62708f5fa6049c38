"""A wrapper is put around a model only where nothing asks the model by its own names."""

import pytest

from tests.fixing.rules.rewriting import cells, outcome

RULE = "sklearn-multi-class"
IMPORTS = (
    "from sklearn.linear_model import LogisticRegression\n"
    "from sklearn.model_selection import GridSearchCV\n"
)


@pytest.mark.parametrize(
    "use",
    [
        "m = LogisticRegression(multi_class='ovr')\nGridSearchCV(m, {'C': [1, 2]})",
        "GridSearchCV(LogisticRegression(multi_class='ovr'), {'C': [1, 2]})",
        "m = LogisticRegression(multi_class='ovr')\nm.fit(X, y)\nm.coef_",
        "m = LogisticRegression(multi_class='ovr').fit(X, y)\nm.intercept_",
        "m = LogisticRegression(multi_class='ovr')\nm.set_params(C=3)",
    ],
)
def test_a_model_that_is_asked_by_its_own_names_stays(use: str) -> None:
    told = outcome(IMPORTS + use, rules=(RULE,))
    assert told.notebook.cells[0].source == IMPORTS + use
    assert "for two classes" in told.doubts[0].why


def test_liblinear_never_did_anything_else() -> None:
    before = "m = LogisticRegression(multi_class='ovr', solver='liblinear', C=2)"
    after = "m = LogisticRegression(solver='liblinear', C=2)"
    grid = "\nGridSearchCV(m, {'C': [1, 2]})"
    assert cells(IMPORTS + before + grid, rules=(RULE,)) == [IMPORTS + after + grid]


def test_a_model_that_only_predicts_is_wrapped() -> None:
    source = IMPORTS + "m = LogisticRegression(multi_class='ovr')\nm.fit(X, y).predict(X)"
    assert "m = OneVsRestClassifier(LogisticRegression())" in cells(source, rules=(RULE,))[0]
