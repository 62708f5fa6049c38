from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, PLOTS, Case

LOUD: list[Case] = [
    *(
        Case(
            "sklearn-rounded-scores",
            "from sklearn.linear_model import LinearRegression\n"
            "from sklearn.metrics import accuracy_score, r2_score\n"
            "X, y = [[1], [2], [3]], [1, 2, 4]\nm = LinearRegression().fit(X, y)\n"
            "r = r2_score(y, m.predict(X))\n",
            f"result = {code}",
            f"result == {number}",
        )
        for code, number in (
            ("r2_score(y, m.predict(X)).round(2)", "0.96"),
            ("r.round(decimals=3)", "0.964"),
            ("m.score(X, y).round(1)", "1.0"),
            ("accuracy_score([1, 2, 3], [1, 2, 2]).round()", "1.0"),
        )
    ),
    Case(
        "sklearn-renamed-arguments",
        "from sklearn.cluster import AgglomerativeClustering",
        "m = AgglomerativeClustering(affinity='euclidean')",
        "m.fit_predict([[0.], [1.], [9.]]).shape == (3,)",
    ),
    Case(
        "sklearn-class-weight-auto",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "m = RandomForestClassifier(class_weight='auto', n_estimators=2).fit(X, y)",
        "m.predict(X).shape == (90,)",
    ),
    Case(
        "sklearn-class-weight-scale",
        DATA + "from sklearn.svm import SVC",
        "m = SVC(class_weight='auto').fit(X, y)",
        "m.predict(X).shape == (90,)",
    ),
    Case(
        "sklearn-naive-bayes-sigma",
        DATA + "from sklearn.naive_bayes import GaussianNB\nnb = GaussianNB().fit(X, y)",
        "result = nb.sigma_",
        "result.shape == (3, 6)",
    ),
    Case(
        "sklearn-cross-validation",
        DATA,
        "from sklearn.cross_validation import train_test_split, KFold",
    ),
    Case(
        "sklearn-cross-validation",
        DATA,
        "from sklearn import cross_validation, svm",
        "cross_validation.KFold",
    ),
    Case(
        "sklearn-cross-validation",
        DATA,
        "from sklearn.grid_search import GridSearchCV, RandomizedSearchCV",
        "GridSearchCV and RandomizedSearchCV",
    ),
    Case(
        "sklearn-cross-validation",
        DATA + "from sklearn.linear_model import Ridge\n",
        "from sklearn.learning_curve import learning_curve\n"
        "sizes, _, _ = learning_curve(Ridge(), Xr, yr, [20, 40], cv=3)",
        "sizes.tolist() == [20, 40]",
    ),
    Case("sklearn-joblib", DATA, "from sklearn.externals import joblib", "joblib.dump"),
    Case("sklearn-six", DATA, "from sklearn.externals.six import StringIO", "StringIO()"),
    Case(
        "sklearn-imputer",
        DATA,
        "from sklearn.preprocessing import Imputer, StandardScaler\n"
        "i = Imputer(missing_values='NaN', strategy='mean', axis=0)\n"
        "result = i.fit_transform([[np.nan], [2.]])",
        "result[0, 0] == 2",
    ),
    Case(
        "sklearn-one-hot-sparse",
        "from sklearn.preprocessing import OneHotEncoder",
        "result = OneHotEncoder(sparse=False).fit_transform([['a'], ['b']])",
        "result.shape == (2, 2)",
    ),
    Case(
        "sklearn-one-hot-columns",
        DATA + "from sklearn.preprocessing import OneHotEncoder",
        "e = OneHotEncoder(categorical_features=[1])\n"
        "result = e.fit_transform(np.array([[5., 0.], [6., 1.]])).toarray()",
        "result.tolist() == [[1, 0, 5], [0, 1, 6]]",
    ),
    Case(
        "sklearn-jaccard",
        DATA,
        "from sklearn.metrics import jaccard_similarity_score\n"
        "result = jaccard_similarity_score([0, 1, 2, 2], [0, 1, 1, 2])",
        "result == 0.75",
    ),
    Case(
        "sklearn-plot-functions",
        PLOTS + DATA + "from sklearn.tree import DecisionTreeClassifier as T\n",
        "from sklearn.metrics import accuracy_score, plot_confusion_matrix\n"
        "plot_confusion_matrix(T().fit(X, y), X, y, cmap='Blues')",
    ),
    Case(
        "sklearn-roc-curve-line",
        PLOTS + DATA + "from sklearn.tree import DecisionTreeClassifier as T\n"
        "from sklearn.metrics import RocCurveDisplay\nm = T(max_depth=1).fit(X, y > 1)\n",
        "d = RocCurveDisplay.from_estimator(m, X, y > 1, alpha=0.3, lw=3, name='tree')",
        "d.line_.get_alpha() == 0.3 and d.line_.get_linewidth() == 3",
    ),
    Case(
        "sklearn-plot-functions",
        PLOTS + DATA + "from sklearn.tree import DecisionTreeClassifier as T\n"
        "m = T(max_depth=1).fit(X, y > 1)\n",
        "from sklearn.metrics import plot_roc_curve\n"
        "d = plot_roc_curve(m, X, y > 1, alpha=0.3, name='tree')",
        "d.line_.get_alpha() == 0.3",
        also=("sklearn-roc-curve-line",),
    ),
    Case(
        "sklearn-private-modules",
        DATA,
        "from sklearn.ensemble.forest import RandomForestClassifier",
    ),
    Case(
        "sklearn-max-features-auto-classifier",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "result = RandomForestClassifier(max_features='auto', n_estimators=3).fit(X, y)",
        "result.estimators_[0].max_features_ == 2",
    ),
    Case(
        "sklearn-max-features-auto-regressor",
        DATA + "from sklearn.ensemble import RandomForestRegressor as R",
        "result = R(max_features='auto', n_estimators=3).fit(Xr, yr)",
        "result.estimators_[0].max_features_ == 4",
    ),
    Case(
        "sklearn-max-features-auto-classifier",
        DATA + "from sklearn.ensemble import RandomForestClassifier\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "rf = RandomForestClassifier(n_estimators=2)",
        "g = GridSearchCV(rf, {'max_features': ['auto']}, cv=2).fit(X, y)",
        "g.best_estimator_.estimators_[0].max_features_ == 2",
    ),
    Case(
        "sklearn-search-grid-values",
        DATA + "from sklearn.ensemble import RandomForestRegressor\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "def forest():\n    return RandomForestRegressor(n_estimators=2)",
        "g = GridSearchCV(forest(), {'criterion': ['mse']}, cv=2).fit(Xr, yr)",
        "g.best_estimator_.predict(Xr).shape == (60,)",
    ),
    Case(
        "sklearn-criterion-names",
        DATA + "from sklearn.ensemble import RandomForestRegressor",
        "m = RandomForestRegressor().set_params(criterion='mse', n_estimators=2).fit(Xr, yr)",
        "m.predict(Xr).shape == (60,)",
    ),
    Case(
        "sklearn-penalty-none",
        DATA + "from sklearn.linear_model import LogisticRegression\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "pairs = {'log': {'model': LogisticRegression(), 'grid': {'penalty': ['none']}}}",
        "g = [GridSearchCV(one['model'], one['grid'], cv=2).fit(X, y) for one in pairs.values()]",
        "np.abs(g[0].best_estimator_.coef_).max() > 0",
    ),
    Case(
        "sklearn-criterion-names",
        DATA + "from sklearn.ensemble import RandomForestRegressor",
        "m = RandomForestRegressor(criterion='mse', n_estimators=2).fit(Xr, yr)",
        "m.predict(Xr).shape == (60,)",
    ),
    Case(
        "sklearn-loss-log",
        DATA + "from sklearn.ensemble import GradientBoostingClassifier",
        "m = GradientBoostingClassifier(loss='deviance', n_estimators=2).fit(X, y)",
        "m.predict_proba(X).shape == (90, 3)",
    ),
    Case(
        "sklearn-loss-names",
        DATA + "from sklearn.ensemble import GradientBoostingRegressor",
        "m = GradientBoostingRegressor(loss='ls', n_estimators=2).fit(Xr, yr)",
        "m.predict(Xr).shape == (60,)",
    ),
    Case(
        "sklearn-unused-arguments",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "m = RandomForestClassifier(min_impurity_split=None, n_estimators=2).fit(X, y)",
        "m.predict(X).shape == (90,)",
    ),
    Case(
        "sklearn-base-estimator",
        DATA + "from sklearn.ensemble import AdaBoostClassifier\n"
        "from sklearn.tree import DecisionTreeClassifier",
        "m = AdaBoostClassifier(base_estimator=DecisionTreeClassifier(max_depth=1))",
        "m.fit([[0], [1]] * 5, [0, 1] * 5).score([[0], [1]], [0, 1]) == 1",
    ),
    Case(
        "sklearn-adaboost-algorithm",
        DATA + "from sklearn.ensemble import AdaBoostClassifier",
        "m = AdaBoostClassifier(n_estimators=5, algorithm='SAMME').fit(X, y)",
        "m.predict(X).shape == (90,)",
    ),
    Case(
        "sklearn-multi-class",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "LogisticRegression(multi_class='multinomial', solver='lbfgs').fit(X, y)",
    ),
    Case(
        "sklearn-multi-class",
        DATA + "from sklearn.linear_model import LogisticRegression\n"
        "from sklearn.metrics import make_scorer, roc_auc_score\n"
        "scorer = make_scorer(roc_auc_score)",
        "m = LogisticRegression(multi_class='multinomial', C=0.1).fit(X, y % 2)",
        "np.allclose(m.predict_proba(X), LogisticRegression(C=0.2, tol=1e-8, max_iter=999)"
        ".fit(X, y % 2).predict_proba(X), atol=1e-3)",
    ),
    Case(
        "sklearn-multi-class",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(multi_class='ovr').fit(X, y)",
        "m.predict_proba(X).shape == (90, 3)",
    ),
    Case(
        "sklearn-multi-class",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(multi_class='ovr').fit(X, y)\nw, b = m.coef_, m.intercept_",
        "w.shape == (3, 6) and b.shape == (3,) "
        "and ((X @ w.T + b).argmax(axis=1) == m.predict(X)).all()",
    ),
    Case(
        "sklearn-liblinear-multiclass",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(solver='liblinear').fit(X, y)",
        "m.predict_proba(X).shape == (90, 3)",
    ),
    Case(
        "sklearn-liblinear-multiclass",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(solver='liblinear').fit(X, y)\nw, b = m.coef_, m.intercept_",
        "w.shape == (3, 6) and b.shape == (3,) "
        "and ((X @ w.T + b).argmax(axis=1) == m.predict(X)).all()",
    ),
    Case(
        "sklearn-logistic-l1",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(penalty='l1', C=0.5).fit(X, y % 2)",
        "m.solver == 'liblinear'",
    ),
    Case(
        "sklearn-penalty-none",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(penalty='none').fit(X, y)",
        "m.coef_.shape == (3, 6)",
    ),
    Case(
        "sklearn-too-many-feature-names",
        "import numpy as np\nfrom sklearn.preprocessing import PolynomialFeatures\n"
        "names = ['a', 'b', 'c']\np = PolynomialFeatures(1).fit(np.ones((3, 2)))\n",
        "result = list(p.get_feature_names_out(names))",
        "result == ['1', 'a', 'b']",
    ),
    Case(
        "sklearn-get-feature-names",
        "import pandas as pd\nfrom sklearn.preprocessing import OneHotEncoder, PolynomialFeatures\n"
        "d = pd.DataFrame({'eye': ['b', 'a'], 'sex': ['m', 'f']})\n"
        "n = pd.DataFrame({'u': [1, 2], 'v': [3, 4]})\n",
        "e = OneHotEncoder().fit(d)\np = PolynomialFeatures().fit(n)\n"
        "result = e.get_feature_names().tolist(), p.get_feature_names()",
        "result == (['x0_a', 'x0_b', 'x1_f', 'x1_m'], ['1', 'x0', 'x1', 'x0^2', 'x0 x1', 'x1^2'])",
    ),
    Case(
        "sklearn-get-feature-names",
        "from sklearn.feature_extraction.text import CountVectorizer\n"
        "v = CountVectorizer().fit(['aa bb'])",
        "result = v.get_feature_names()",
        "list(result) == ['aa', 'bb']",
    ),
    Case(
        "sklearn-get-feature-names",
        "from sklearn.feature_extraction.text import CountVectorizer\n"
        "v = CountVectorizer().fit(['aa bb'])",
        "names = v.get_feature_names()\nresult = names + ['length']\nplace = names.index('bb')",
        "result == ['aa', 'bb', 'length'] and place == 1",
        line=1,
    ),
    Case(
        "sklearn-penalty-case",
        DATA + "from sklearn.linear_model import LogisticRegression\n",
        "result = LogisticRegression(penalty='L2', max_iter=1000).fit(X, y).predict(X)",
        "len(result) == 90",
    ),
    Case(
        "sklearn-cross-validation",
        "",
        "from sklearn.grid_search import IterGrid\nresult = list(IterGrid({'a': [1, 2]}))",
        "result == [{'a': 1}, {'a': 2}]",
        line=1,
    ),
    Case(
        "sklearn-scorer-names",
        DATA + "from sklearn.model_selection import cross_val_score\n"
        "from sklearn.linear_model import Ridge",
        "result = cross_val_score(Ridge(), Xr, yr, scoring='mean_squared_error')",
        "(result <= 0).all()",
    ),
    Case(
        "sklearn-squared-false",
        "from sklearn.metrics import mean_squared_error",
        "result = 2 * mean_squared_error([0, 0], [3, 3], squared=False)",
        "result == 6",
    ),
    Case(
        "sklearn-squared-false",
        "from sklearn.metrics import mean_squared_error",
        "result = mean_squared_error([[0, 0], [0, 0]], [[3, 5], [3, 5]], squared=False)",
        "result == 4",
    ),
    Case(
        "sklearn-old-folds",
        DATA + "from sklearn.model_selection import KFold",
        "kf = KFold(len(X), n_folds=3, shuffle=True, random_state=0)\n"
        "result = [len(test) for train, test in kf]",
        "result == [30, 30, 30]",
    ),
    Case(
        "sklearn-old-folds",
        DATA + "from sklearn.model_selection import StratifiedKFold",
        "result = 0\nfor i, (a, b) in enumerate(StratifiedKFold(y, 3)):\n    result += len(b)",
        "result == 90",
        line=2,
    ),
    Case(
        "sklearn-folds-random-state",
        "from sklearn.model_selection import KFold",
        "k = KFold(n_splits=3, random_state=1)",
        "len(list(k.split(range(6)))) == 3",
    ),
    Case(
        "sklearn-folds-positional",
        "from sklearn.model_selection import KFold",
        "result = KFold(3, True, 1)",
        "result.random_state == 1",
    ),
    Case(
        "sklearn-kmeans-arguments",
        "from sklearn.cluster import KMeans",
        "m = KMeans(2, n_jobs=-1)",
        "len(set(m.fit([[0.], [9.]]).labels_)) == 2",
    ),
    Case(
        "sklearn-tsne-n-iter",
        "from sklearn.manifold import TSNE",
        "result = TSNE(n_iter=300)",
        "result.get_params().get('max_iter', result.get_params().get('n_iter')) == 300",
    ),
    Case(
        "sklearn-lda-n-topics",
        "from sklearn.decomposition import LatentDirichletAllocation",
        "m = LatentDirichletAllocation(n_topics=2)",
        "m.fit([[1, 2], [3, 0]]).components_.shape == (2, 2)",
    ),
    Case(
        "sklearn-class-weight-positional",
        DATA + "from sklearn.utils.class_weight import compute_class_weight",
        "result = compute_class_weight('balanced', np.unique(y), y)",
        "len(result) == 3",
    ),
    Case(
        "sklearn-private-modules",
        DATA,
        "from sklearn.linear_model.coordinate_descent import Lasso\n"
        "from sklearn.neighbors.nearest_centroid import NearestCentroid\n"
        "from sklearn.manifold.t_sne import TSNE",
    ),
    Case(
        "sklearn-private-modules",
        DATA,
        "from sklearn.ensemble.forest import ForestRegressor, RandomForestRegressor\n"
        "result = issubclass(RandomForestRegressor, ForestRegressor)",
        "result",
    ),
    Case(
        "sklearn-private-modules",
        DATA,
        "from sklearn.manifold.t_sne import TSNE, _joint_probabilities, _kl_divergence\n"
        "from sklearn.metrics.scorer import accuracy_scorer, make_scorer\n"
        "from sklearn.metrics.cluster.supervised import contingency_matrix\n"
        "from sklearn.linear_model.base import LinearClassifierMixin, LinearRegression\n"
        "from sklearn.preprocessing.data import _handle_zeros_in_scale\n"
        "result = contingency_matrix([0, 1, 1], [0, 0, 1])",
        "result.tolist() == [[1, 0], [1, 1]]",
    ),
    Case(
        "sklearn-grid-scores",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge\n"
        "g = GridSearchCV(Ridge(), {'alpha': [1, 2]}, cv=3).fit(Xr, yr)",
        "result = [s.mean_validation_score for s in g.grid_scores_]\nprint(g.grid_scores_)",
        "len(result) == 2 and abs(max(result) - g.best_score_) < 1e-12",
    ),
    Case(
        "sklearn-grid-scores",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge\n"
        "g = GridSearchCV(Ridge(), {'alpha': [1]}, cv=3).fit(Xr, yr)",
        "shown = repr(g.grid_scores_)\nresult = g.grid_scores_[0].cv_validation_scores.std()",
        "shown.startswith('[mean: 0.9') and \"std: %.5f, params: {'alpha': 1}]\" % result in shown",
    ),
]

