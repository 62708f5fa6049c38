"""What is offered for a notebook, and what is not; nothing runs."""

from __future__ import annotations

from functools import partial

import pytest

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.improving.candidates.offers import combined, offers
from mle_modernizer_server.improving.candidates.variant import Facts
from tests.improving.sources import LOAD, SUBMIT, notebook, trained

SKLEARN = {"sklearn": "1.7.0"}
RIDGE = "from sklearn.linear_model import Ridge\nmodel = Ridge(alpha=2.0)"
FOREST = (
    "from sklearn.ensemble import RandomForestClassifier\n"
    "model = RandomForestClassifier(50, random_state=1)  # as ever"
)


def of(source: Notebook, metric: Metric = Metric.RMSE, *classes: str) -> dict[str, str]:
    """The changed cell of each version by its name."""
    found = offers(source, Facts(metric, classes, SKLEARN))
    return {
        offer.name: "\n".join(
            new.source
            for old, new in zip(source.cells, offer.notebook.cells, strict=True)
            if new != old
        )
        for offer in found
    }


def test_linear_model_is_offered_boosting_averaging_and_scaling() -> None:
    found = of(trained(RIDGE))
    assert set(found) == {"gradient boosting", "Ridge and boosting", "scaled features"}
    assert "model = HistGradientBoostingRegressor(random_state=0)\n" in found["gradient boosting"]
    assert "import HistGradientBoostingRegressor\n" in found["gradient boosting"]
    assert (
        "VotingRegressor([('model', Ridge(alpha=2.0)), ('boosting', "
        "HistGradientBoostingRegressor(random_state=0))])" in found["Ridge and boosting"]
    )
    assert "make_pipeline(StandardScaler(), Ridge(alpha=2.0))" in found["scaled features"]


SPLIT = (
    "from sklearn.model_selection import train_test_split\n"
    "X_fit, X_val, y_fit, y_val = train_test_split(train[['a']], train['y'])\n"
)
PREDICT = "test['y'] = model.predict(test[['a']])"
FIT_ALL = "model.fit(train[['a']], train['y'])"


@pytest.mark.parametrize(
    "scored",
    [
        "model.fit(X_fit, y_fit)\nprint(model.score(X_val, y_val))\n",
        "for _ in range(3):\n    model.fit(X_fit, y_fit)\n    print(model.score(X_val, y_val))\n",
        "model.fit(X_fit, y_fit)\nprint(model.predict(X_val))\n",
    ],
)
def test_a_model_fitted_again_on_all_rows_is_offered_as_much(scored: str) -> None:
    assert set(of(trained(RIDGE, SPLIT + scored + FIT_ALL))) == set(of(trained(RIDGE)))


TABLES = "X, y = train[['a']], train['y']\n"
RIDGE_ALONE = "from sklearn.linear_model import Ridge\n"
SEARCH = (
    "from sklearn.model_selection import GridSearchCV\n"
    "model = GridSearchCV(Ridge(), {'alpha': [1, 2]}, cv=3)\nmodel.fit(X, y)\n"
)
LEARN = "def learn(model, X, y):\n    model.fit(X, y)\n    return model\n"
FIT = "    m.fit(X, y)\n    print(m.score(X, y))\n"


@pytest.mark.parametrize(
    "code",
    [
        SEARCH + "print(model.best_params_, model.best_score_)",
        SEARCH + "model = model.best_estimator_",
        SEARCH.replace("Ridge(),", "ridge,").replace("model =", "ridge = Ridge()\nmodel ="),
        f"models = {{'r': Ridge(), 's': 1}}\nfor n, m in models.items():\n{FIT}model = models['r']",
        f"models = [('r', Ridge())]\nfor n, m in models:\n{FIT}model = models[0][1]",
        f"models = []\nmodels.append(('r', Ridge()))\nfor n, m in models:\n{FIT}model = m",
        f"models = {{}}\nmodels['r'] = Ridge()\nfor m in models.values():\n{FIT}model = m",
        f"models = [Ridge()]\nfor n, m in zip(['r'], models):\n{FIT}model = m",
        LEARN + "model = learn(Ridge(), X, y)",
        LEARN.replace("(model, ", "(").replace(":", ":\n    model = Ridge()", 1)
        + "model = learn(X, y)",
    ],
)
def test_model_of_any_shape_is_offered_boosting(code: str) -> None:
    found = of(notebook(LOAD, TABLES + RIDGE_ALONE + code, f"{PREDICT}\n{SUBMIT}"))
    assert "HistGradientBoostingRegressor(random_state=0)" in found["gradient boosting"]
    assert ("GridSearchCV" in code) == (", {}, cv=3)" in found["gradient boosting"])


