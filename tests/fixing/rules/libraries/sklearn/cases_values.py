from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LOUD: list[Case] = [
    Case(
        "sklearn-min-df-zero",
        "from sklearn.feature_extraction.text import TfidfVectorizer",
        "v = TfidfVectorizer(min_df=0).fit(['the dog barks'])",
        "len(v.vocabulary_) == 3",
    ),
    Case(
        "sklearn-ngram-range-list",
        "from sklearn.feature_extraction.text import CountVectorizer",
        "v = CountVectorizer(ngram_range=[1, 2]).fit(['the dog barks'])",
        "len(v.vocabulary_) == 5",
    ),
    Case(
        "sklearn-tfidf-norm-strings",
        "from sklearn.feature_extraction.text import TfidfVectorizer",
        "v = TfidfVectorizer(use_idf=1, smooth_idf=1, sublinear_tf=1).fit(['the dog barks'])",
        "v.sublinear_tf == 1",
    ),
    Case(
        "sklearn-whole-numbers",
        DATA + "from sklearn.tree import DecisionTreeClassifier",
        "for depth in np.linspace(1, 3, 3):\n"
        "    m = DecisionTreeClassifier(max_depth=depth).fit(X, y)",
        "m.get_depth() == 3",
    ),
    Case(
        "sklearn-whole-numbers",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "m = RandomForestClassifier(n_estimators=3, max_depth=2.0).fit(X, y)",
        "m.max_depth == 2",
    ),
    Case(
        "sklearn-min-samples-one",
        DATA + "from sklearn.tree import DecisionTreeClassifier",
        "m = DecisionTreeClassifier(min_samples_split=1).fit(X, y)",
        "m.min_samples_split == 2",
    ),
    Case(
        "sklearn-forest-arguments",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "m = RandomForestClassifier(n_estimators=3, compute_importances=True).fit(X, y)",
        "m.n_estimators == 3",
    ),
    Case(
        "sklearn-boosting-min-impurity",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "RandomForestClassifier(min_impurity_split=0.1)",
        fix=False,
    ),
    Case(
        "sklearn-imputer-rows",
        DATA,
        "from sklearn.preprocessing import Imputer\n"
        "result = Imputer(axis=1).fit_transform([[np.nan, 1.0, 3.0], [4.0, np.nan, 6.0]])",
        "result.tolist() == [[2.0, 1.0, 3.0], [4.0, 5.0, 6.0]]",
        also=("sklearn-imputer",),
    ),
    Case(
        "sklearn-function-transformer-pass-y",
        DATA + "from sklearn.preprocessing import FunctionTransformer",
        "result = FunctionTransformer(np.log1p, pass_y=False).fit_transform([[0.0]])",
        "result[0][0] == 0",
    ),
    Case(
        "sklearn-one-hot-n-values",
        "from sklearn.preprocessing import OneHotEncoder",
        "result = OneHotEncoder(n_values='auto').fit_transform([[1], [3]])",
        "result.shape == (2, 2)",
    ),
    Case(
        "sklearn-one-hot-printed",
        "from sklearn.preprocessing import OneHotEncoder",
        "result = OneHotEncoder(categorical_features=None, "
        "n_values=None).fit_transform([[1], [3]])",
        "result.shape == (2, 2)",
    ),
    Case(
        "sklearn-agglomerative-affinity",
        DATA + "from sklearn.cluster import FeatureAgglomeration",
        "m = FeatureAgglomeration(affinity='euclidean').fit(X)",
        "m.n_clusters == 2",
    ),
    Case(
        "sklearn-agglomerative-pooling",
        DATA + "from sklearn.cluster import AgglomerativeClustering",
        "m = AgglomerativeClustering(pooling_func=np.mean).fit(X)",
        "m.n_clusters == 2",
    ),
    Case(
        "sklearn-minibatch-kmeans-jobs",
        DATA + "from sklearn.cluster import k_means",
        "result = k_means(X, 2, n_init=2, n_jobs=-1)",
        "len(result) == 3",
    ),
    Case(
        "sklearn-birch-copy",
        DATA + "from sklearn.cluster import Birch",
        "m = Birch(n_clusters=2, copy=True).fit(X)",
        "m.n_clusters == 2",
    ),
    Case(
        "sklearn-nmf-alpha",
        DATA + "from sklearn.decomposition import NMF",
        "Z = abs(X)\n"
        "n = NMF(2, init='nndsvd', alpha=0.5, l1_ratio=0.3, random_state=0, "
        "tol=1e-8, max_iter=2000)\n"
        "W = n.fit_transform(Z)",
        "np.allclose(W[0], [0.5128, 0.565], atol=1e-3) and "
        "np.allclose(n.components_[0, :3], [3.1158, 0.6663, 0], atol=1e-3)",
    ),
    Case(
        "sklearn-nmf-alpha",
        DATA + "from sklearn.decomposition import NMF",
        "Z = abs(X)\n"
        "n = NMF(2, init='nndsvd', alpha=0.5, l1_ratio=0.3, random_state=0, "
        "tol=1e-8, max_iter=2000).fit(Z)",
        "np.allclose(n.components_[0, :3], [3.1158, 0.6663, 0], atol=1e-3)",
    ),
    Case(
        "sklearn-fastica-whiten",
        DATA + "from sklearn.decomposition import FastICA",
        "m = FastICA(2, whiten=True, random_state=0).fit(X)",
        "np.allclose(m.transform(X).std(0), 0.10540926)",
    ),
    Case(
        "sklearn-minibatch-dictionary-n-iter",
        DATA + "from sklearn.decomposition import MiniBatchDictionaryLearning",
        "MiniBatchDictionaryLearning(2, n_iter=5)",
        fix=False,
    ),
    Case(
        "sklearn-sparse-pca-normalize",
        DATA + "from sklearn.decomposition import SparsePCA",
        "m = SparsePCA(2, normalize_components=True, random_state=0).fit(X)",
        "m.components_.shape == (2, 6)",
    ),
    Case(
        "sklearn-qda-store-covariances",
        DATA + "from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis",
        "m = QuadraticDiscriminantAnalysis(store_covariances=True).fit(X[:, :3], y)",
        "len(m.covariance_) == 3",
    ),
    Case(
        "sklearn-manhattan-sum",
        "from sklearn.metrics.pairwise import manhattan_distances",
        "result = manhattan_distances([[0, 0]], [[1, 2]], sum_over_features=True)",
        "result[0, 0] == 3",
    ),
    Case(
        "sklearn-pairwise-batch-size",
        DATA + "from sklearn.metrics import pairwise_distances_argmin",
        "result = pairwise_distances_argmin(X, X, batch_size=10)",
        "(result == np.arange(90)).all()",
    ),
    Case(
        "sklearn-column-transformer-order",
        DATA + "from sklearn.compose import make_column_transformer\n"
        "from sklearn.preprocessing import StandardScaler",
        "result = make_column_transformer(([0], StandardScaler()), ([1], 'drop')).fit_transform(X)",
        "result.shape == (90, 1)",
    ),
    Case(
        "sklearn-one-dimension-scaler",
        DATA + "import pandas as pd\n"
        "from sklearn.preprocessing import StandardScaler\n"
        'df = pd.DataFrame(X[:, :2], columns=["a", "b"])',
        "df['a'] = StandardScaler().fit_transform(df['a'])",
        "abs(df['a'].std(ddof=0) - 1) < 1e-9",
    ),
    Case(
        "sklearn-one-dimension-scaler",
        DATA + "import pandas as pd\n"
        "from sklearn.preprocessing import MinMaxScaler\n"
        'df = pd.DataFrame(X[:, :2], columns=["a", "b"])',
        "s = MinMaxScaler()\ns.fit(df.a.values)\nresult = s.transform(df.a.values)",
        "result.shape == (90,) and result.min() == 0",
    ),
    Case(
        "sklearn-matrix",
        DATA + "from sklearn.naive_bayes import GaussianNB\n"
        "from sklearn.feature_extraction.text import CountVectorizer\n"
        'c = CountVectorizer().fit_transform(["a bb", "cc bb", "dd"])',
        "result = GaussianNB().fit(c.todense(), [0, 1, 1]).predict(c.toarray())",
        "result.tolist() == [0, 1, 1]",
    ),
    Case(
        "sklearn-mixed-column-names",
        DATA + "import pandas as pd\nfrom sklearn.linear_model import Ridge",
        "Ridge().fit(pd.DataFrame(Xr[:, :2], columns=['a', 0]), yr)",
        fix=False,
    ),
    Case(
        "sklearn-column-order",
        DATA + "import pandas as pd\n"
        "from sklearn.linear_model import Ridge\n"
        'd = pd.DataFrame(Xr, columns=list("abcd"))\n'
        "m = Ridge().fit(d, yr)",
        "m.predict(d[list('bacd')])",
        fix=False,
    ),
    Case(
        "sklearn-class-weight-classes",
        DATA + "from sklearn.utils.class_weight import compute_class_weight",
        "compute_class_weight('balanced', classes=[0, 1, 2], y=y)",
        fix=False,
    ),
    Case(
        "sklearn-cross-validate-train-score",
        DATA + "from sklearn.model_selection import cross_validate\n"
        "from sklearn.linear_model import Ridge",
        "result = cross_validate(Ridge(), Xr, yr)['train_score']",
        "(result > 0.9).all()",
    ),
    Case(
        "sklearn-search-train-score",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge",
        "g = GridSearchCV(Ridge(), {'alpha': [1]}).fit(Xr, yr)\n"
        "result = g.cv_results_['mean_train_score']",
        "result[0] > 0.9",
    ),
    Case(
        "sklearn-grid-scores",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge\n"
        "g = GridSearchCV(Ridge(), {'alpha': [1, 2]}, cv=3).fit(Xr, yr)",
        "result = [s.mean_validation_score for s in g.grid_scores_]\nprint(g.grid_scores_)",
        "len(result) == 2 and abs(max(result) - g.best_score_) < 1e-12",
    ),
]

SILENT: list[Case] = [
    Case(
        "sklearn-pin-calibration-cv",
        DATA + "from sklearn.calibration import CalibratedClassifierCV\n"
        "from sklearn.naive_bayes import GaussianNB",
        "m = CalibratedClassifierCV(GaussianNB()).fit(X, y)",
        "len(m.calibrated_classifiers_) == 3",
    ),
    Case(
        "sklearn-mixin-order",
        DATA + "from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier",
        "class Mine(BaseEstimator, ClassifierMixin):\n"
        "    def fit(self, X, y):\n"
        "        return self\n"
        "result = is_classifier(Mine())",
        "result",
    ),
]
