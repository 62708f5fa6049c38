from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, PLOTS, Case

LOUD: list[Case] = [
    Case(
        "sklearn-lda-qda",
        DATA,
        "from sklearn.lda import LDA\nresult = LDA().fit(X, y).predict(X)",
        "len(result) == 90",
    ),
    Case(
        "sklearn-lda-qda",
        DATA,
        "from sklearn.qda import QDA\nresult = QDA().fit(X[:, :3], y).predict(X[:, :3])",
        "len(result) == 90",
    ),
    Case(
        "sklearn-randomized-pca",
        DATA,
        "from sklearn.decomposition import RandomizedPCA\n"
        "result = RandomizedPCA(2, random_state=0).fit(X)",
        "result.svd_solver == 'randomized' and result.iterated_power == 3",
    ),
    Case(
        "sklearn-gmm",
        DATA,
        "from sklearn.mixture import GMM\nresult = GMM(2, n_iter=200, random_state=0).fit(X)",
        "result.covariance_type == 'diag' and result.max_iter == 200",
    ),
    Case(
        "sklearn-gmm",
        DATA,
        "from sklearn.mixture import GMM\n"
        "result = GMM(2, random_state=0, params='wmc', init_params='wmc').fit(X)",
        "result.init_params == 'kmeans'",
    ),
    Case(
        "sklearn-gmm-covars",
        DATA + "from sklearn.mixture import GaussianMixture\n"
        "g = GaussianMixture(2, covariance_type='diag', random_state=0).fit(X)",
        "result = g.covars_",
        "result.shape == (2, 6)",
    ),
    Case(
        "sklearn-vbgmm",
        DATA,
        "from sklearn.mixture import VBGMM",
        fix=False,
    ),
    Case(
        "sklearn-samples-generator",
        DATA,
        "from sklearn.datasets.samples_generator import make_blobs\n"
        "result = make_blobs(n_samples=9, random_state=0)",
        "result[0].shape == (9, 2)",
    ),
    Case(
        "sklearn-samples-generator",
        DATA,
        "from sklearn.datasets.base import load_iris\nresult = load_iris()",
        "result.data.shape == (150, 4)",
    ),
    Case(
        "sklearn-calinski-harabaz",
        DATA,
        "from sklearn.metrics import calinski_harabaz_score\nresult = calinski_harabaz_score(X, y)",
        "result > 0",
    ),
    Case(
        "sklearn-calinski-harabaz",
        DATA + "from sklearn import metrics",
        "result = metrics.calinski_harabaz_score(X, y)",
        "result > 0",
    ),
    Case(
        "sklearn-graph-lasso",
        DATA,
        "from sklearn.covariance import GraphLasso\nresult = GraphLasso(0.1).fit(Xr)",
        "result.covariance_.shape == (4, 4)",
    ),
    Case(
        "sklearn-categorical-encoder",
        DATA,
        "from sklearn.preprocessing import CategoricalEncoder",
        fix=False,
    ),
    Case(
        "sklearn-safe-indexing",
        DATA,
        "from sklearn.utils import safe_indexing\nresult = safe_indexing(X, [0, 2])",
        "result.shape == (2, 6)",
    ),
    Case(
        "sklearn-extmath-scipy",
        DATA,
        "from sklearn.utils.extmath import logsumexp, fast_dot\n"
        "result = logsumexp([0.0, 0.0]), fast_dot([1, 2], [3, 4])",
        "abs(result[0] - 0.6931471805599453) < 1e-12 and result[1] == 11",
    ),
    Case(
        "sklearn-extmath-scipy",
        DATA,
        "from sklearn.utils import extmath\nresult = extmath.logsumexp(np.zeros((2, 3)))",
        "result.shape == (3,) and np.allclose(result, 0.6931471805599453)",
    ),
    Case(
        "sklearn-bunch",
        DATA,
        "from sklearn.datasets import Bunch\nresult = Bunch(a=1)",
        "result.a == 1",
        never_worked="it was never public there",
    ),
    Case(
        "sklearn-metrics-module",
        "",
        "from sklearn.metrics.metrics import f1_score\nresult = f1_score([1, 0], [1, 0])",
        "result == 1",
    ),
    Case(
        "sklearn-distance-metric",
        DATA,
        "from sklearn.neighbors import DistanceMetric\n"
        "result = DistanceMetric.get_metric('euclidean').pairwise([[0.0, 0.0], [3.0, 4.0]])",
        "result[0, 1] == 5",
    ),
    Case(
        "sklearn-partial-dependence-module",
        PLOTS + "from sklearn.datasets import make_regression\n"
        "from sklearn.ensemble import GradientBoostingRegressor\n"
        "Xr, yr = make_regression(n_samples=60, n_features=4, random_state=0)\n"
        "g = GradientBoostingRegressor(n_estimators=3).fit(Xr, yr)",
        "from sklearn.ensemble.partial_dependence import plot_partial_dependence\n"
        "plot_partial_dependence(g, Xr, features=[0, 1], grid_resolution=5)",
    ),
    Case(
        "sklearn-partial-dependence-module",
        PLOTS + "from sklearn.datasets import make_regression\n"
        "from sklearn.ensemble import GradientBoostingRegressor\n"
        "Xr, yr = make_regression(n_samples=60, n_features=4, random_state=0)\n"
        "g = GradientBoostingRegressor(n_estimators=3).fit(Xr, yr)",
        "from sklearn.ensemble.partial_dependence import plot_partial_dependence\n"
        "fig, axs = plot_partial_dependence(g, Xr, features=[0, 1, 2], grid_resolution=5)\n"
        "result = len(axs)",
        "result == 3 and fig.axes",
    ),
    Case(
        "sklearn-scorers-dict",
        DATA,
        "from sklearn.metrics import SCORERS\nresult = sorted(SCORERS.keys()), list(SCORERS)",
        "'accuracy' in result[0] and 'accuracy' in result[1]",
        differs="newer versions have more of them",
    ),
    Case(
        "sklearn-if-delegate",
        DATA,
        "from sklearn.utils.metaestimators import if_delegate_has_method",
        fix=False,
    ),
    Case(
        "sklearn-linear-assignment",
        DATA,
        "from sklearn.utils.linear_assignment_ import linear_assignment\n"
        "result = linear_assignment(np.array([[4, 1], [2, 8]]))",
        "result.tolist() == [[0, 1], [1, 0]]",
    ),
    Case(
        "sklearn-gaussian-process",
        DATA,
        "from sklearn.gaussian_process import GaussianProcess",
        fix=False,
    ),
    Case(
        "sklearn-randomized-lasso",
        DATA,
        "from sklearn.linear_model import RandomizedLasso",
        fix=False,
    ),
    Case(
        "sklearn-lsh-forest",
        DATA,
        "from sklearn.neighbors import LSHForest",
        fix=False,
    ),
    Case(
        "sklearn-fetch-mldata",
        DATA,
        "from sklearn.datasets import fetch_mldata",
        fix=False,
    ),
    Case(
        "sklearn-experimental-imports",
        DATA,
        "from sklearn.impute import IterativeImputer, SimpleImputer\n"
        "result = IterativeImputer(random_state=0).fit_transform([[1.0, 2.0], [3.0, "
        "np.nan], [5.0, 6.0]])",
        "abs(result[1, 1] - 4) < 0.1",
    ),
]

SILENT: list[Case] = []