@pytest.mark.parametrize(
    "code",
    [
        SEARCH + "print(model.best_estimator_.coef_)",
        SEARCH + "print(model.best_params_['alpha'])",
        "from tuning import tune\nmodels = [Ridge()]\ntune(models)\nmodel = models[0].fit(X, y)",
        "models = []\nmodels.append(Ridge())\nestimators(models)\nmodel = models[0].fit(X, y)",
        "models = {}\nmodels['r'] = Ridge()\nestimators(models)\nmodel = models['r'].fit(X, y)",
        "model = Ridge()\nestimators([('r', model)])\nmodel.fit(X, y)",
        LEARN + "from tuning import tune\ntune(learn)\nmodel = learn(Ridge(), X, y)",
    ],
)
def test_model_with_an_unknown_use_stays(code: str) -> None:
    assert of(notebook(LOAD, TABLES + RIDGE_ALONE + code, f"{PREDICT}\n{SUBMIT}")) == {}


@pytest.mark.parametrize(
    ("code", "offers"),
    [
        ("models = [Ridge()]\nmodels.append(models)\nmodel = models[0].fit(X, y)", 3),
        ("a = [Ridge()]\nb = [a]\na.append(b)\nmodel = a[0].fit(X, y)", 0),
        (
            "def make(n):\n"
            + "".join(f"    if n == {n}: return make({n})\n" for n in range(20))
            + "    return Ridge()\nmodel = make(1).fit(X, y)",
            3,
        ),
    ],
    ids=["list", "two lists", "function"],
)
def test_value_that_leads_back_to_itself_is_followed_once(code: str, offers: int) -> None:
    found = of(notebook(LOAD, TABLES + RIDGE_ALONE + code, f"{PREDICT}\n{SUBMIT}"))
    assert len(found) == offers


@pytest.mark.parametrize("name", ["lightgbm.LGBM", "xgboost.XGB", "catboost.CatBoost", "own.My"])
def test_estimator_of_any_library_is_offered_boosting(name: str) -> None:
    module, _, stem = name.partition(".")
    source = trained(f"from {module} import {stem}Regressor\nmodel = {stem}Regressor()")
    assert list(of(source)) == ["gradient boosting", f"{stem}Regressor and boosting"]


def test_every_fit_has_to_suit_a_new_model() -> None:
    weighted = f"{SPLIT}model.fit(X_fit, y_fit, sample_weight=X_fit['a'])\n{FIT_ALL}"
    assert "scaled features" not in of(trained(RIDGE, weighted))


def test_a_metric_of_absolute_errors_is_what_boosting_learns() -> None:
    found = of(trained(RIDGE), Metric.MAE)
    assert "(loss='absolute_error', random_state=0)" in found["gradient boosting"]


def test_lightgbm_only_where_it_is_installed() -> None:
    facts = Facts(Metric.RMSE, (), {**SKLEARN, "lightgbm": "4.5.0"})
    assert "LightGBM" in [offer.name for offer in offers(trained(RIDGE), facts)]
    assert offers(trained(RIDGE), Facts(Metric.RMSE, (), {}))[0].name == "scaled features"


@pytest.mark.parametrize("metric", [Metric.RMSLE, Metric.MAPE])
def test_the_log_target_for_metrics_of_ratios(metric: Metric) -> None:
    found = of(trained(RIDGE), metric)["log target"]
    assert (
        "TransformedTargetRegressor(regressor=Ridge(alpha=2.0), func=np.log1p, "
        "inverse_func=np.expm1)" in found
    )
    taken = "import numpy as np\n" + RIDGE
    source = trained(taken, "model.fit(train[['a']], np.log1p(train['y']))")
    assert "log target" not in of(source, metric)


def test_clipping_for_log_loss_of_two_classes() -> None:
    model = "from sklearn.linear_model import LogisticRegression\nmodel = LogisticRegression()"
    fit = "model.fit(train[['a']], train['y'])"
    second = "test['y'] = model.predict_proba(test[['a']])[:, 1]"
    found = of(notebook(LOAD, f"{model}\n{fit}", f"{second}\n{SUBMIT}"), Metric.LOG_LOSS)
    assert (
        "test['y'] = np.clip(model.predict_proba(test[['a']])[:, 1], 0.01, 0.99)"
        in (found["clipped probabilities"])
    )
    clipped = second + ".clip(0.1, 0.9)"
    again = notebook(LOAD, f"{model}\n{fit}", f"{clipped}\n{SUBMIT}")
    assert "clipped probabilities" not in of(again, Metric.LOG_LOSS)
    every = second.replace("[:, 1]", "[:, 0]")
    assert "clipped probabilities" not in of(
        notebook(LOAD, f"{model}\n{fit}", f"{every}\n{SUBMIT}"), Metric.LOG_LOSS
    )


