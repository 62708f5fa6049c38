import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error

XGB = "import pandas as pd\nimport xgboost as xgb\nfrom xgboost import XGBClassifier\n"
XGB += "train = pd.read_csv('a')\n"
LGB = "import lightgbm as lgb\n"
LABELS = "Invalid classes inferred from unique values of `y`.  Expected: [0 1 2], got "
SHIFTABLE = [
    XGB + "y = train.loc[:, 'Type']\n",
    "def score(m, X, y):\n    return cross_validate(m, X, y)\nmodel = XGBClassifier()\n"
    "score(model, X, y)",
    "model.fit(X, y)\np = pd.Series(model.predict(T), name='Type')",
]


def labels(*sources: str, got: str) -> list[str]:
    seen = error("b", "ValueError", f"All fits failed\nValueError: {LABELS}{got}")
    return cells(*sources, rules=("xgboost-labels",), errors=(seen,))


def test_labels_are_shifted_at_definition_and_back_at_prediction() -> None:
    after = labels(*SHIFTABLE, got="[1 2 3]")
    assert after[0] == XGB + "y = train.loc[:, 'Type'] - 1\n"
    assert after[1] == SHIFTABLE[1]
    assert after[2] == "model.fit(X, y)\np = pd.Series(model.predict(T) + 1, name='Type')"


def test_classifier_made_in_its_import_line_is_left_alone() -> None:
    sources = ["import xgboost as xgb; m = xgb.XGBClassifier()", "m.fit(X, z['a'])"]
    assert labels(*sources, got="['a' 'b']") == sources


@pytest.mark.parametrize(
    ("more", "got"),
    [
        ("", "['a' 'b' 'c']"),
        ("", "[1 3 5]"),
        ("print(y == 2)", "[1 2 3]"),
        (
            "from sklearn.metrics import accuracy_score\naccuracy_score(y, model.predict(X))",
            "[1 2 3]",
        ),
        ("a, b, c, d = train_test_split(X, y)", "[1 2 3]"),
        ("other.fit(X, z)", "[1 2 3]"),
    ],
)
def test_elsewhere_the_classifier_encodes_and_decodes_by_itself(more: str, got: str) -> None:
    sources = [SHIFTABLE[0] + "from sklearn.model_selection import train_test_split\n"]
    after = labels(*sources, *SHIFTABLE[1:], more, got=got)
    assert after[0] == sources[0]
    assert "class LabelledXGBClassifier(XGBClassifier):" in after[1]
    assert "model = LabelledXGBClassifier()" in after[1]
    assert after[2:] == [SHIFTABLE[2], more]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "m = XGBClassifier(n_jobs=2)\nm.fit(X, y, eval_metric='auc', eval_set=[(a, b)])",
            "m = XGBClassifier(n_jobs=2, eval_metric='auc')\nm.fit(X, y, eval_set=[(a, b)])",
        ),
        (
            "m = XGBClassifier()\ncross_val_score(m, X, y)\n"
            "m.fit(X, y, early_stopping_rounds=5, eval_set=[(a, b)])",
            "m = XGBClassifier()\ncross_val_score(m, X, y)\n"
            "m.set_params(early_stopping_rounds=5).fit(X, y, eval_set=[(a, b)])",
        ),
        (
            "def f():\n    m = xgb.XGBRegressor()\n    m.fit(X, y, early_stopping_rounds=5)",
            "def f():\n    m = xgb.XGBRegressor(early_stopping_rounds=5)\n    m.fit(X, y)",
        ),
        (
            "XGBClassifier().fit(X, y, eval_metric='auc')",
            "XGBClassifier(eval_metric='auc').fit(X, y)",
        ),
        (
            "m = make()\nm.fit(X, y, early_stopping_rounds=5)\n"
            "l = lightgbm_model\nl.fit(X, y, eval_metric='auc')",
        )
        * 2,
    ],
)
def test_arguments_of_fit_go_to_the_model(before: str, after: str) -> None:
    assert_rewrites("xgboost-fit-arguments", before, after, XGB)


