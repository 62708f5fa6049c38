import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, error

LINEAR = "from sklearn.linear_model import Ridge, Lasso\n"


def test_scaling_subclass_is_defined_once_before_its_first_use() -> None:
    after = cells(
        LINEAR,
        "x = 1\na = Ridge(alpha=2, normalize=True)\nb = Ridge()",
        "c = Ridge(normalize=True, alpha=3)  # the other",
        rules=("sklearn-normalize-penalized",),
    )
    assert after[0] == LINEAR
    assert after[1].startswith(
        "from sklearn.preprocessing import StandardScaler\nx = 1\n\n\nclass "
    )
    assert after[1].count("class NormalizingRidge(Ridge):") == 1
    assert after[1].endswith("\n\n\na = NormalizingRidge(alpha=2)\nb = Ridge()")
    assert after[2] == "c = NormalizingRidge(alpha=3)  # the other"


@pytest.mark.parametrize(
    "source",
    [
        "Ridge(normalize=False)",
        "Ridge(normalize=flag)",
        "from sklearn.linear_model import RidgeCV\nRidgeCV(alphas=[1], cv=5, normalize=True)",
        "LassoCV(normalize=True)",
        "from keras.layers import Ridge\nRidge(normalize=True)",
    ],
)
def test_models_that_scale_otherwise_are_left_alone(source: str) -> None:
    assert_stays("sklearn-normalize-penalized", source, LINEAR)


def test_float_is_made_whole_before_the_class_changes() -> None:
    rules = ("sklearn-normalize-penalized", "sklearn-whole-floats")
    code = "from sklearn.linear_model import Lasso\nm = Lasso(normalize=True, max_iter=1e6)"
    assert cells(code, rules=rules)[0].endswith("m = NormalizingLasso(max_iter=1000000)")


def test_a_model_made_in_the_line_that_imports_it_is_left_alone() -> None:
    line = "from sklearn.ensemble import AdaBoostClassifier; m = AdaBoostClassifier()"
    assert_stays("sklearn-adaboost-real", line)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ada(n_estimators=5)", "RealAdaBoostClassifier(n_estimators=5)"),
        ("ada(algorithm='SAMME.R', n_estimators=5)", "RealAdaBoostClassifier(n_estimators=5)"),
    ],
)
def test_boosting_by_probabilities_under_an_alias(before: str, after: str) -> None:
    setup = "from sklearn.ensemble import AdaBoostClassifier as ada\n"
    done = cells(setup, f"m = {before}", rules=("sklearn-adaboost-real",))[1]
    assert "class RealAdaBoostClassifier(ada):" in done
    assert done.endswith(f"m = {after}")
    assert_stays("sklearn-adaboost-real", "m = ada(algorithm='SAMME')", setup)


@pytest.mark.parametrize(
    "use",
    [
        "g = GridSearchCV(make_pipeline(s, m), {'adaboostclassifier__n_estimators': [5, 9]})",
        "p = make_pipeline(s, m)\np.named_steps['adaboostclassifier']",
        "p = make_pipeline(s, m)\np.set_params(adaboostclassifier__n_estimators=5)",
        "if m.__class__.__name__ == 'AdaBoostClassifier': print(m)",
    ],
)
def test_a_model_that_is_called_by_the_name_of_its_class_stays(use: str) -> None:
    setup = (
        "from sklearn.ensemble import AdaBoostClassifier\n"
        "from sklearn.pipeline import make_pipeline\n"
        "from sklearn.model_selection import GridSearchCV\n"
    )
    assert_stays("sklearn-adaboost-real", f"m = AdaBoostClassifier()\n{use}", setup)


def test_boosted_model_in_a_named_step_boosts_as_before() -> None:
    source = "from sklearn.ensemble import AdaBoostClassifier as Ada\n"
    source += "p = Pipeline([('adaboostclassifier', Ada())])"
    assert "RealAdaBoostClassifier())])" in cells(source, rules=("sklearn-adaboost-real",))[0]


def test_boosting_in_a_grid_stays_and_other_models_do_not() -> None:
    source = (
        "from sklearn.ensemble import AdaBoostClassifier\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "first = AdaBoostClassifier(random_state=1)\n"
        "tuned = AdaBoostClassifier(random_state=2)\n"
        "g = GridSearchCV(tuned, {'algorithm': ['SAMME', 'SAMME.R']})"
    )
    after = cells(source, rules=("sklearn-adaboost-real",))[0]
    assert "first = RealAdaBoostClassifier(random_state=1)" in after
    assert "tuned = AdaBoostClassifier(random_state=2)" in after
    alone = source.replace("first = AdaBoostClassifier(random_state=1)\n", "")
    assert_stays("sklearn-adaboost-real", alone)