SILENT: list[Case] = [
    Case(
        "sklearn-pin-forest-size",
        "from sklearn.ensemble import RandomForestClassifier",
        "result = RandomForestClassifier().n_estimators",
        "result == 10",
    ),
    Case(
        "sklearn-pin-svm-gamma",
        "from sklearn.svm import SVC",
        "result = SVC().gamma",
        "result == 'auto'",
    ),
    Case(
        "sklearn-pin-logistic-solver",
        "from sklearn.datasets import load_iris\nX, y = load_iris(return_X_y=True)\n"
        "from sklearn.linear_model import LogisticRegression\n",
        "m = LogisticRegression(C=0.3)\nm.fit(X, y)\nresult = m.predict_proba(X)[:, 1].sum()",
        "abs(result - 52.439367) < 1e-4",
    ),
    Case(
        "sklearn-pin-logistic-solver",
        "from sklearn.linear_model import LogisticRegression\n"
        "from sklearn.metrics import make_scorer, roc_auc_score\n"
        "scorer = make_scorer(roc_auc_score)",
        "result = LogisticRegression().solver",
        "result == 'liblinear'",
    ),
    Case(
        "sklearn-pin-cv",
        DATA + "from sklearn.model_selection import cross_val_score\n"
        "from sklearn.linear_model import Ridge",
        "result = len(cross_val_score(Ridge(), Xr, yr))",
        "result == 3",
    ),
    Case(
        "sklearn-pin-contamination",
        DATA + "from sklearn.ensemble import IsolationForest",
        "result = (IsolationForest(random_state=0).fit_predict(X) == -1).mean()",
        "abs(result - 0.1) < 1e-9",
    ),
    Case(
        "sklearn-pin-kmeans-n-init",
        "from sklearn.cluster import KMeans",
        "result = KMeans().n_init",
        "result in (10, 'warn')",
        differs="the older version writes the default down in fit",
    ),
    Case(
        "sklearn-pin-tsne",
        "from sklearn.manifold import TSNE",
        "result = TSNE().init",
        "result == 'random'",
    ),
    Case(
        "sklearn-pin-lda-method",
        "from sklearn.decomposition import LatentDirichletAllocation",
        "result = LatentDirichletAllocation().learning_method",
        "result == 'online'",
    ),
]
