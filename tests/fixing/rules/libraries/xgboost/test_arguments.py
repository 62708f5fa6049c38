import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, outcome

XGB = "import xgboost as xgb\nfrom xgboost import XGBClassifier\n"
LGB = "import lightgbm as lgb\n"


def test_callbacks_replace_the_first_old_argument_with_comments() -> None:
    before = (
        "m = lgb.train(params,\n"
        "              data,  # all of it\n"
        "              early_stopping_rounds=50,  # patience\n"
        "              valid_sets=[data, valid],  # both\n"
        "              verbose_eval=100)"
    )
    after = (
        "m = lgb.train(params,\n"
        "              data,  # all of it\n"
        "              callbacks=[lgb.early_stopping(50), lgb.log_evaluation(100)],  # patience\n"
        "              valid_sets=[data, valid]  # both\n"
    )
    done = outcome(LGB, before, rules=("lightgbm-callbacks",)).notebook.cells[1].source
    assert done.startswith(after)
    assert done.removeprefix(after).strip() == ")"


def test_early_stopping_watches_the_first_metric_if_configured() -> None:
    assert_rewrites(
        "lightgbm-callbacks",
        "p = {'first_metric_only': True}\nlgb.train(p, d, early_stopping_rounds=5)",
        "p = {'first_metric_only': True}\n"
        "lgb.train(p, d, callbacks=[lgb.early_stopping(5, first_metric_only=True)])",
        LGB,
    )


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (
            "lightgbm-fobj",
            "lgb.train(p, d, 9, fobj=f, feval=g)",
            "lgb.train({**p, 'objective': f}, d, 9, feval=g)",
        ),
        ("lightgbm-fobj", "lgb.train(p, d, 9, fobj=None)", "lgb.train(p, d, 9)"),
        ("lightgbm-fobj", "xgb.train(p, d, 9, fobj=f)", "xgb.train(p, d, 9, fobj=f)"),
        (
            "lightgbm-dataset-arguments",
            "lgb.train(p, d, categorical_feature=cats)",
            "lgb.train(p, d.set_categorical_feature(cats))",
        ),
        (
            "lightgbm-dataset-arguments",
            "lgb.cv(p, d, categorical_feature='auto', fobj=f)",
            "lgb.cv(p, d, fobj=f)",
        ),
        (
            "lightgbm-dataset-max-bin",
            "lgb.Dataset(X, y, max_bin=9)",
            "lgb.Dataset(X, y, params={'max_bin': 9})",
        ),
        (
            "lightgbm-learning-rates",
            "lgb.train(p, d, learning_rates=r)",
            "lgb.train(p, d, callbacks=[lgb.reset_parameter(learning_rate=r)])",
        ),
        ("lightgbm-learning-rates",) + ("lgb.train(p, d, early_stopping_rounds=3)",) * 2,
    ],
)
def test_arguments_of_lightgbm_go_where_they_belong(rule: str, before: str, after: str) -> None:
    assert_rewrites(rule, before, after, LGB)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("p = {'eta': .1, 'gpu_id': 0}\nxgb.train(p, d)", "p = {'eta': .1}\nxgb.train(p, d)"),
        (
            "p = dict(gpu_id=0, eta=.1)  # mine\nxgb.cv(p, d)",
            "p = dict(eta=.1)  # mine\nxgb.cv(p, d)",
        ),
        ("xgb.train({'gpu_id': 0}, d)", "xgb.train({}, d)"),
        ("p = {'gpu_id': 0}\nxgb.train(p, d)\nother(p)",) * 2,
        ("p = {'gpu_id': 0}\np = q\nxgb.train(p, d)",) * 2,
        ("p = {'gpu_id': 0}\nlgb.train(p, d)",) * 2,
    ],
)
def test_items_of_a_dict_of_parameters_are_removed(before: str, after: str) -> None:
    assert_rewrites("xgboost-gpu-id", before, after, XGB + LGB)