def test_old_folds_come_from_a_subclass_of_the_imported_class() -> None:
    done = cells(
        "import numpy\nfrom sklearn import model_selection as ms\n",
        "for a, b in ms.StratifiedKFold(5).split(X, y):\n    pass",
        rules=("sklearn-stratified-folds",),
    )[1]
    assert "class ClassByClassStratifiedKFold(ms.StratifiedKFold):" in done
    assert "numpy.asarray(y)" in done
    assert done.endswith("for a, b in ClassByClassStratifiedKFold(5).split(X, y):\n    pass")


def test_shuffled_folds_changed_earlier_than_others() -> None:
    setup = "from sklearn.model_selection import StratifiedKFold\n"
    shuffled = "a = StratifiedKFold(5, shuffle=True, random_state=1)\nb = StratifiedKFold(3)"
    assert_stays("sklearn-stratified-folds", shuffled, setup)
    assert_stays("sklearn-stratified-shuffle", "b = StratifiedKFold(3)", setup)
    rules = ("sklearn-stratified-folds", "sklearn-stratified-shuffle")
    assert cells(setup, shuffled, rules=rules)[1].endswith(
        "a = ClassByClassStratifiedKFold(5, shuffle=True, random_state=1)\n"
        "b = ClassByClassStratifiedKFold(3)"
    )


def test_a_class_imported_inside_a_function_is_left_alone() -> None:
    code = "def f():\n    from sklearn.model_selection import StratifiedKFold\n"
    assert_stays("sklearn-stratified-folds", code + "    return StratifiedKFold(3)")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "class A(BaseEstimator, ClassifierMixin):\n    pass  # mine",
            "class A(ClassifierMixin, BaseEstimator):\n    pass  # mine",
        ),
        (
            "class A(BaseEstimator, RegressorMixin, TransformerMixin):\n    pass",
            "class A(RegressorMixin, TransformerMixin, BaseEstimator):\n    pass",
        ),
        ("class A(ClassifierMixin, BaseEstimator):\n    pass",) * 2,
        ("class A(BaseEstimator, TransformerMixin):\n    pass",) * 2,
        ("class A(BaseEstimator, Mine):\n    pass",) * 2,
        ("class A(BaseEstimator):\n    pass",) * 2,
    ],
)
def test_mixins_come_first(before: str, after: str) -> None:
    names = "BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin"
    assert_rewrites("sklearn-mixin-order", before, after, f"from sklearn.base import {names}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from sklearn.impute import IterativeImputer",
            "from sklearn.experimental import enable_iterative_imputer  # noqa: F401\n"
            "from sklearn.impute import IterativeImputer",
        ),
        (
            "# all\nfrom sklearn.model_selection import *",
            "# all\nfrom sklearn.experimental import enable_halving_search_cv  # noqa: F401\n"
            "from sklearn.model_selection import *",
        ),
        ("from sklearn.impute import SimpleImputer",) * 2,
        (
            "from sklearn.experimental import enable_iterative_imputer\n"
            "from sklearn.impute import IterativeImputer",
        )
        * 2,
        ("x = 1; from sklearn.impute import IterativeImputer",) * 2,
    ],
)
def test_experimental_estimators_are_enabled_first(before: str, after: str) -> None:
    assert_rewrites("sklearn-experimental-imports", before, after)


def test_log_loss_is_clipped_once() -> None:
    setup = "import numpy as np\nfrom sklearn import metrics as mt\n"
    after = "mt.log_loss(y, np.clip(p, 1e-15, 1 - 1e-15))"
    assert_rewrites("sklearn-log-loss-clip", "mt.log_loss(y, p)", after, setup)
    assert_rewrites("sklearn-log-loss-eps", "mt.log_loss(y, p, eps=1e-15)", after, setup)
    assert_stays("sklearn-log-loss-eps", "mt.log_loss(y, p)", setup)
    assert_stays("sklearn-log-loss-clip", "mt.log_loss(y, p.clip(0.01, 0.99))", setup)
    assert_stays("sklearn-log-loss-clip", "def log_loss(y, p): pass\nlog_loss(y, p)")


def test_single_precision_probabilities_are_clipped_in_double() -> None:
    setup = "import numpy as np\nimport xgboost as xgb\nfrom sklearn.metrics import log_loss\n"
    after = "log_loss(y, np.clip(np.asarray(p, dtype=float), 1e-15, 1 - 1e-15))"
    assert_rewrites("sklearn-log-loss-clip", "log_loss(y, p)", after, setup)
    assert_rewrites("sklearn-log-loss-eps", "log_loss(y, p, eps=1e-15)", after, setup)


@pytest.mark.parametrize(
    ("predicted", "before"),
    [
        ("sum(preds.values())", ""),
        ("np.sum(preds, axis=0)", ""),
        ("p + q", ""),
        ("np.dot(a, b)", ""),
        ("total", "total = p + q\n"),
    ],
)
def test_piled_up_probabilities_are_not_clipped(predicted: str, before: str) -> None:
    """Rows were divided by their sums; now values above 1 are an error, which a clip would hide."""
    setup = "import numpy as np\nfrom sklearn.metrics import log_loss\n" + before
    assert_stays("sklearn-log-loss-clip", f"log_loss(y, {predicted})", setup)
    assert_stays("sklearn-log-loss-eps", f"log_loss(y, {predicted}, eps=1e-15)", setup)


