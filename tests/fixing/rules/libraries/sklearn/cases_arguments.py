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
        "sklearn-grid-n-iter",
        DATA + "from sklearn.linear_model import SGDClassifier\n"
        "from sklearn.model_selection import GridSearchCV\n"
        "sgd = SGDClassifier(random_state=0, tol=None)\n",
        "grid = {'n_iter': [2, 3], 'alpha': [0.1]}\ng = GridSearchCV(sgd, grid, cv=2).fit(X, y)",
        "g.best_params_['max_iter'] in (2, 3)",
    ),
    Case(
        "sklearn-normalize-regression",
        DATA + "from sklearn.linear_model import LinearRegression\n"
        "from sklearn.model_selection import GridSearchCV\n",
        "grid = {'fit_intercept': [True], 'normalize': [True, False]}\n"
        "g = GridSearchCV(LinearRegression(), grid).fit(Xr, yr)",
        "g.best_params_ == {'fit_intercept': True}",
    ),
    Case(
        "sklearn-truth-values",
        DATA + "from sklearn.preprocessing import StandardScaler",
        "s = StandardScaler(with_mean=0, with_std=1).fit(X)",
        "np.allclose(s.transform(X).std(axis=0), 1) and s.mean_ is not None",
    ),
    Case(
        "sklearn-whole-floats",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(max_iter=1e3).fit(X, y)",
        "m.max_iter == 1000",
    ),
    Case(
        "sklearn-whole-floats",
        DATA + "from sklearn.linear_model import Lasso\n"
        "from sklearn.model_selection import GridSearchCV\n",
        "g = GridSearchCV(Lasso(), {'max_iter': [1e3]}, cv=2).fit(Xr, yr)",
        "g.best_params_['max_iter'] == 1000",
    ),
    Case(
        "sklearn-whole-numbers",
        DATA + "from sklearn.linear_model import Lasso\nclass Mine(Lasso):\n    pass\n",
        "m = Mine(max_iter=1e4).fit(Xr, yr)",
        "m.max_iter == 10000",
    ),
    Case(
        "sklearn-sgd-n-iter",
        DATA + "from sklearn.linear_model import SGDClassifier",
        "m = SGDClassifier(n_iter=5, random_state=0, shuffle=False).fit(X, y)",
        "m.max_iter == 5 and m.tol is None and np.allclose(m.coef_[0, :3], "
        "[-1.9995215, 11.16980093, 40.03568398], atol=1e-6)",
    ),
    Case(
        "sklearn-bayesian-ridge-n-iter",
        DATA + "from sklearn.linear_model import BayesianRidge",
        "m = BayesianRidge(n_iter=50).fit(Xr, yr)",
        "m.predict(Xr).shape == (60,)",
    ),
    Case(
        "sklearn-normalize-false",
        DATA + "from sklearn.linear_model import Lasso",
        "m = Lasso(alpha=0.1, normalize=False).fit(Xr, yr)",
        "m.alpha == 0.1",
    ),
    Case(
        "sklearn-normalize-regression",
        DATA + "from sklearn.linear_model import LinearRegression",
        "m = LinearRegression(fit_intercept=True, normalize=True).fit(Xr, yr)",
        "np.allclose(m.predict(Xr), yr)",
    ),
    Case(
        "sklearn-normalize-penalized",
        DATA + "from sklearn.linear_model import Ridge",
        "S = Xr * [1, 10, 100, 0.1] + 3\nm = Ridge(alpha=0.1, normalize=True).fit(S, yr)",
        "np.allclose(m.coef_, [27.807901, 1.171261, 0.245483, 61.298499], atol=1e-5) "
        "and abs(m.predict(S).mean() - yr.mean()) < 1e-6",
    ),
    Case(
        "sklearn-normalize-penalized",
        DATA + "from sklearn.linear_model import Lasso",
        "S = Xr * [1, 10, 100, 0.1] + 3\nm = Lasso(alpha=0.1, normalize=True).fit(S, yr)",
        "np.allclose(m.coef_, [29.458075, 1.247778, 0.264176, 50.690688], atol=1e-3)",
    ),
    Case(
        "sklearn-normalize-penalized",
        DATA + "from sklearn import linear_model",
        "S = Xr * [1, 10, 100, 0.1] + 3\n"
        "m = linear_model.ElasticNet(alpha=0.01, normalize=True).fit(S, yr)",
        "np.allclose(m.coef_, [24.007148, 0.966762, 0.208007, 65.358482], atol=1e-2)",
    ),
    Case(
        "sklearn-normalize-penalized",
        DATA + "from sklearn.linear_model import RidgeClassifier",
        "m = RidgeClassifier(alpha=0.5, normalize=True).fit(X + 5 * np.arange(6), y)",
        "np.allclose(m.coef_.ravel()[:4], [-0.058591, 0.038174, 0.145165, 0.012794], atol=1e-5)",
    ),
    Case(
        "sklearn-normalize-searched",
        DATA + "from sklearn.linear_model import LassoCV\nS = Xr * [1, 10, 100, 0.1] + 3\n",
        "m = LassoCV(alphas=[0.01, 0.1, 1.0], cv=4, normalize=True).fit(S, yr)",
        "np.allclose(m.coef_, [30.089877, 1.308101, 0.269711, 54.906838], atol=1e-3) "
        "and np.allclose(m.mse_path_.mean(1), [196.859957, 1.969029, 0.019685], rtol=1e-3)",
    ),
    Case(
        "sklearn-normalize-searched",
        DATA + "from sklearn import linear_model\nS = Xr * [1, 10, 100, 0.1] + 3\n",
        "m = linear_model.ElasticNetCV(l1_ratio=0.8, alphas=[0.001, 0.01], cv=3, normalize=True)\n"
        "m.fit(S, yr)",
        "np.allclose(m.coef_, [29.852346, 1.294890, 0.266999, 56.261402], atol=1e-3) "
        "and np.allclose(m.mse_path_.mean(1), [13.334861, 0.159309], rtol=1e-3)",
    ),
    Case(
        "sklearn-n-alphas",
        DATA + "from sklearn.linear_model import LassoCV",
        "m = LassoCV(n_alphas=20, alphas=None, cv=3).fit(Xr, yr)\np = m.predict(Xr)",
        "len(m.alphas_) == 20 and p.shape == (60,)",
    ),
    Case(
        "sklearn-n-alphas",
        DATA + "from sklearn.linear_model import ElasticNetCV",
        "m = ElasticNetCV(n_alphas=100, alphas=[0.1, 1.0], cv=3).fit(Xr, yr)\nbest = m.alpha_",
        "best == 0.1 and len(m.alphas_) == 2",
    ),
    Case(
        "sklearn-normalize-searched",
        DATA + "from sklearn.linear_model import LassoCV\nS = Xr * [1, 10, 100, 0.1] + 3\n",
        "m = LassoCV(normalize=True, n_alphas=20, cv=4).fit(S, yr)\np = m.predict(S)",
        "len(m.alphas_) == 20 and np.allclose(p, yr, atol=2)",
        also=("sklearn-n-alphas",),
    ),
    Case(
        "sklearn-normalize-penalized",
        DATA + "from sklearn.linear_model import RidgeCV\nS = Xr * [1, 10, 100, 0.1] + 3\n",
        "m = RidgeCV(alphas=[1e-3], normalize=True, scoring='mean_squared_error').fit(S, yr)\n"
        "p = m.predict(S)",
        "np.allclose(p, yr, atol=2)",
        also=("sklearn-scorer-names",),
    ),
    Case(
        "sklearn-normalize-lars",
        DATA + "from sklearn.linear_model import LassoLars\nS = Xr * [1, 10, 100, 0.1] + 3\n",
        "m = LassoLars(alpha=0.1, normalize=True).fit(S, yr)",
        "np.allclose(m.coef_, [29.457808, 1.247809, 0.264177, 50.689463], atol=1e-5)",
    ),
    Case(
        "sklearn-ransac-arguments",
        DATA + "from sklearn.linear_model import RANSACRegressor, LinearRegression",
        "m = RANSACRegressor(base_estimator=LinearRegression(), random_state=0).fit(Xr, yr)",
        "np.allclose(m.predict(Xr), yr)",
    ),
    Case(
        "sklearn-ransac-loss",
        DATA + "from sklearn.linear_model import RANSACRegressor",
        "m = RANSACRegressor(loss='absolute_loss', random_state=0).fit(Xr, yr)",
        "m.loss == 'absolute_error'",
    ),
    Case(
        "sklearn-store-cv-values",
        DATA + "from sklearn.linear_model import RidgeCV",
        "m = RidgeCV(alphas=[0.1, 1.0], store_cv_values=True).fit(Xr, yr)",
        "m.alpha_ == 0.1",
    ),
    Case(
        "sklearn-n-alphas-multi",
        DATA + "from sklearn.linear_model import MultiTaskLassoCV",
        "m = MultiTaskLassoCV(n_alphas=5, cv=2).fit(Xr, np.c_[yr, yr])",
        "m.coef_.shape == (2, 4)",
    ),
    Case(
        "sklearn-svm-random-state",
        DATA + "from sklearn.svm import OneClassSVM",
        "m = OneClassSVM(nu=0.2, random_state=0).fit(X)",
        "m.nu == 0.2",
    ),
    Case(
        "sklearn-svc-gamma-deprecated",
        DATA + "from sklearn.svm import SVC",
        "m = SVC(gamma='auto_deprecated').fit(X, y)",
        "m.gamma == 'auto'",
    ),
    Case(
        "sklearn-printed-warn-forest",
        DATA + "from sklearn.ensemble import RandomForestClassifier",
        "m = RandomForestClassifier(n_estimators='warn').fit(X, y)",
        "m.n_estimators == 10",
    ),
    Case(
        "sklearn-printed-warn-logistic",
        DATA + "from sklearn.linear_model import LogisticRegression",
        "m = LogisticRegression(C=1.0, multi_class='warn', solver='warn').fit(X, y % 2)",
        "m.solver == 'liblinear'",
    ),
    Case(
        "sklearn-printed-warn-search",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge",
        "g = GridSearchCV(Ridge(), {'alpha': [1]}, cv='warn', "
        "error_score='raise-deprecating').fit(Xr, yr)",
        "g.n_splits_ == 3",
    ),
    Case(
        "sklearn-iid-removed",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge",
        "g = GridSearchCV(Ridge(), {'alpha': [1, 9]}, iid=False)\ng.fit(Xr, yr)",
        "g.best_params_ == {'alpha': 1}",
    ),
    Case(
        "sklearn-search-fit-params",
        DATA + "from sklearn.model_selection import GridSearchCV\n"
        "from sklearn.linear_model import Ridge",
        "g = GridSearchCV(Ridge(), {'alpha': [1]}, fit_params={'sample_weight': "
        "np.ones(60)})\n"
        "g.fit(Xr, yr)",
        "g.best_params_ == {'alpha': 1}",
    ),
    Case(
        "sklearn-scorer-needs",
        DATA + "from sklearn.metrics import make_scorer, log_loss\n"
        "from sklearn.naive_bayes import GaussianNB\n"
        "m = GaussianNB().fit(X, y)",
        "s = make_scorer(log_loss, greater_is_better=False, needs_proba=True)\nresult = s(m, X, y)",
        "abs(result + log_loss(y, m.predict_proba(X))) < 1e-9",
    ),
    Case(
        "sklearn-scorer-needs",
        DATA + "from sklearn.metrics import make_scorer, roc_auc_score\n"
        "from sklearn.svm import LinearSVC\n"
        "m = LinearSVC(random_state=0).fit(X, y % 2)",
        "s = make_scorer(roc_auc_score, needs_threshold=True)\nresult = s(m, X, y % 2)",
        "abs(result - roc_auc_score(y % 2, m.decision_function(X))) < 1e-9",
        differs="LinearSVC chooses another solver",
    ),
    Case(
        "sklearn-auc-reorder",
        "from sklearn.metrics import auc",
        "result = auc([0, 1], [0, 1], reorder=True)",
        "result == 0.5",
    ),
    Case(
        "sklearn-log-loss-eps",
        "from sklearn.metrics import log_loss",
        "result = log_loss([0, 1, 1], [0.0, 1.0, 0.0], eps=1e-15)",
        "abs(result - 11.512925464970229) < 1e-6",
    ),
    Case(
        "sklearn-brier-y-prob",
        "from sklearn.metrics import brier_score_loss",
        "result = brier_score_loss([0, 1], y_prob=[0.5, 0.5])",
        "result == 0.25",
    ),
    Case(
        "sklearn-probas-pred",
        "from sklearn.metrics import precision_recall_curve",
        "result = precision_recall_curve([0, 1], probas_pred=[0.2, 0.8])",
        "len(result) == 3",
    ),
    Case(
        "sklearn-hamming-classes",
        "from sklearn.metrics import hamming_loss",
        "result = hamming_loss([0, 1], [0, 0], labels=[0, 1])",
        "result == 0.5",
    ),
    Case(
        "sklearn-f1-average",
        "from sklearn.metrics import f1_score",
        "result = f1_score([0, 1, 2, 2], [0, 1, 1, 2])",
        "abs(result - 0.75) < 1e-9",
    ),
    Case(
        "sklearn-calibration-normalize",
        "from sklearn.calibration import calibration_curve",
        "result = calibration_curve([0, 1], [0.1, 0.9], normalize=False)",
        "len(result) == 2",
    ),
    Case(
        "sklearn-calibration-prefit",
        DATA + "from sklearn.calibration import CalibratedClassifierCV\n"
        "from sklearn.svm import LinearSVC\n"
        "m = LinearSVC(random_state=0).fit(X, y)",
        "c = CalibratedClassifierCV(m, method='sigmoid', cv='prefit').fit(X, y)",
        "c.predict_proba(X).shape == (90, 3)",
    ),
    Case(
        "sklearn-chain-base-estimator",
        DATA + "from sklearn.multioutput import ClassifierChain\n"
        "from sklearn.naive_bayes import GaussianNB",
        "c = ClassifierChain(base_estimator=GaussianNB()).fit(X, np.c_[y % 2, y > 1])",
        "c.predict(X).shape == (90, 2)",
    ),
    Case(
        "sklearn-force-all-finite",
        DATA + "from sklearn.utils import check_array",
        "result = check_array([[np.nan]], force_all_finite=False)",
        "result.shape == (1, 1)",
    ),
    Case(
        "sklearn-warn-on-dtype",
        DATA + "from sklearn.utils import check_array",
        "result = check_array([[1]], warn_on_dtype=True)",
        "result.shape == (1, 1)",
    ),
    Case(
        "sklearn-hashing-non-negative",
        "from sklearn.feature_extraction.text import HashingVectorizer",
        "result = HashingVectorizer(n_features=16, non_negative=True).transform(['a bb ccc dddd'])",
        "result.min() >= 0",
    ),
    Case(
        "sklearn-stop-words-set",
        "from sklearn.feature_extraction.text import CountVectorizer, ENGLISH_STOP_WORDS",
        "words = ENGLISH_STOP_WORDS.union(['dog'])\n"
        "v = CountVectorizer(stop_words=words).fit(['the dog barks'])",
        "list(v.vocabulary_) == ['barks']",
    ),
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
        "sklearn-one-hot-n-values",
        "from sklearn.preprocessing import OneHotEncoder",
        "result = OneHotEncoder(n_values=[3, 2]).fit_transform([[0, 1], [1, 0]]).toarray()",
        "result.tolist() == [[1, 0, 0, 0, 1], [0, 1, 0, 1, 0]]",
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