def test_arguments_that_come_out_of_a_dict_are_renamed_in_it() -> None:
    setup = "from sklearn.ensemble import RandomForestRegressor as R, BaggingRegressor as B\n"
    assert_rewrites(
        "sklearn-criterion-names",
        "p = {\n    'criterion': 'mse',  # usual\n}\nR(**p)",
        "p = {\n    'criterion': 'squared_error',  # usual\n}\nR(**p)",
        setup,
    )
    assert_rewrites(
        "sklearn-base-estimator",
        "p = dict(base_estimator=m)\nB(**p)",
        "p = dict(estimator=m)\nB(**p)",
        setup,
    )
    assert_stays("sklearn-criterion-names", "p = {'criterion': 'mse'}\nR(**p)\nX(**p)", setup)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "p = {'eta': .1}\nxgb.train(p, d)",
            "p = {'eta': .1, 'tree_method': 'exact', 'base_score': 0.5}\nxgb.train(p, d)",
        ),
        (
            'p = {\n    "eta": .1,  # slow\n    "tree_method": "hist",\n}\nxgb.train(p, d)',
            'p = {\n    "eta": .1,  # slow\n    "tree_method": "hist",\n    "base_score": 0.5,\n}\n'
            "xgb.train(p, d)",
        ),
        ("p = {}\np['tree_method'] = 'hist'\np['base_score'] = 1\nxgb.train(p, d)",) * 2,
        ("p = {**q}\nxgb.train(p, d)",) * 2,
        ("xgb.train(make(), d)",) * 2,
    ],
)
def test_defaults_of_training_are_pinned_in_the_dict(before: str, after: str) -> None:
    assert_rewrites("xgboost-pin-train-defaults", before, after, XGB)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("plst = p.items()\nxgb.train(plst, d)", "plst = list(p.items())\nxgb.train(plst, d)"),
        ("xgb.train(p.items(), d)", "xgb.train(list(p.items()), d)"),
        ("plst = p.items()\nfor a in plst: pass",) * 2,
    ],
)
def test_a_view_of_parameters_becomes_a_list(before: str, after: str) -> None:
    assert_rewrites("xgboost-params-items", before, after, XGB)


def test_positional_arguments_of_the_models_get_their_names() -> None:
    assert_rewrites(
        "xgboost-positional",
        "XGBClassifier(3, 0.1)\nXGBClassifier(max_depth=3)",
        "XGBClassifier(max_depth=3, learning_rate=0.1)\nXGBClassifier(max_depth=3)",
        XGB,
    )


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (
            "imblearn-return-indices",
            "s = R(return_indices=True)\nA, b, i = s.fit_sample(X, y)",
            "s = R()\nA, b = s.fit_sample(X, y)\ni = s.sample_indices_",
        ),
        ("imblearn-return-indices",) + ("s = R(return_indices=True)\nt = s.fit_sample(X, y)",) * 2,
        ("imblearn-fit-sample", "R().fit_sample(X, y)", "R().fit_resample(X, y)"),
    ],
)
def test_samplers(rule: str, before: str, after: str) -> None:
    setup = "from imblearn.under_sampling import RandomUnderSampler as R\n"
    assert_rewrites(rule, before, after, setup)


def test_the_acquisition_function_goes_to_the_optimizer() -> None:
    setup = "from bayes_opt import BayesianOptimization\n"
    assert_rewrites(
        "bayes-opt-acquisition",
        "b = BayesianOptimization(f, p)\nb.maximize(5, 9, acq='ucb', kappa=10)",
        "from bayes_opt import acquisition\n"
        "b = BayesianOptimization(f, p, "
        "acquisition_function=acquisition.UpperConfidenceBound(kappa=10))\n"
        "b.maximize(5, 9)",
        setup,
    )
    assert_stays("bayes-opt-acquisition", "other.maximize(acq='ei')", setup)
    assert_stays(
        "bayes-opt-acquisition", "b = BayesianOptimization(f, p)\nb.maximize(acq=a)", setup
    )


def test_dict_of_arguments_loses_an_item_for_all_its_calls() -> None:
    before = (
        "from xgboost import XGBRegressor\nmore = {'eval_metric': 'rmse'}\n"
        "m = XGBRegressor()\nm.fit(X, y, **more)\nother.fit(X, y, **more)"
    )
    after = (
        "from xgboost import XGBRegressor\nmore = {}\n"
        "m = XGBRegressor(eval_metric='rmse')\nm.fit(X, y, **more)\n"
        "other.fit(X, y, eval_metric='rmse', **more)"
    )
    assert_rewrites("xgboost-fit-arguments", before, after)
    assert_stays("xgboost-fit-arguments", f"{before}\nprint(more)")


