"""A wrapper is put around a model only where nothing asks the model by its own names."""

import pytest

from tests.fixing.rules.rewriting import assert_rewrites, cells, error, outcome

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
        "m = LogisticRegression(multi_class='ovr')\nm.fit(X, y)\nm.n_iter_",
        "LogisticRegression(multi_class='ovr').fit(X, y).coef_",
        "m = LogisticRegression(multi_class='ovr')\nm.set_params(C=3)",
    ],
)
def test_a_model_that_is_asked_by_its_own_names_stays(use: str) -> None:
    told = outcome(IMPORTS + use, rules=(RULE,))
    assert told.notebook.cells[0].source == IMPORTS + use
    assert "for two classes" in told.doubts[0].why


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ("multi_class='multinomial'", "C=2.0"),
        ("C=3, multi_class='multinomial'", "C=6"),
        ("multi_class='multinomial', C=c + 1", "C=2 * (c + 1)"),
        ("penalty='l1', solver='saga', multi_class='multinomial'", "penalty='l1', solver='saga'"),
    ],
)
def test_multinomial_of_two_classes_doubles_the_c(given: str, left: str) -> None:
    use = "LogisticRegression({}).fit(X, y).predict_proba(X)[:, 1]"
    assert cells(IMPORTS + use.format(given), rules=(RULE,)) == [IMPORTS + use.format(left)]


def test_multinomial_of_unknown_classes_goes_with_an_assumption() -> None:
    done = outcome(IMPORTS + "LogisticRegression(multi_class='multinomial')", rules=(RULE,))
    assert done.notebook.cells[0].source == IMPORTS + "LogisticRegression()"
    assert list(done.assumed) == ["there are more than two classes (with two, C has to be doubled)"]


def test_liblinear_never_did_anything_else() -> None:
    before = "m = LogisticRegression(multi_class='ovr', solver='liblinear', C=2)"
    after = "m = LogisticRegression(solver='liblinear', C=2)"
    grid = "\nGridSearchCV(m, {'C': [1, 2]})"
    assert cells(IMPORTS + before + grid, rules=(RULE,)) == [IMPORTS + after + grid]


def test_a_model_that_only_predicts_is_wrapped() -> None:
    source = IMPORTS + "m = LogisticRegression(multi_class='ovr')\nm.fit(X, y).predict(X)"
    assert "m = OneVsRestClassifier(LogisticRegression())" in cells(source, rules=(RULE,))[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("LogisticRegression(multi_class='ovr')", "LogisticRegression()"),
        ("LogisticRegression(multi_class='multinomial')", "LogisticRegression(C=2.0)"),
    ],
)
def test_a_model_in_its_wrapper_tells_two_classes_apart(before: str, after: str) -> None:
    setup = "from sklearn.linear_model import LogisticRegression\n"
    setup += "from sklearn.multiclass import OneVsRestClassifier\n"
    wrapped = "m = OneVsRestClassifier({})"
    assert_rewrites("sklearn-multi-class", wrapped.format(before), wrapped.format(after), setup)


LIBLINEAR = "sklearn-liblinear-multiclass"
MODEL = "LogisticRegression(solver='liblinear')"
USES = [
    f"GridSearchCV({MODEL}, {{'C': [1, 2]}}).fit(X, y)",
    f"m = {MODEL}\nm.fit(X, y)\nm.n_iter_",
    f"m = {MODEL}\nm.fit(X, y).n_iter_",
    f"m = {MODEL}\nfitted = m.fit(X, y)\nfitted.n_iter_",
    f"m = {MODEL}\nm.fit_transform(X, y)",
    f"y = (df['y'] == 'yes').astype(int)\n{MODEL}.fit(X, y)",  # the run saw other classes
]
MANY = (
    error("a", "ValueError", "The 'liblinear' solver does not support multiclass classification."),
)


@pytest.mark.parametrize("use", USES)
def test_a_liblinear_model_that_is_asked_by_its_own_names_stays(use: str) -> None:
    told = outcome(IMPORTS + use, rules=(LIBLINEAR,), errors=MANY)
    assert told.notebook.cells[0].source == IMPORTS + use
    assert told.doubts


def test_a_liblinear_model_that_only_predicts_is_wrapped() -> None:
    use = f"m = {MODEL}\nm.fit(X, y).predict(X)"
    after = cells(IMPORTS + use, rules=(LIBLINEAR,), errors=MANY)[0]
    assert f"m = OneVsRestClassifier({MODEL})" in after


def test_a_liblinear_model_in_its_wrapper_stays() -> None:
    use = (
        "from sklearn.multiclass import OneVsRestClassifier\n"
        f"OneVsRestClassifier({MODEL}).fit(X, y)"
    )
    assert cells(IMPORTS + use, rules=(LIBLINEAR,), errors=MANY) == [IMPORTS + use]


def test_coefficients_are_those_of_the_models_in_the_wrapper() -> None:
    first = f"m = {MODEL}\nm.fit(X, y)\n"
    after = cells(IMPORTS + first, "print(m.coef_)\nm.intercept_", rules=(LIBLINEAR,), errors=MANY)
    assert f"m = OneVsRestClassifier({MODEL})" in after[0]
    assert "print(np.vstack([one.coef_ for one in m.estimators_]))" in after[1]
    assert "np.hstack([one.intercept_ for one in m.estimators_])" in after[1]
    assert "import numpy as np" in after[1]


def test_a_name_that_is_fitted_on_the_way_is_the_model() -> None:
    use = f"m = {MODEL}\nprint(m.fit(X, y).coef_)"
    after = cells(IMPORTS + use, rules=(LIBLINEAR,), errors=MANY)[0]
    assert "print(np.vstack([one.coef_ for one in m.fit(X, y).estimators_]))" in after


def test_for_two_classes_one_model_a_class_is_one_model() -> None:
    assert_rewrites(
        RULE,
        "GridSearchCV(LogisticRegression(multi_class='ovr'), {'C': [1]}, scoring='roc_auc')",
        "GridSearchCV(LogisticRegression(), {'C': [1]}, scoring='roc_auc')",
        "from sklearn.linear_model import LogisticRegression\n",
    )
