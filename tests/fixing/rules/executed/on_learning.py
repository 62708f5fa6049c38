"""Models, scores and searches of scikit-learn that are asked for in old ways."""

from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LDA = DATA + "from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as LDA\n"

LOUD: list[Case] = [
    Case(
        "sklearn-lda-components",
        LDA,
        "lda = LDA(n_components=3)\nresult = lda.fit_transform(X, y)",
        "result.shape == (90, 2)",
    ),
    Case("sklearn-lda-components", LDA, "m = LDA(n_components=5).fit(X, y)"),
    Case(
        "sklearn-positional-cross-validation",
        DATA + "from sklearn.model_selection import cross_val_score\n"
        "from sklearn.tree import DecisionTreeClassifier\n",
        "result = cross_val_score(DecisionTreeClassifier(), X, y, None, 'accuracy', 4)",
        "result.shape == (4,)",
    ),
    Case(
        "sklearn-sgd-penalty-none",
        DATA + "from sklearn.linear_model import SGDClassifier\n",
        "m = SGDClassifier(penalty='none').fit(X, y)",
        "m.penalty is None",
    ),
    Case(
        "sklearn-grid-base-estimator",
        DATA + "from sklearn.ensemble import AdaBoostClassifier\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.tree import DecisionTreeClassifier\n"
        "ada = AdaBoostClassifier(DecisionTreeClassifier(), random_state=1)\n",
        "grid = {'base_estimator__max_depth': [1, 2], 'n_estimators': [2]}\n"
        "g = GridSearchCV(ada, param_grid=grid, cv=2).fit(X, y)",
        "g.best_estimator_.estimators_[0].max_depth in (1, 2)",
    ),
    Case(
        "sklearn-grid-normalize",
        DATA + "from sklearn.linear_model import LinearRegression\n"
        "from sklearn.model_selection import GridSearchCV\n",
        "grid = {'fit_intercept': [True], 'normalize': [True, False]}\n"
        "g = GridSearchCV(LinearRegression(), grid).fit(Xr, yr)",
        "g.best_params_ == {'fit_intercept': True}",
    ),
    Case(
        "sklearn-whole-numbers",
        DATA + "from sklearn.linear_model import Lasso\nclass Mine(Lasso):\n    pass\n",
        "m = Mine(max_iter=1e4).fit(Xr, yr)",
        "m.max_iter == 10000",
    ),
]
SILENT: list[Case] = []
