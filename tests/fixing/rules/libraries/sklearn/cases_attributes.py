from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LOUD: list[Case] = [
    *(
        Case(
            "sklearn-select-by-model",
            "from sklearn.datasets import load_iris\n"
            "from sklearn.tree import DecisionTreeClassifier\n"
            "X, y = load_iris(return_X_y=True)\nm = DecisionTreeClassifier(random_state=0)\n"
            "m.fit(X, y)\n",
            f"result = {code}",
            "len(result) == 150 and 0 < result.shape[1] < 4",
        )
        for code in ("m.fit_transform(X, y)", "m.transform(X)", "m.transform(X, threshold=0.1)")
    ),
    Case(
        "sklearn-select-by-model",
        "from sklearn.datasets import load_iris\n"
        "from sklearn.tree import DecisionTreeClassifier\n"
        "X, y = load_iris(return_X_y=True)\nm = DecisionTreeClassifier(random_state=0).fit(X, y)\n",
        "first = m.transform(X, threshold='mean').shape\nresult = m.transform(X).shape",
        "result == first",  # all lines at once
    ),
    Case(
        "sklearn-ridge-cv-values",
        DATA + "from inspect import signature\nfrom sklearn.linear_model import RidgeCV\n"
        "kept = [name for name in signature(RidgeCV).parameters if name.startswith('store')]\n"
        "m = RidgeCV([1, 2], **{kept[0]: True}).fit(Xr, yr)",
        "result = m.cv_values_",
        "result.shape == (60, 2)",
    ),
    Case(
        "sklearn-scaler-std",
        DATA + "from sklearn.preprocessing import StandardScaler",
        "s = StandardScaler().fit(X)\nresult = X / s.std_",
        "np.allclose(result.std(axis=0), 1)",
    ),
    Case(
        "sklearn-scaler-data-range",
        DATA + "from sklearn.preprocessing import MinMaxScaler",
        "s = MinMaxScaler().fit(X)\nresult = (X - s.data_min) / s.data_range",
        "np.allclose(result, s.transform(X))",
    ),
    Case(
        "sklearn-n-features",
        DATA + "from sklearn.ensemble import RandomForestClassifier\n"
        "m = RandomForestClassifier(n_estimators=2).fit(X, y)",
        "result = m.n_features_",
        "result == 6",
    ),
    Case(
        "sklearn-pca-n-features",
        DATA + "from sklearn.decomposition import PCA\nm = PCA(2).fit(X)",
        "result = m.n_features_",
        "result == 6",
        without={"kaggle": "1.2 removed that of PolynomialFeatures, and only warns here"},
    ),
    Case(
        "sklearn-base-estimator-attribute",
        DATA + "from sklearn.ensemble import BaggingClassifier\n"
        "m = BaggingClassifier(n_estimators=2).fit(X, y)",
        "result = m.base_estimator_",
        "'Tree' in type(result).__name__",
    ),
    Case(
        "sklearn-naive-bayes-coef",
        DATA + "from sklearn.naive_bayes import MultinomialNB\n"
        "m = MultinomialNB().fit(abs(X), y % 2)",
        "result = m.coef_[0, :3], m.intercept_",
        "np.allclose(result[0], [-1.81192, -2.2073, -1.51355], atol=1e-4) and "
        "np.allclose(result[1], [-1.09861], atol=1e-4)",
    ),
    Case(
        "sklearn-rfecv-grid-scores",
        DATA + "from sklearn.feature_selection import RFECV\n"
        "from sklearn.linear_model import Ridge\n"
        "m = RFECV(Ridge()).fit(Xr, yr)",
        "result = m.grid_scores_",
        "len(result) == 4 and result.max() > 0.9",
    ),
    Case(
        "sklearn-kernel-pca-lambdas",
        DATA + "from sklearn.decomposition import KernelPCA\nm = KernelPCA(2).fit(X)",
        "result = m.lambdas_, m.alphas_",
        "result[0].shape == (2,) and result[1].shape == (90, 2)",
    ),
    Case(
        "sklearn-one-vs-rest-coef",
        DATA + "from sklearn.multiclass import OneVsRestClassifier\n"
        "from sklearn.linear_model import LogisticRegression\n"
        "m = OneVsRestClassifier(LogisticRegression(solver='liblinear')).fit(X, y)",
        "result = m.coef_",
        fix=False,
    ),
    Case(
        "sklearn-lars-mse-path",
        DATA + "from sklearn.linear_model import LarsCV\nm = LarsCV(cv=3).fit(Xr, yr)",
        "result = m.cv_mse_path_",
        "result.shape[1] == 3",
    ),
    Case(
        "sklearn-tsne-n-iter-final",
        DATA + "from sklearn.manifold import TSNE\n"
        "m = TSNE(perplexity=5, init='random').fit(X[:20])",
        "result = m.n_iter_final",
        "result > 0",
    ),
    Case(
        "sklearn-isomap-training-data",
        DATA + "from sklearn.manifold import Isomap\nm = Isomap().fit(X)",
        "m.training_data_",
        fix=False,
    ),
    Case(
        "sklearn-outlier-threshold",
        DATA + "from sklearn.ensemble import IsolationForest\n"
        "m = IsolationForest(n_estimators=2).fit(X)",
        "m.threshold_",
        fix=False,
    ),
    Case(
        "sklearn-vectorizer-stop-words",
        "from sklearn.feature_extraction.text import CountVectorizer\n"
        "m = CountVectorizer().fit(['a bb'])",
        "m.stop_words_",
        fix=False,
    ),
    Case(
        "sklearn-one-hot-attributes",
        "from sklearn.preprocessing import OneHotEncoder\nm = OneHotEncoder().fit([[1], [2]])",
        "m.active_features_",
        fix=False,
    ),
    Case(
        "sklearn-boosting-loss-attribute",
        DATA + "from sklearn.ensemble import GradientBoostingRegressor\n"
        "m = GradientBoostingRegressor(n_estimators=2).fit(Xr, yr)",
        "m.loss_",
        fix=False,
    ),
    Case(
        "sklearn-boosting-loss-attribute",
        DATA + "from sklearn.ensemble import GradientBoostingRegressor\n"
        "p = {'n_estimators': 3, 'random_state': 0}\n"
        "m = GradientBoostingRegressor(**p)\n"
        "m.fit(Xr, yr)",
        "e = np.zeros(3)\n"
        "for i, predicted in enumerate(m.staged_predict(Xr)):\n"
        "    e[i] = m.loss_(yr, predicted)",
        "np.allclose(e, m.train_score_)",
    ),
    Case(
        "sklearn-sgd-loss-function",
        DATA + "from sklearn.linear_model import SGDClassifier\nm = SGDClassifier().fit(X, y)",
        "m.loss_function_",
        fix=False,
    ),
    Case(
        "sklearn-feature-union-names",
        DATA + "from sklearn.pipeline import FeatureUnion\n"
        "from sklearn.decomposition import PCA\n"
        "m = FeatureUnion([('p', PCA(2))]).fit(X)",
        "m.get_feature_names()",
        fix=False,
    ),
    Case(
        "sklearn-pls-means",
        DATA + "from sklearn.cross_decomposition import PLSRegression\n"
        "m = PLSRegression().fit(Xr, yr)",
        "result = m.x_mean_",
        "result.shape == (4,)",
    ),
    Case(
        "sklearn-inverse-transform-argument",
        DATA + "from sklearn.decomposition import NMF\nm = NMF(2, init='random').fit(abs(X))",
        "result = m.inverse_transform(W=np.ones((1, 2)))",
        "result.shape == (1, 6)",
        differs="without a seed",
    ),
    Case(
        "sklearn-decision-raw-values",
        DATA + "from sklearn.covariance import EllipticEnvelope\n"
        "m = EllipticEnvelope(random_state=0).fit(X)",
        "result = m.decision_function(X, raw_values=False)",
        "abs(result - ((-m.offset_) ** 0.33 - m.mahalanobis(X) ** 0.33)).max() < 1e-9",
    ),
    Case(
        "sklearn-transform-copy",
        "from sklearn.feature_extraction.text import TfidfVectorizer\n"
        "m = TfidfVectorizer().fit(['aa bb'])",
        "result = m.transform(['aa'], copy=False)",
        "result.shape == (1, 2)",
    ),
    Case(
        "sklearn-predict-one-row",
        DATA + "from sklearn.linear_model import Ridge\nm = Ridge().fit(Xr, yr)",
        "result = m.predict(Xr[0])",
        "result.shape == (1,) and abs(result[0] - m.predict(Xr)[0]) < 1e-9",
    ),
    Case(
        "sklearn-predict-one-row",
        DATA + "from sklearn.linear_model import Ridge\nm = Ridge().fit(Xr, yr)",
        "result = m.predict(Xr[:1].ravel())",
        "result.shape == (1,) and abs(result[0] - m.predict(Xr)[0]) < 1e-9",
    ),
]

SILENT: list[Case] = []
