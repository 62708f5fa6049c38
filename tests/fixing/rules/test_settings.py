"""Parameters that models get by grids, by `set_params` and by tables of models."""

from __future__ import annotations

import pytest

from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from tests.fixing.rules.rewriting import cells, error, notebook, outcome, rule_of

SETUP = """from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDRegressor
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier"""
RULES = (
    "sklearn-max-features-auto-classifier",
    "sklearn-max-features-auto-regressor",
    "sklearn-criterion-names",
    "sklearn-penalty-none",
    "sklearn-sgd-penalty-none",
    "sklearn-sgd-n-iter",
    "sklearn-base-estimator",
    "sklearn-normalize-regression",
    "sklearn-forest-arguments",
    "sklearn-search-grid-values",
)


def changed(*sources: str) -> list[str]:
    return cells(SETUP, *sources, rules=RULES)[1:]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (  # a table of models, searched in a loop
            "m = {'f': {'model': RandomForestClassifier(), 'params': {'max_features': ['auto']}},\n"
            "     'r': {'model': RandomForestRegressor(), 'params': {'max_features': ['auto']}}}",
            "m = {'f': {'model': RandomForestClassifier(), 'params': {'max_features': ['sqrt']}},\n"
            "     'r': {'model': RandomForestRegressor(), 'params': {'max_features': [1.0]}}}",
        ),
        (
            "pairs = [('l', LogisticRegression(), {'penalty': ['none', 'l2'], 'C': [1, 2]})]",
            "pairs = [('l', LogisticRegression(), {'penalty': [None, 'l2'], 'C': [1, 2]})]",
        ),
        (
            "models = {'f': RandomForestClassifier(), 'l': LogisticRegression()}\n"
            "grids = {'f': {'max_features': ['auto']}, 'l': {'penalty': ['none']}}",
            "models = {'f': RandomForestClassifier(), 'l': LogisticRegression()}\n"
            "grids = {'f': {'max_features': ['sqrt']}, 'l': {'penalty': [None]}}",
        ),
        (
            "ms = [RandomForestClassifier(), RandomForestRegressor()]\n"
            "gs = [{'max_features': ['auto']}, {'criterion': ['mae']}]\n"
            "for m, g in zip(ms, gs): pass",
            "ms = [RandomForestClassifier(), RandomForestRegressor()]\n"
            "gs = [{'max_features': ['sqrt']}, {'criterion': ['absolute_error']}]\n"
            "for m, g in zip(ms, gs): pass",
        ),
        (  # within other models
            "p = Pipeline([('s', StandardScaler()), ('f', RandomForestClassifier())])\n"
            "g = GridSearchCV(p, [{'f__max_features': ['auto', None]}, dict(f__max_depth=[1])])",
            "p = Pipeline([('s', StandardScaler()), ('f', RandomForestClassifier())])\n"
            "g = GridSearchCV(p, [{'f__max_features': ['sqrt', None]}, dict(f__max_depth=[1])])",
        ),
        (
            "p = make_pipeline(StandardScaler(), LogisticRegression())\n"
            "g = GridSearchCV(p, dict(logisticregression__penalty=('none', 'l2')))",
            "p = make_pipeline(StandardScaler(), LogisticRegression())\n"
            "g = GridSearchCV(p, dict(logisticregression__penalty=(None, 'l2')))",
        ),
        (
            "a = AdaBoostClassifier(DecisionTreeClassifier())\n"
            "a.set_params(base_estimator__max_features='auto')",
            "a = AdaBoostClassifier(DecisionTreeClassifier())\n"
            "a.set_params(estimator__max_features='sqrt')",
        ),
        (  # lists with names of their own
            "max_features = ['auto', 'sqrt']\n"
            "grid = {'max_features': max_features}\n"
            "s = RandomizedSearchCV(RandomForestRegressor(), grid)",
            "max_features = [1.0, 'sqrt']\n"
            "grid = {'max_features': max_features}\n"
            "s = RandomizedSearchCV(RandomForestRegressor(), grid)",
        ),
        (
            "r = RandomForestRegressor().set_params(**{'criterion': 'mae', "
            "'max_features': 'auto'})",
            "r = RandomForestRegressor().set_params(**{'criterion': 'absolute_error', "
            "'max_features': 1.0})",
        ),
        (
            "g = GridSearchCV(LinearRegression(), {'normalize': [True, False], 'copy_X': [True]})",
            "g = GridSearchCV(LinearRegression(), {'copy_X': [True]})",
        ),
        (
            "p = Pipeline([('r', SGDRegressor(tol=None))])\n"
            "g = GridSearchCV(p, {'r__n_iter': [5, 9], 'r__penalty': ['none', 'l2']})",
            "p = Pipeline([('r', SGDRegressor(tol=None))])\n"
            "g = GridSearchCV(p, {'r__max_iter': [5, 9], 'r__penalty': [None, 'l2']})",
        ),
        (  # a function of the notebook's own
            "def best(model, grid):\n    return GridSearchCV(model, grid)\n"
            "best(RandomForestClassifier(), {'max_features': ['auto']})",
            "def best(model, grid):\n    return GridSearchCV(model, grid)\n"
            "best(RandomForestClassifier(), {'max_features': ['sqrt']})",
        ),
    ],
)
def test_settings_follow_the_arguments_of_their_model(before: str, after: str) -> None:
    assert changed(before) == [after]