def test_a_model_that_is_fitted_elsewhere_does_not_stop_early() -> None:
    source = (
        "from sklearn.model_selection import GridSearchCV\nfrom xgboost import XGBRegressor\n"
        "m = XGBRegressor()\ns = GridSearchCV(m, {})\n"
        "s.fit(X, y, early_stopping_rounds=3, eval_set=e)\nm.fit(X, y)"
    )
    assert_stays("xgboost-fit-arguments", source)


def test_the_best_model_of_a_search_is_one_of_its_models() -> None:
    before = (
        "from sklearn.model_selection import GridSearchCV\nfrom xgboost import XGBRegressor\n"
        "s = GridSearchCV(estimator=XGBRegressor(), param_grid={})\ns.fit(X, y)\n"
        "s.best_estimator_.fit(X, y, eval_metric='mae')"
    )
    after = before.replace(
        ".fit(X, y, eval_metric='mae')", ".set_params(eval_metric='mae').fit(X, y)"
    )
    assert_rewrites("xgboost-fit-arguments", before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "m = XGBClassifier(eval_metric='error')\nm.fit(X, y, eval_metric='auc', eval_set=e)",
            "m = XGBClassifier(eval_metric='auc')\nm.fit(X, y, eval_set=e)",
        ),
        (
            "XGBClassifier(eval_metric='error').fit(X, y, eval_metric='auc', eval_set=e)",
            "XGBClassifier(eval_metric='auc').fit(X, y, eval_set=e)",
        ),
        (
            "m = XGBClassifier(eval_metric='error')\nm.fit(X, y, eval_metric=None, eval_set=e)",
            "m = XGBClassifier(eval_metric='error')\nm.fit(X, y, eval_set=e)",
        ),
        (
            "m = XGBClassifier(**p)\nm.fit(X, y, eval_metric='auc')",
            "m = XGBClassifier(**p)\nm.set_params(eval_metric='auc').fit(X, y)",
        ),
        (
            "XGBClassifier(**p).fit(X, y, eval_metric='auc')",
            "XGBClassifier(**p).set_params(eval_metric='auc').fit(X, y)",
        ),
    ],
)
def test_what_fit_is_given_comes_before_what_the_model_is_given(before: str, after: str) -> None:
    assert_rewrites("xgboost-fit-arguments", before, after, XGB)


def test_results_of_other_libraries_keep_their_keys() -> None:
    source = "r = xgb.cv(p, d)\nprint(r['test-auc-mean'])\nr = lgb.cv(p, d)\n"
    assert_rewrites(
        "lightgbm-cv-keys",
        source + "r['auc-mean']\nr['test-auc-mean']",
        source + "r['valid auc-mean']\nr['test-auc-mean']",
        XGB + LGB,
    )
    either = "r = lgb.cv(p, d) if a else load()\nif b:\n    r = table\nr['auc-mean']"
    assert_stays("lightgbm-cv-keys", either, LGB)


@pytest.mark.parametrize(
    ("call", "after"),
    [
        (
            "XGBRegressor(n_estimators=9)",
            "XGBRegressor(n_estimators=9, tree_method='exact', base_score=0.5)",
        ),
        ("XGBRegressor(booster='gblinear')", "XGBRegressor(booster='gblinear', base_score=0.5)"),
        (
            "XGBRegressor(objective='reg:absoluteerror')",
            "XGBRegressor(objective='reg:absoluteerror', tree_method='exact')",
        ),
    ],
)
def test_old_defaults_of_models_where_they_were_the_defaults(call: str, after: str) -> None:
    assert_rewrites("xgboost-pin-defaults", call, after, "from xgboost import XGBRegressor\n")


@pytest.mark.parametrize("item", ["'booster': 'gblinear'", "'objective': 'reg:absoluteerror'"])
def test_training_parameters_with_other_old_defaults(item: str) -> None:
    assert_stays("xgboost-pin-train-defaults", "xgb.train(p, d)", XGB + f"p = {{{item}}}")


