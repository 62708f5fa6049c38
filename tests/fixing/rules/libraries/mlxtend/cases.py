from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
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
        "mlxtend-evaluate-plots",
        "",
        "from mlxtend.feature_selection import plot_sequential_feature_selection as plot",
        "callable(plot)",
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
        "mlxtend-refit",
        "import numpy as np\n"
        "from mlxtend.classifier import StackingClassifier\n"
        "from sklearn.naive_bayes import GaussianNB\n",
        "m = StackingClassifier([GaussianNB()], GaussianNB(), refit=False).fit("
        "np.array([[0.0], [1.0]]), np.array([0, 1]))",
        "m.use_clones is False and m.predict(np.array([[1.0]])) == [1]",
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
        "result = plot_decision_regions(X, y, clf=m, res=0.1)",
        "len(result.collections) > 0",
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

SILENT: list[Case] = []