@pytest.mark.parametrize(
    "source",
    [
        # Two models share the grid: 'auto' is another number for each.
        "grid = {'max_features': ['auto']}\n"
        "a = GridSearchCV(RandomForestClassifier(), grid)\n"
        "b = GridSearchCV(RandomForestRegressor(), grid)",
        # The list is used elsewhere too.
        "names = ['auto', 'sqrt']\nprint(names[0])\n"
        "s = GridSearchCV(RandomForestRegressor(), {'max_features': names})",
        # A search that draws would draw other candidates.
        "grid = {'normalize': [True, False], 'copy_X': [True]}\n"
        "s = RandomizedSearchCV(LinearRegression(), grid)",
        # What the dict belongs to is not known.
        "grid = {'max_features': ['auto']}\nsearch(model, grid)",
        "options = {'a': RandomForestClassifier(), 'b': 3, 'c': {'max_features': ['x']}}",
    ],
)
def test_settings_stay_where_it_is_not_certain_what_they_mean(source: str) -> None:
    assert changed(source) == [source]


def test_a_grid_in_another_cell_than_the_search_is_found() -> None:
    grid = "grid = {'max_features': ['auto']}"
    search = "s = GridSearchCV(RandomForestClassifier(), grid).fit(X, y)"
    assert changed(grid, search) == ["grid = {'max_features': ['sqrt']}", search]


def test_a_shared_grid_is_a_doubt() -> None:
    found = outcome(
        SETUP,
        "grid = {'criterion': ['mse']}\nGridSearchCV(RandomForestRegressor(), grid)\n"
        "GridSearchCV(DecisionTreeClassifier(), grid)",
        rules=("sklearn-criterion-names",),
    )
    assert [doubt.why for doubt in found.doubts] == ["the same grid is used for other models"]


ADA = (
    "from sklearn.ensemble import AdaBoostClassifier\n"
    "from sklearn.model_selection import GridSearchCV\n"
    "a = AdaBoostClassifier()"
)
ALGORITHM = ("sklearn-adaboost-real", "sklearn-adaboost-algorithm")


def test_remaining_algorithm_is_not_taken_for_the_old_default() -> None:
    asked = "from sklearn.ensemble import AdaBoostClassifier\na = AdaBoostClassifier({})"
    one, other = (asked.format(given) for given in ("3, algorithm='SAMME'", "3"))
    rules = [rule_of(name) for name in ALGORITHM]
    done = modernize(notebook(one), rules, Run(), lambda *_: True)
    assert done.notebook.cells[0].source == other
    assert "RealAdaBoostClassifier(3)" in cells(other, rules=ALGORITHM)[0]


def test_algorithms_that_a_grid_compares_are_not_lost() -> None:
    search = "GridSearchCV(a, {'algorithm': ['SAMME', 'SAMME.R'], 'n_estimators': [9]})"
    assert cells(ADA, search, rules=ALGORITHM) == [ADA, search]


def test_algorithms_that_a_loop_compares_are_not_lost() -> None:
    loop = "for name in ['SAMME', 'SAMME.R']:\n    m = AdaBoostClassifier(algorithm=name)"
    source = f"from sklearn.ensemble import AdaBoostClassifier\n{loop}"
    assert cells(source, rules=ALGORITHM) == [source]


def test_the_only_algorithm_of_a_grid_goes() -> None:
    search = "GridSearchCV(a, {'algorithm': ['SAMME'], 'n_estimators': [9]})"
    plain = "GridSearchCV(a, {'n_estimators': [9]})"
    assert cells(ADA, search, rules=("sklearn-adaboost-algorithm",)) == [ADA, plain]
    real, left = cells(ADA, search.replace("SAMME", "SAMME.R"), rules=ALGORITHM)
    assert "a = RealAdaBoostClassifier()" in real
    assert left == plain


def test_the_error_of_a_search_or_of_set_params_is_a_symptom() -> None:
    said = "Invalid parameter 'base_estimator' for estimator AdaBoostClassifier(). Valid parameters"
    assert rule_of("sklearn-base-estimator").matches(error("b", "ValueError", said))
    other = "Invalid parameter 'base_estimator' for estimator Mine(). Valid parameters are: ['a']."
    assert not rule_of("sklearn-base-estimator").matches(error("b", "ValueError", other))
