from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LOUD: list[Case] = [
    Case(
        "sklearn-positional-cross-validation",
        DATA + "from sklearn.model_selection import cross_val_score\n"
        "from sklearn.tree import DecisionTreeClassifier\n",
        "result = cross_val_score(DecisionTreeClassifier(), X, y, None, 'accuracy', 4)",
        "result.shape == (4,)",
    ),
    Case(
        "sklearn-positional-neighbors",
        "from sklearn.neighbors import KNeighborsClassifier",
        "KNeighborsClassifier(3, 'uniform')",
    ),
    Case(
        "sklearn-positional-ensemble",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "result = RandomForestClassifier(3, 'entropy', 4).fit(X, y)",
        "result.criterion == 'entropy' and result.max_depth == 4",
    ),
    Case(
        "sklearn-positional-ensemble",
        DATA + "from sklearn.ensemble import GradientBoostingRegressor",
        "result = GradientBoostingRegressor('squared_error', 0.2, 5).fit(Xr, yr)",
        "result.learning_rate == 0.2 and result.n_estimators == 5",
    ),
    Case(
        "sklearn-positional-linear-model",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "result = LogisticRegression('l2', False, 1e-4, 0.5).fit(X, y)",
        "result.C == 0.5",
    ),
    Case(
        "sklearn-positional-linear-model",
        DATA + "from sklearn.linear_model import ElasticNet",
        "result = ElasticNet(0.1, 0.3).fit(Xr, yr)",
        "result.l1_ratio == 0.3",
    ),
    Case(
        "sklearn-positional-svm",
        DATA + "from sklearn.svm import SVC",
        "result = SVC(2.0, 'linear').fit(X, y)",
        "result.kernel == 'linear' and result.C == 2",
    ),
    Case(
        "sklearn-positional-tree",
        DATA + "from sklearn.tree import DecisionTreeClassifier",
        "result = DecisionTreeClassifier('entropy', 'best', 3).fit(X, y)",
        "result.max_depth == 3",
    ),
    Case(
        "sklearn-positional-neighbors",
        DATA + "from sklearn.neighbors import KNeighborsRegressor",
        "result = KNeighborsRegressor(3, 'distance').fit(Xr, yr)",
        "result.weights == 'distance'",
    ),
    Case(
        "sklearn-positional-cluster",
        DATA + "from sklearn.cluster import DBSCAN",
        "result = DBSCAN(0.5, 3).fit(X)",
        "result.min_samples == 3",
    ),
    Case(
        "sklearn-positional-decomposition",
        DATA + "from sklearn.decomposition import PCA",
        "result = PCA(2, True, True).fit(X)",
        "result.whiten",
    ),
    Case(
        "sklearn-positional-manifold",
        DATA + "from sklearn.manifold import Isomap",
        "result = Isomap(5, 3).fit_transform(X)",
        "result.shape == (90, 3)",
    ),
    Case(
        "sklearn-positional-preprocessing",
        DATA + "from sklearn.preprocessing import PolynomialFeatures",
        "result = PolynomialFeatures(2, True).fit_transform(X)",
        "result.shape == (90, 22)",
    ),
    Case(
        "sklearn-positional-preprocessing",
        DATA + "from sklearn.preprocessing import label_binarize",
        "result = label_binarize(y, [0, 1, 2])",
        "result.shape == (90, 3)",
    ),
    Case(
        "sklearn-positional-text",
        "from sklearn.feature_extraction.text import TfidfVectorizer\ntexts = ['a b', 'b c']\n",
        "v = TfidfVectorizer(texts, token_pattern='.')\nresult = v.fit_transform(texts).shape",
        "result[0] == 2",
    ),
    Case(
        "sklearn-positional-text",
        "from sklearn.feature_extraction.text import TfidfTransformer",
        "result = TfidfTransformer('l1', False)",
        "result.norm == 'l1' and result.use_idf is False",
    ),
    Case(
        "sklearn-positional-selection",
        DATA + "from sklearn.feature_selection import SelectKBest, f_classif",
        "result = SelectKBest(f_classif, 3).fit_transform(X, y)",
        "result.shape == (90, 3)",
    ),
    Case(
        "sklearn-positional-search",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge",
        "result = GridSearchCV(Ridge(), {'alpha': [1]}, 'r2').fit(Xr, yr)",
        "result.scoring == 'r2'",
    ),
    Case(
        "sklearn-positional-metrics",
        DATA + "from sklearn.metrics import confusion_matrix",
        "result = confusion_matrix(y, y, [2, 1])",
        "result.shape == (2, 2)",
    ),
    Case(
        "sklearn-positional-metrics",
        DATA + "from sklearn.metrics import fbeta_score",
        "result = fbeta_score([0, 1, 1], [0, 1, 0], 0.5)",
        "abs(result - 5 / 6) < 1e-9",
    ),
    Case(
        "sklearn-positional-probabilistic",
        DATA + "from sklearn.naive_bayes import MultinomialNB",
        "result = MultinomialNB(0.1).fit(abs(X), y)",
        "result.alpha == 0.1",
    ),
    Case(
        "sklearn-positional-compound",
        DATA + "from sklearn.multiclass import OneVsRestClassifier\n"
        "from sklearn.svm import LinearSVC",
        "result = OneVsRestClassifier(LinearSVC(), -1)",
        "result.n_jobs == -1",
    ),
    Case(
        "sklearn-positional-datasets",
        "from sklearn.datasets import make_blobs",
        "result = make_blobs(30, 2, 3)",
        "result[0].shape == (30, 2)",
    ),
]

SILENT: list[Case] = []