@pytest.mark.parametrize("predicted", ["sum(preds) / 5", "0.3 * p + 0.7 * q", "(p + q) / 2"])
def test_averaged_probabilities_are_clipped(predicted: str) -> None:
    setup = "import numpy as np\nfrom sklearn.metrics import log_loss\n"
    after = f"log_loss(y, np.clip({predicted}, 1e-15, 1 - 1e-15))"
    assert_rewrites("sklearn-log-loss-clip", f"log_loss(y, {predicted})", after, setup)


def test_a_large_eps_is_written_out_only_for_two_classes() -> None:
    """The rows of several classes were divided by their sums after they had been clipped."""
    setup = "import numpy as np\nfrom sklearn.metrics import log_loss\n"
    assert_stays("sklearn-log-loss-eps", "log_loss(y, p, eps=0.05)", setup)
    for given in ("p[:, 1]", "m.predict_proba(X)[:, 1]"):
        after = f"log_loss(y, np.clip({given}, 0.05, 1 - 0.05))"
        assert_rewrites("sklearn-log-loss-eps", f"log_loss(y, {given}, eps=0.05)", after, setup)


SCALER = "import pandas as pd\nfrom sklearn.preprocessing import StandardScaler\n"
SCALER += "df = pd.read_csv('a')\ns = StandardScaler()\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("s.fit(df['a'])", "s.fit(df['a'].values.reshape(-1, 1))"),
        ("x = s.transform(df.a)", "x = s.transform(df.a.values.reshape(-1, 1)).ravel()"),
        (
            "x = s.transform(df['a']).reshape(-1, 1)",
            "x = s.transform(df['a'].values.reshape(-1, 1)).reshape(-1, 1)",
        ),
        ("s.fit(df[['a']])",) * 2,
        ("s.fit(df)",) * 2,
        ("s.fit(other)",) * 2,
        ("tokenizer.fit(df['a'])",) * 2,
    ],
)
def test_a_column_is_given_to_a_scaler_as_a_table(before: str, after: str) -> None:
    assert_rewrites("sklearn-one-dimension-scaler", before, after, SCALER)


def test_only_the_parameter_the_run_complained_of_becomes_whole() -> None:
    why = "The 'max_depth' parameter of DecisionTreeClassifier must be an int in the range [1, inf)"
    seen = error("b", "InvalidParameterError", f"{why} or None. Got 5.0 instead.", 1)
    setup = "from sklearn.tree import DecisionTreeClassifier as T\n"
    code = "T(max_depth=d, min_samples_leaf=.1)\nT(max_depth=5.0)\nU(max_depth=5.0)\nT(max_depth=4)"
    after = cells(setup, code, rules=("sklearn-whole-numbers",), errors=(seen,))[1]
    assert after == (
        "T(max_depth=int(d), min_samples_leaf=.1)\nT(max_depth=5)\nU(max_depth=5.0)\nT(max_depth=4)"
    )
    assert_stays("sklearn-whole-numbers", "T(max_depth=5.0)", setup)


def test_factorization_strength_is_divided_by_known_data() -> None:
    setup = "from sklearn.decomposition import NMF\n"
    assert_rewrites(
        "sklearn-nmf-alpha",
        "n = NMF(5, alpha=.1)\nW = n.fit_transform(X)",
        "n = NMF(5)\n"
        "W = n.set_params(alpha_W=.1 / X.shape[1], alpha_H=.1 / X.shape[0]).fit_transform(X)",
        setup,
    )
    assert_rewrites("sklearn-nmf-alpha", "NMF(5, alpha=0)", "NMF(5)", setup)
    assert_stays("sklearn-nmf-alpha", "n = NMF(5, alpha=.1)", setup)
    assert_stays("sklearn-nmf-alpha", "NMF(5, alpha=.1).fit(make())", setup)


def test_parameters_of_fit_go_from_the_search_to_each_fit() -> None:
    setup = "from sklearn.grid_search import GridSearchCV\n"
    assert_rewrites(
        "sklearn-search-fit-params",
        "g = GridSearchCV(m, p, fit_params={'a': 1})\ng.fit(X, y)",
        "g = GridSearchCV(m, p)\ng.fit(X, y, **{'a': 1})",
        setup,
    )
    assert_stays("sklearn-search-fit-params", "f(GridSearchCV(m, p, fit_params=q))", setup)


def test_folds_of_the_old_module_shared_one_generator() -> None:
    after = cells(
        "from sklearn.cross_validation import StratifiedKFold",
        "k = StratifiedKFold(y, n_folds=3, shuffle=True, random_state=4)",
        rules=("sklearn-cross-validation", "sklearn-old-folds", "sklearn-stratified-folds"),
    )
    assert "seed = check_random_state(self.random_state) if self.shuffle else None" in after[1]
    assert "cross_validation did until 0.19" in after[1]
