from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LOUD: list[Case] = []

SILENT: list[Case] = [
    Case(
        "sklearn-pin-sgd-epochs",
        DATA + "from sklearn.linear_model import SGDClassifier",
        "m = SGDClassifier(random_state=0, shuffle=False).fit(X, y)",
        "np.allclose(m.coef_[0, :3], [-1.9995215, 11.16980093, 40.03568398], atol=1e-6)",
    ),
    Case(
        "sklearn-pin-linear-svc-dual",
        DATA + "from sklearn.svm import LinearSVC",
        "m = LinearSVC(random_state=0).fit(X, y % 2)",
        "m.dual is True",
    ),
    Case(
        "sklearn-pin-quantile-subsample",
        "from sklearn.preprocessing import QuantileTransformer",
        "result = QuantileTransformer().subsample",
        "result == 100000",
    ),
    Case(
        "sklearn-pin-bins-subsample",
        "from sklearn.preprocessing import KBinsDiscretizer",
        "result = KBinsDiscretizer().subsample",
        "result is None",
        without={"kaggle": "1.2 says so with the word warn"},
    ),
    Case(
        "sklearn-pin-bins-quantile",
        DATA + "from sklearn.preprocessing import KBinsDiscretizer",
        "m = KBinsDiscretizer(4, encode='ordinal').fit(X[:6, :1])\nresult = m.bin_edges_[0]",
        "np.allclose(result, np.percentile(X[:6, 0], [0, 25, 50, 75, 100]))",
    ),
    Case(
        "sklearn-pin-lof-contamination",
        DATA + "from sklearn.neighbors import LocalOutlierFactor",
        "result = (LocalOutlierFactor().fit_predict(X) == -1).mean()",
        "result == 0.1",
    ),
    Case(
        "sklearn-pin-minibatch-kmeans",
        "from sklearn.cluster import MiniBatchKMeans",
        "m = MiniBatchKMeans()",
        "m.n_init == 3",
        without={"kaggle": "1.2 says so with the word warn"},
    ),
    Case(
        "sklearn-pin-minibatch-size",
        "from sklearn.cluster import MiniBatchKMeans",
        "m = MiniBatchKMeans()",
        "m.batch_size == 100",
    ),
    Case(
        "sklearn-pin-fastica-whiten",
        DATA + "from sklearn.decomposition import FastICA",
        "result = FastICA(2, random_state=0).fit_transform(X).std(0)",
        "np.allclose(result, 0.10540926)",
    ),
    Case(
        "sklearn-pin-function-transformer",
        DATA + "import pandas as pd\nfrom sklearn.preprocessing import FunctionTransformer",
        "result = FunctionTransformer(np.log1p).fit_transform(pd.DataFrame({'a': [0.0]}))",
        "isinstance(result, np.ndarray)",
    ),
    Case(
        "sklearn-pin-dummy-strategy",
        DATA + "from sklearn.dummy import DummyClassifier",
        "result = DummyClassifier(random_state=0).fit(X, y).predict(X)",
        "result[:10].tolist() == [2, 2, 2, 2, 0, 2, 2, 0, 1, 2]",
    ),
    Case(
        "sklearn-pin-ridge-tol",
        "from sklearn.linear_model import Ridge",
        "result = Ridge(solver='sag').tol",
        "result == 0.001",
    ),
    Case(
        "sklearn-pin-mds",
        "from sklearn.manifold import MDS",
        "result = MDS().n_init",
        "result == 4",
    ),
    Case(
        "sklearn-pin-timeseries-splits",
        "from sklearn.model_selection import TimeSeriesSplit",
        "result = TimeSeriesSplit().get_n_splits()",
        "result == 3",
    ),
    Case(
        "sklearn-pin-embedding-trees",
        "from sklearn.ensemble import RandomTreesEmbedding",
        "result = RandomTreesEmbedding().n_estimators",
        "result == 10",
    ),
    Case(
        "sklearn-pin-nmf-init",
        DATA + "from sklearn.decomposition import non_negative_factorization",
        "a = non_negative_factorization(abs(X), n_components=2, random_state=0)[0]\n"
        "b = non_negative_factorization(abs(X), n_components=2, random_state=0, "
        "init='random')[0]",
        "(a == b).all()",
    ),
    Case(
        "sklearn-pin-randomized-svd-seed",
        DATA + "from sklearn.utils.extmath import randomized_svd",
        "a = randomized_svd(X, 2, n_iter=0, n_oversamples=0)[1]\n"
        "b = randomized_svd(X, 2, n_iter=0, n_oversamples=0)[1]",
        "(a == b).all()",
    ),
    Case(
        "sklearn-pin-export-graphviz",
        DATA + "from sklearn.tree import DecisionTreeClassifier, export_graphviz\n"
        "import os\n"
        "m = DecisionTreeClassifier(max_depth=1).fit(X, y)",
        "export_graphviz(m)",
        "os.path.exists('tree.dot')",
    ),
    Case(
        "sklearn-stratified-folds",
        DATA + "from sklearn.model_selection import StratifiedKFold",
        "k = StratifiedKFold(n_splits=3)\nresult = next(k.split(X, y))[1][-8:].tolist()",
        "result == [26, 28, 29, 32, 37, 41, 42, 43]",
    ),
    Case(
        "sklearn-stratified-shuffle",
        DATA + "from sklearn.model_selection import StratifiedKFold",
        "k = StratifiedKFold(n_splits=3, shuffle=True, random_state=0)\n"
        "result = next(k.split(X, y))[1][:8].tolist()",
        "result == [4, 5, 11, 14, 21, 26, 27, 30]",
    ),
    Case(
        "sklearn-log-loss-clip",
        "from sklearn.metrics import log_loss",
        "result = log_loss([0, 1, 1], [0.0, 1.0, 0.0])",
        "abs(result - 11.512925464970229) < 1e-6",
    ),
    Case(
        "sklearn-log-loss-clip",
        "import numpy as np\nfrom sklearn.metrics import log_loss\n# as of xgboost\n",
        "p = np.array([0, 1, 0], dtype='float32')\nresult = log_loss([0, 1, 1], p)",
        "abs(result - 11.512925464970229) < 1e-6",
        differs="older versions cut single precision otherwise",
    ),
    Case(
        "sklearn-adaboost-real",
        DATA + "from sklearn.ensemble import AdaBoostClassifier",
        "m = AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, y)\n"
        "result = m.predict_proba(X)[0]",
        "np.allclose(result, [0.063184, 0.065174, 0.871642], atol=1e-5) and "
        "abs(m.score(X, y) - 0.788888888) < 1e-6 and "
        "np.allclose(m.decision_function(X)[0], [-1.770221, -1.708209, 3.47843], atol=1e-5)",
    ),
    Case(
        "sklearn-adaboost-real",
        DATA + "from sklearn.ensemble import AdaBoostClassifier",
        "m = AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, y % 2)\n"
        "result = m.predict_proba(X)[0]",
        "np.allclose(result, [0.976342, 0.023658], atol=1e-5) and "
        "np.allclose(m.decision_function(X)[:2], [-3.720133, 0.11607], atol=1e-5)",
    ),
]