def test_a_model_that_comes_from_elsewhere_is_told_by_the_error() -> None:
    why = "XGBModel.fit() got an unexpected keyword argument 'early_stopping_rounds'"
    seen = error("b", "TypeError", why, line=1)
    after = cells(
        XGB,
        "model.fit(X, y, early_stopping_rounds=5)",
        rules=("xgboost-fit-arguments",),
        errors=(seen,),
    )
    assert after[1] == "model.set_params(early_stopping_rounds=5).fit(X, y)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "m.predict(d, ntree_limit=m.best_ntree_limit)",
            "m.predict(d, iteration_range=(0, getattr(m, 'best_iteration', -1) + 1))",
        ),
        (
            "m = xgb.train(p, d, early_stopping_rounds=9)\n"
            "m.predict(d, ntree_limit=m.best_ntree_limit)",
            "m = xgb.train(p, d, early_stopping_rounds=9)\n"
            "m.predict(d, iteration_range=(0, m.best_iteration + 1))",
        ),
        (
            "if x:\n    m = xgb.train(p, d, early_stopping_rounds=9)\n"
            "else:\n    m = xgb.train(p, d)\n"
            "m.predict(d, ntree_limit=m.best_ntree_limit)",
            "if x:\n    m = xgb.train(p, d, early_stopping_rounds=9)\n"
            "else:\n    m = xgb.train(p, d)\n"
            "m.predict(d, iteration_range=(0, getattr(m, 'best_iteration', -1) + 1))",
        ),
        (
            "m = XGBClassifier()\nm.fit(X, y, early_stopping_rounds=9)\n"
            "m.predict(X, ntree_limit=m.best_ntree_limit)",
            "m = XGBClassifier()\nm.fit(X, y, early_stopping_rounds=9)\n"
            "m.predict(X, iteration_range=(0, m.best_iteration + 1))",
        ),
        (
            "m.predict(d, ntree_limit=m.best_iteration + 1)",
            "m.predict(d, iteration_range=(0, getattr(m, 'best_iteration', -1) + 1))",
        ),
        ("m.predict(d, ntree_limit=0)", "m.predict(d)"),
        ("m.predict(d, ntree_limit=n)", "m.predict(d, iteration_range=(0, n))"),
        ("n = m.best_ntree_limit * 2", "n = (m.best_iteration + 1) * 2"),
        ("m.predict(d)", "m.predict(d)"),
    ],
)
def test_trees_are_limited_by_a_range_of_iterations(before: str, after: str) -> None:
    assert_rewrites("xgboost-ntree-limit", before, after, XGB)


def test_graphics_card_parameters_in_a_dict() -> None:
    before = "p = {'eta': .1, 'tree_method': 'gpu_hist', 'gpu_id': 0}"
    assert_rewrites("xgboost-gpu-hist", before, "p = {'eta': .1, 'tree_method': 'hist'}", XGB)
    assert_stays("xgboost-gpu-hist", "p = {'tree_method': 'hist', 'gpu_id': 0}", XGB)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "XGBClassifier()",
            "XGBClassifier(max_depth=3, learning_rate=0.1, tree_method='exact', base_score=0.5)",
        ),
        (
            "XGBClassifier(max_depth=6, eta=.2, tree_method='hist')",
            "XGBClassifier(max_depth=6, eta=.2, tree_method='hist', base_score=0.5)",
        ),
        ("XGBClassifier(**params)",) * 2,
    ],
)
def test_defaults_are_pinned_where_nothing_is_given(before: str, after: str) -> None:
    rules = ("xgboost-pin-depth", "xgboost-pin-defaults")
    assert cells(XGB, before, rules=rules) == [XGB, after]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "lgb.train(p, d, 9, valid_sets=[d], early_stopping_rounds=5, verbose_eval=10)",
            "lgb.train(p, d, 9, valid_sets=[d], "
            "callbacks=[lgb.early_stopping(5), lgb.log_evaluation(10)])",
        ),
        (
            "lgb.train(p, d, verbose_eval=False, early_stopping_rounds=n)",
            "lgb.train(p, d, callbacks=[lgb.early_stopping(n, verbose=False)])",
        ),
        ("lgb.train(p, d, verbose_eval=False)", "lgb.train(p, d)"),
        (
            "lgb.train(p, d, verbose_eval=True)",
            "lgb.train(p, d, callbacks=[lgb.log_evaluation(1)])",
        ),
        (
            "lgb.train(p, d, evals_result=r, callbacks=[c])",
            "lgb.train(p, d, callbacks=[c, lgb.record_evaluation(r)])",
        ),
        (
            "m = lgb.LGBMRegressor()\nm.fit(X, y, verbose=50)",
            "m = lgb.LGBMRegressor()\nm.fit(X, y, callbacks=[lgb.log_evaluation(50)])",
        ),
        (
            "r = lgb.cv(p, d, early_stopping_rounds=5)",
            "r = lgb.cv(p, d, callbacks=[lgb.early_stopping(5)])",
        ),
        ("m = other()\nm.fit(X, y, verbose=50)",) * 2,
        ("lgb.train(p, d, 9)",) * 2,
        ("from keras.models import Sequential\nm = Sequential()\nm.fit(X, y, verbose=0)",) * 2,
    ],
)
def test_lightgbm_gets_callbacks(before: str, after: str) -> None:
    assert_rewrites("lightgbm-callbacks", before, after, LGB)


def test_the_module_is_imported_where_only_a_class_was() -> None:
    setup = "from lightgbm import LGBMClassifier\n"
    before = "m = LGBMClassifier()\nm.fit(X, y, early_stopping_rounds=5)"
    after = "import lightgbm as lgb\nm = LGBMClassifier()\n"
    after += "m.fit(X, y, callbacks=[lgb.early_stopping(5)])"
    assert_rewrites("lightgbm-callbacks", before, after, setup)


def test_keys_of_a_cross_validation() -> None:
    setup = LGB + "r = lgb.cv(p, d)\n"
    assert_rewrites("lightgbm-cv-keys", 'r["auc-mean"][-1]', 'r["valid auc-mean"][-1]', setup)
    assert_stays("lightgbm-cv-keys", "other['auc-mean']; r['n']", setup)