def test_the_period_of_evaluation_is_not_a_rank() -> None:
    assert_rewrites(
        "xgboost-callback-functions",
        "from xgboost.callback import print_evaluation\nc = [print_evaluation(10)]",
        "from xgboost.callback import EvaluationMonitor as print_evaluation\n"
        "c = [print_evaluation(period=10)]",
    )


@pytest.mark.parametrize(
    ("table", "after"),
    [
        ("pd.DataFrame(b, columns=['y'])", "pd.DataFrame(np.asarray(b), columns=['y'])"),
        ("pd.DataFrame(data=b, columns=c)", "pd.DataFrame(data=np.asarray(b), columns=c)"),
        ("pd.DataFrame(A, columns=X.columns)",) * 2,
        ("pd.DataFrame(A, columns=names)",) * 2,
        ("pd.DataFrame(A)",) * 2,
        ("pd.DataFrame({'y': b})",) * 2,
    ],
)
def test_classes_that_are_drawn_get_the_name_they_are_given(table: str, after: str) -> None:
    setup = (
        "import numpy as np\nimport pandas as pd\nfrom imblearn.over_sampling import SMOTE\n"
        "names = list(X.columns)\nA, b = SMOTE().{}(X, y)"
    )
    done = outcome(setup.format("fit_sample"), table, rules=("imblearn-fit-sample",))
    assert [cell.source for cell in done.notebook.cells] == [setup.format("fit_resample"), after]


@pytest.mark.parametrize(
    ("limit", "after"),
    [
        ("n", "ntree_limit=n"),
        ("m.best_ntree_limit", "iteration_range=(0, getattr(m, 'best_iteration', -1) + 1)"),
    ],
)
def test_a_limit_counts_the_trees_of_a_forest_one_by_one(limit: str, after: str) -> None:
    setup = XGB + "p = {'num_parallel_tree': 4}\n"
    assert_rewrites(
        "xgboost-ntree-limit",
        f"m.predict(d, ntree_limit={limit})\nn = m.best_ntree_limit",
        f"m.predict(d, {after})\nn = m.best_ntree_limit",
        setup,
    )


def test_a_pool_stays_what_it_is() -> None:
    assert_stays(
        "catboost-importance-pool",
        "m.get_feature_importance(train_pool, kind)",
        "from catboost import CatBoostClassifier\nm = CatBoostClassifier()",
    )


def test_a_comment_stays_with_its_item() -> None:
    before = (
        "p = {\n    'eta': .1,\n    'seed': 3{}  # drawn\n    # 'silent': 1\n}\nxgb.train(p, d)"
    )
    after = (
        "p = {{\n    'eta': .1,\n    'seed': 3,  # drawn\n    'tree_method': 'exact',\n"
        "    'base_score': 0.5{}\n    # 'silent': 1\n}}\nxgb.train(p, d)"
    )
    for comma in ("", ","):
        source = before.replace("{}", comma)
        assert_rewrites("xgboost-pin-train-defaults", source, after.format(comma), XGB)


@pytest.mark.parametrize(
    "made",
    [
        "p = {'tree_method': 'hist'}\np['base_score'] = 0.3",
        "p = {'tree_method': 'hist'}\np[key] = 0.3",
        "p = {'tree_method': 'hist'}\np.update(more)",
        "p = {'tree_method': 'hist', 'objective': 'reg:absoluteerror'}",
        "p = dict(tree_method='hist', objective='reg:absoluteerror')",
    ],
)
def test_what_a_dict_may_give_is_not_given_twice(made: str) -> None:
    setup = f"from xgboost import XGBRegressor\n{made}"
    assert_stays("xgboost-pin-defaults", "XGBRegressor(**p)", setup)
    known = setup.partition("\np")[0] + "\np = {'tree_method': 'hist', 'eta': 1}\np['eta'] = 2"
    after = "XGBRegressor(base_score=0.5, **p)"
    assert_rewrites("xgboost-pin-defaults", "XGBRegressor(**p)", after, known)