def test_a_forest_is_offered_trees_seeds_weights_and_a_threshold() -> None:
    found = of(trained(FOREST), Metric.MACRO_F1, "0", "1")
    assert set(found) == {"balanced classes", "chosen threshold", "500 trees", "5 seeds"}
    assert "RandomForestClassifier(500, random_state=1)  # as ever" in found["500 trees"]
    assert (
        "VotingClassifier([(f'seed{seed}', RandomForestClassifier(50, random_state=seed)) "
        "for seed in range(5)], voting='soft')" in found["5 seeds"]
    )
    assert "random_state=1, class_weight='balanced')" in found["balanced classes"]
    assert "TunedThresholdClassifierCV(" in found["chosen threshold"]
    three = of(trained(FOREST), Metric.QUADRATIC_WEIGHTED_KAPPA, "0", "1", "2")
    assert "chosen threshold" not in three
    kappa = of(trained(FOREST), Metric.QUADRATIC_WEIGHTED_KAPPA, "0", "1")["chosen threshold"]
    assert "scoring=make_scorer(cohen_kappa_score, weights='quadratic')" in kappa
    assert set(of(trained(FOREST), Metric.ACCURACY, "0", "1")) == {"500 trees", "5 seeds"}


def test_early_stopping_where_nothing_stops_yet() -> None:
    model = (
        "from sklearn.ensemble import GradientBoostingRegressor\n"
        "model = GradientBoostingRegressor(n_estimators=50, max_depth=2)"
    )
    found = of(trained(model))["early stopping"]
    arguments = "max_depth=2, n_estimators=1000, learning_rate=0.05, n_iter_no_change=20"
    assert f"GradientBoostingRegressor({arguments})" in found
    assert of(trained(model.replace("max_depth=2", "n_iter_no_change=5"))) == {}


def test_medians_for_a_constant_and_for_means() -> None:
    fill = "train = train.fillna(0)\ntest = test.fillna(0)\n"
    found = of(notebook(LOAD, fill + RIDGE, *(cell.source for cell in trained(RIDGE).cells[1:])))
    filled = found["medians for constants"]
    assert "train = train.fillna(train.median(numeric_only=True)).fillna(0)" in filled
    assert "test = test.fillna(train.median(numeric_only=True)).fillna(0)" in filled
    imputed = (
        "from sklearn.impute import SimpleImputer\nfrom sklearn.pipeline import make_pipeline\n"
        "from sklearn.linear_model import Ridge\nmodel = make_pipeline(SimpleImputer(), Ridge())"
    )
    assert "SimpleImputer(strategy='median')" in of(trained(imputed))["medians for means"]


@pytest.mark.parametrize(
    "model",
    [
        "class Ridge: ...\nmodel = Ridge()",
        "from sklearn.linear_model import Ridge\nmodel = Ridge() if train.size else None",
        "from mine import Ridge\nmodel = Ridge()",
        "import sklearn.linear_model as lm\nmodel = lm.Ridge()\nif train.size:\n"
        "    model = lm.Lasso()",
    ],
)
def test_nothing_is_offered_for_what_may_be_something_else(model: str) -> None:
    assert of(trained(model)) == {}


def test_a_model_whose_parts_are_looked_at_is_not_replaced() -> None:
    assert of(trained(RIDGE, "model.fit(train[['a']], train['y'])\nprint(model.coef_)")) == {}


def test_a_model_that_is_not_submitted_is_left_alone() -> None:
    other = "from sklearn.svm import SVR\nother = SVR().fit(train[['a']], train['y'])\n"
    seen = "print(other.predict(test[['a']]))\n"
    assert set(of(trained(other + seen + RIDGE))) == set(of(trained(RIDGE)))


def test_sparse_features_get_no_boosting() -> None:
    text = (
        "from sklearn.feature_extraction.text import TfidfVectorizer\n"
        "words = TfidfVectorizer()\n" + RIDGE
    )
    assert of(trained(text, "model.fit(words.fit_transform(train['a']), train['y'])")) == {}


def test_cells_keep_their_layout_and_magics() -> None:
    source = trained("%matplotlib inline\n# The model\n" + RIDGE)
    found = of(source)["gradient boosting"]
    assert found.startswith("%matplotlib inline\n# The model\nfrom sklearn.linear_model")


def test_boosting_learns_logarithms_where_the_score_is_of_them() -> None:
    code = of(trained(RIDGE), Metric.RMSLE)["gradient boosting"]
    assert "TransformedTargetRegressor(regressor=HistGradientBoostingRegressor(" in code
    assert "func=np.log1p, inverse_func=np.expm1" in code
    assert "TransformedTarget" not in of(trained(RIDGE))["gradient boosting"]


def test_several_versions_in_one_and_of_a_kind_the_best() -> None:
    source, facts = trained(RIDGE), Facts(Metric.MAPE, (), SKLEARN)
    offered = partial(offers, facts=facts)
    by_name = {offer.name: offer for offer in offered(source)}
    chosen = ("gradient boosting", "Ridge and boosting", "log target")
    found = combined(source, [by_name[name] for name in chosen], offered)
    assert found is not None and found.name == "gradient boosting + log target"
    assert (
        "TransformedTargetRegressor(regressor=HistGradientBoostingRegressor(random_state=0), "
        in found.notebook.cells[1].source
    )
    assert combined(source, [by_name["log target"]], offered) is None
    gone = [by_name[name] for name in ("gradient boosting", "scaled features")]
    assert combined(source, gone, offered) is None, "boosting is not offered a scaler"
