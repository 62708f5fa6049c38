from __future__ import annotations

from tests.fixing.rules.executed.case import Case

TABLE = (
    "import pandas as pd\n"
    "import category_encoders as ce\n"
    "d = pd.DataFrame({'a': list('xyxyz')})\n"
    "t = pd.Series([0, 1, 1, 0, 1])\n"
)

LOUD: list[Case] = [
    Case(
        "category-encoders-impute-missing",
        TABLE,
        "e = ce.OneHotEncoder(cols=['a'], impute_missing=True).fit(d)",
        "e.handle_missing == 'value'",
    ),
    Case(
        "category-encoders-impute-missing",
        TABLE,
        "e = ce.OrdinalEncoder(impute_missing=False).fit(d)",
        "e.handle_missing == 'return_nan'",
    ),
    Case(
        "category-encoders-impute",
        TABLE,
        "e = ce.OrdinalEncoder(handle_unknown='impute').fit(d)\n"
        "result = e.transform(pd.DataFrame({'a': ['q']}))",
        "len(result) == 1",
    ),
    Case(
        "category-encoders-ignore",
        TABLE,
        "e = ce.TargetEncoder(handle_unknown='ignore').fit(d, t)\nresult = e.transform(d)",
        "len(result) == 5",
    ),
    Case(
        "category-encoders-randomized",
        TABLE,
        "e = ce.LeaveOneOutEncoder(randomized=False, sigma=0.1).fit(d, t)",
        "e.sigma is None",
    ),
    Case(
        "category-encoders-randomized",
        TABLE,
        "e = ce.LeaveOneOutEncoder(randomized=True).fit(d, t)",
        "e.sigma == 0.05",
    ),
    Case(
        "bayes-opt-acquisition",
        "from bayes_opt import BayesianOptimization\n",
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n"
        "b.maximize(init_points=2, n_iter=2, acq='ei', xi=0.01)",
        "type(b.acquisition_function).__name__ == 'ExpectedImprovement' and "
        "b.acquisition_function.xi == 0.01 and len(b.res) == 4",
    ),
    Case(
        "bayes-opt-results",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n"
        "b.maximize(2, 1)\n",
        "result = b.res['max']['max_params']['a'], b.res['max']['max_val'], b.res['all']['values']",
        "result[1] == -result[0] ** 2 and len(result[2]) == 3",
    ),
    Case(
        "bayes-opt-explore",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "b.explore({'a': [0.5, -0.5]})\nb.maximize(init_points=1, n_iter=0)",
        "len(b.res) == 3",
    ),
    Case(
        "bayes-opt-utility-function",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "from bayes_opt import UtilityFunction",
        fix=False,
    ),
    Case(
        "bayes-opt-gp-arguments",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "b.maximize(init_points=2, n_iter=1, alpha=1e-3)",
        "b._gp.alpha == 1e-3",
    ),
    Case(
        "bayes-opt-events",
        "from bayes_opt import BayesianOptimization\n"
        "b = BayesianOptimization(lambda a: -a * a, {'a': (-1, 1)}, random_state=0, "
        "verbose=0)\n",
        "from bayes_opt.event import Events",
        fix=False,
    ),
    Case(
        "mlxtend-onehot-transactions",
        "",
        "from mlxtend.preprocessing import OnehotTransactions\n"
        "result = OnehotTransactions().fit_transform([['a', 'b'], ['a']])",
        "result.shape == (2, 2)",
    ),
    Case(
        "mlxtend-evaluate-plots",
        "",
        "from mlxtend.evaluate import plot_decision_regions",
    ),
    Case(
        "mlxtend-refit",
        "import numpy as np\n"
        "from mlxtend.classifier import EnsembleVoteClassifier\n"
        "from sklearn.naive_bayes import GaussianNB\n",
        "m = EnsembleVoteClassifier([GaussianNB()], refit=True).fit(np.array([[0.0], "
        "[1.0]]), np.array([0, 1]))",
        "m.fit_base_estimators is True",
    ),
    Case(
        "mlxtend-decision-regions-res",
        "import matplotlib\n"
        "matplotlib.use('Agg')\n"
        "import numpy as np\n"
        "from mlxtend.plotting import plot_decision_regions\n"
        "from sklearn.naive_bayes import GaussianNB\n"
        "X = np.random.RandomState(0).rand(20, 2)\n"
        "y = np.arange(20) % 2\n"
        "m = GaussianNB().fit(X, y)\n",
        "plot_decision_regions(X, y, clf=m, res=0.1)",
    ),
    Case(
        "mlxtend-custom-feature-names",
        "import numpy as np\n"
        "from mlxtend.feature_selection import SequentialFeatureSelector\n"
        "from sklearn.linear_model import Ridge\n"
        "X = np.random.RandomState(0).rand(30, 3)\n",
        "SequentialFeatureSelector(Ridge(), 1).fit(X, X[:, 0], "
        "custom_feature_names=['a', 'b', 'c'])",
        fix=False,
    ),
]

SILENT: list[Case] = [
    Case(
        "category-encoders-pin-target",
        TABLE,
        "result = ce.TargetEncoder().fit(d, t).transform(d)['a'].round(6).tolist()",
        "[ce.TargetEncoder(min_samples_leaf=1, smoothing=1.0).fit(d, "
        "t).transform(d)['a'].round(6).tolist()] == [result]",
    ),
]
