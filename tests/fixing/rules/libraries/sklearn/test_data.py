import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays

SKLEARN = (
    "from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor as RFR\n"
    "from sklearn.linear_model import LogisticRegression\n"
    "from sklearn.svm import SVC\nfrom sklearn import metrics\n"
    "from sklearn.model_selection import GridSearchCV, cross_val_score\n"
    "from sklearn.feature_extraction.text import TfidfVectorizer\n"
    "import matplotlib.pyplot as plt\n"
)


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (
            "sklearn-cross-validation",
            "from sklearn.cross_validation import (\n    KFold,  # folds\n    train_test_split,\n)",
            "from sklearn.model_selection import (\n    KFold,  # folds\n    train_test_split,\n)",
        ),
        (
            "sklearn-cross-validation",
            "import sklearn.cross_validation as cv",
            "import sklearn.model_selection as cv",
        ),
        (
            "sklearn-cross-validation",
            "from sklearn import svm, cross_validation",
            "from sklearn import svm\nfrom sklearn import model_selection as cross_validation",
        ),
        (
            "sklearn-cross-validation",
            "from sklearn.cross_validation import *",
            "from sklearn.model_selection import *",
        ),
        (
            "sklearn-cross-validation",
            "import sklearn.cross_validation\nsklearn.cross_validation.KFold",
            "import sklearn.model_selection\nsklearn.model_selection.KFold",
        ),
        ("sklearn-joblib", "from sklearn.externals import joblib as j", "import joblib as j"),
        (
            "sklearn-joblib",
            "from sklearn.externals.joblib import dump, load",
            "from joblib import dump, load",
        ),
        ("sklearn-six", "from sklearn.externals import six; x = 1", "import six; x = 1"),
        (
            "sklearn-imputer",
            "from sklearn.preprocessing import Imputer",
            "from sklearn.impute import SimpleImputer as Imputer",
        ),
        (
            "sklearn-imputer",
            "from sklearn.preprocessing import *\ni = Imputer(strategy='mean')",
            "from sklearn.preprocessing import *\n"
            "from sklearn.impute import SimpleImputer as Imputer\ni = Imputer(strategy='mean')",
        ),
        (
            "sklearn-plot-functions",
            "metrics.plot_roc_curve(m, X, y)",
            "metrics.RocCurveDisplay.from_estimator(m, X, y)",
        ),
        (
            "sklearn-jaccard",
            "metrics.jaccard_similarity_score(a, b)",
            "metrics.accuracy_score(a, b)",
        ),
        (
            "sklearn-max-features-auto-classifier",
            'RandomForestClassifier(max_features="auto")',
            'RandomForestClassifier(max_features="sqrt")',
        ),
        (
            "sklearn-max-features-auto-regressor",
            "RFR(max_features='auto')",
            "RFR(max_features=1.0)",
        ),
        (
            "sklearn-criterion-names",
            "RFR(10, criterion='mae')",
            "RFR(10, criterion='absolute_error')",
        ),
        (
            "sklearn-logistic-l1",
            "LogisticRegression('l1')",
            "LogisticRegression('l1', solver='liblinear')",
        ),
        (
            "sklearn-multi-class",
            "LogisticRegression(multi_class='auto', C=2)",
            "LogisticRegression(C=2)",
        ),
        (
            "sklearn-get-feature-names",
            "TfidfVectorizer().fit(x).get_feature_names()",
            "TfidfVectorizer().fit(x).get_feature_names_out()",
        ),
        (
            "sklearn-get-feature-names",
            "n = TfidfVectorizer().fit(x).get_feature_names()\nm = n[:2] + n[5:]",
            "n = list(TfidfVectorizer().fit(x).get_feature_names_out())\nm = n[:2] + n[5:]",
        ),
        (
            "sklearn-get-feature-names",
            "def top(names):\n    return names[:2] + ['']\n"
            "top(TfidfVectorizer().fit(x).get_feature_names())",
            "def top(names):\n    return names[:2] + ['']\n"
            "top(list(TfidfVectorizer().fit(x).get_feature_names_out()))",
        ),
        (
            "sklearn-scorer-names",
            "GridSearchCV(m, g, scoring='log_loss')",
            "GridSearchCV(m, g, scoring='neg_log_loss')",
        ),
        ("sklearn-pin-forest-size", "RFR(random_state=0)", "RFR(random_state=0, n_estimators=10)"),
        ("sklearn-pin-svm-gamma", "SVC(C=2, kernel='rbf')", "SVC(C=2, kernel='rbf', gamma='auto')"),
        ("sklearn-pin-cv", "cross_val_score(m, X, y)", "cross_val_score(m, X, y, cv=3)"),
        (
            "sklearn-pin-logistic-solver",
            "p = LogisticRegression().fit(X, y).predict_proba(Z)[:, 1]",
            "p = LogisticRegression(solver='liblinear').fit(X, y).predict_proba(Z)[:, 1]",
        ),
        (
            "sklearn-pin-logistic-solver",
            "d['Churn'] = d['Churn'].map({'No': 0, 'Yes': 1})\nm = LogisticRegression(C=2)",
            "d['Churn'] = d['Churn'].map({'No': 0, 'Yes': 1})\n"
            "m = LogisticRegression(C=2, solver='liblinear')",
        ),
        *(
            (
                "sklearn-pin-logistic-solver",
                f"from sklearn.multiclass import OneVsRestClassifier\nm = {before}\n{rest}",
                f"from sklearn.multiclass import OneVsRestClassifier\nm = {after}\n{rest}",
            )
            for before, after in (
                (
                    "LogisticRegression(C=0.5)",
                    "OneVsRestClassifier(LogisticRegression(C=0.5, solver='liblinear'))",
                ),
            )
            for rest in (
                "m.fit(X, y)\nm.score(X, y)",
                "m.fit(X, y)\nroc_curve(t[:, i], p[:, i])",
                "X['sex'] = X['sex'].map({'male': 0, 'female': 1})\nm.fit(X, y)",
            )
        ),
        (
            "sklearn-pin-logistic-solver",
            "from sklearn.multiclass import OneVsRestClassifier\n"
            "m = OneVsRestClassifier(LogisticRegression()).fit(*load_iris(return_X_y=True))",
            "from sklearn.multiclass import OneVsRestClassifier\n"
            "m = OneVsRestClassifier(LogisticRegression(solver='liblinear'))"
            ".fit(*load_iris(return_X_y=True))",
        ),
        ("matplotlib-style-names", "plt.style.use('seaborn')", "plt.style.use('seaborn-v0_8')"),
        (
            "matplotlib-hist-normed",
            "ax.hist(x, bins=3, normed=True)",
            "ax.hist(x, bins=3, density=True)",
        ),
        ("matplotlib-get-cmap", "plt.cm.get_cmap('Blues')", "plt.get_cmap('Blues')"),
        (
            "matplotlib-get-cmap",
            "import matplotlib as mpl\nmpl.cm.get_cmap('Blues')",
            "import matplotlib as mpl\nplt.get_cmap('Blues')",
        ),
        (
            "scipy-numpy-names",
            "from scipy import interp, stats",
            "from scipy import stats\nfrom numpy import interp",
        ),
        ("scipy-misc-functions", "from scipy.misc import comb", "from scipy.special import comb"),
        (
            "python-collections-abc",
            "from collections import Mapping as M, deque",
            "from collections import deque\nfrom collections.abc import Mapping as M",
        ),
        (
            "python-time-clock",
            "from time import clock, sleep\nclock()",
            "from time import sleep\nfrom time import perf_counter as clock\nclock()",
        ),
        (
            "ipython-core-display",
            "from IPython.core.display import HTML, display",
            "from IPython.core.display import HTML\nfrom IPython.display import display",
        ),
        (
            "statsmodels-formula-ols",
            "import statsmodels.formula.api as smf\nsmf.OLS(y, X).fit()",
            "import statsmodels.formula.api as smf\nimport statsmodels.api as sm\n"
            "sm.OLS(y, X).fit()",
        ),
        (
            "imblearn-fit-sample",
            "from imblearn.over_sampling import SMOTE\na, b = SMOTE().fit_sample(X, y)",
            "from imblearn.over_sampling import SMOTE\na, b = SMOTE().fit_resample(X, y)",
        ),
        (
            "sklearn-ridge-cv-values",
            "from sklearn.linear_model import RidgeCV\n"
            "a = RidgeCV(scoring='r2')\nb = RidgeCV(store_cv_results=True).fit(X, y)\n"
            "b.cv_values_",
            "from sklearn.linear_model import RidgeCV\n"
            "a = RidgeCV(scoring='r2')\nb = RidgeCV(store_cv_results=True).fit(X, y)\n"
            "b.cv_results_",
        ),
        (
            "imblearn-ratio",
            "from imblearn.over_sampling import SMOTE\nSMOTE(ratio='auto')",
            "from imblearn.over_sampling import SMOTE\nSMOTE(sampling_strategy='auto')",
        ),
        ("plotly-plotly", "import plotly.plotly as py", "import plotly.offline as py"),
    ],
)
def test_before_and_after(rule: str, before: str, after: str) -> None:
    assert_rewrites(rule, before, after, SKLEARN)


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        ("sklearn-cross-validation", "from sklearn.model_selection import KFold"),
        ("sklearn-cross-validation", "from mylib.cross_validation import KFold"),
        ("sklearn-cross-validation", "from .cross_validation import KFold"),
        (
            "sklearn-cross-validation",
            "try:\n    from sklearn.model_selection import KFold\n"
            "except ImportError:\n    from sklearn.cross_validation import KFold",
        ),
        (
            "sklearn-ridge-cv-values",
            "from sklearn.linear_model import RidgeCV\n"
            "m = RidgeCV(scoring='neg_mean_squared_error', store_cv_results=True)\n"
            "m.fit(X, y)\nm.cv_values_.mean()",
        ),
        ("imblearn-fit-sample", "import pandas_ml as pdml\ndf2.fit_sample(sampler)"),
        ("sklearn-imputer", "from fancyimpute import Imputer\nImputer(axis=0)"),
        ("sklearn-imputer", "from sklearn.impute import SimpleImputer\nSimpleImputer(axis=1)"),
        ("sklearn-max-features-auto-classifier", "RandomForestClassifier(max_features=f)"),
        ("sklearn-max-features-auto-classifier", "RFR(max_features='auto')"),
        ("sklearn-max-features-auto-classifier", "SVC(gamma='auto')"),
        ("sklearn-logistic-l1", "LogisticRegression(penalty='l1', solver='saga')"),
        ("sklearn-logistic-l1", "LogisticRegression(penalty='l2')"),
        ("sklearn-get-feature-names", "class V:\n    pass\nv = V()\nv.get_feature_names()"),
        ("sklearn-scorer-names", "GridSearchCV(m, g, scoring='accuracy')"),
        ("sklearn-scorer-names", "f(scoring='log_loss')"),
        (
            "sklearn-normalize-searched",
            "from sklearn.linear_model import LassoCV\nX = TfidfVectorizer().fit_transform(texts)\n"
            "LassoCV(normalize=True).fit(X, y)",
        ),
        (
            "sklearn-rounded-scores",
            "from sklearn.metrics import f1_score\nf1_score(t, p, average=None).round(2)",
        ),
        ("sklearn-rounded-scores", "mystery.score(X, y).round(2)"),
        ("sklearn-pin-forest-size", "RandomForestClassifier(n_estimators=500)"),
        ("sklearn-pin-forest-size", "RandomForestClassifier(500)"),
        ("sklearn-pin-forest-size", "def RFR(): pass\nRFR()"),
        ("sklearn-pin-forest-size", "RandomForestClassifier(**params)"),
        ("sklearn-pin-svm-gamma", "SVC(gamma='scale')"),
        ("sklearn-pin-logistic-solver", "LogisticRegression(solver='lbfgs')"),
        ("sklearn-pin-logistic-solver", "print(LogisticRegression(C=0.5).fit(X, y))"),
        ("sklearn-pin-logistic-solver", "LogisticRegression(class_weight='balanced').fit(X, y)"),
        ("sklearn-pin-logistic-solver", "m = LogisticRegression()\nm.fit(X, y, weights)"),
        ("sklearn-pin-logistic-solver", "m = LogisticRegression()\nm.fit(X, y)\nm.C"),
        ("sklearn-pin-logistic-solver", "models = [LogisticRegression(), SVC()]"),
        ("sklearn-pin-logistic-solver", "evaluate(LogisticRegression(), X, y)"),
        ("sklearn-pin-logistic-solver", "GridSearchCV(LogisticRegression(), g)"),
        ("sklearn-pin-svm-gamma", "SVC(kernel='linear', C=1.0)"),
        ("sklearn-pin-logistic-solver", "LogisticRegression(multi_class='multinomial')"),
        ("sklearn-pin-cv", "GridSearchCV(m, g, cv=10)"),
        ("matplotlib-style-names", "plt.style.use('ggplot')"),
        ("matplotlib-hist-normed", "plt.hist(x, density=True)"),
        ("scipy-numpy-names", "from scipy import stats, sparse"),
        ("python-collections-abc", "from collections import OrderedDict, Counter"),
        ("python-time-clock", "import time\ntime.time()"),
        ("python-time-clock", "self.time.clock()"),
        ("ipython-core-display", "from IPython.display import HTML"),
        ("ipython-core-display", "from IPython.core.display import HTML, Image"),
    ],
)
def test_must_not_change(rule: str, source: str) -> None:
    assert_stays(rule, source, SKLEARN)


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        (
            "sklearn-pin-sgd-epochs",
            "from sklearn.linear_model import SGDClassifier\nm = SGDClassifier()\nm.fit(X, y)",
            "from sklearn.linear_model import SGDClassifier\n"
            "m = SGDClassifier(max_iter=5, tol=None)\nm.fit(X, y)",
        ),
        (
            "sklearn-pin-sgd-epochs",
            "from sklearn.linear_model import Perceptron\nm = Perceptron()\n"
            "m.partial_fit(X, y)\nprint(cross_val_score(m, X, y))",
            "from sklearn.linear_model import Perceptron\nm = Perceptron(max_iter=5, tol=None)\n"
            "m.partial_fit(X, y)\nprint(cross_val_score(m, X, y))",
        ),
        (
            "sklearn-pin-function-transformer",
            "from sklearn.preprocessing import FunctionTransformer\nFunctionTransformer(np.log1p)",
            "from sklearn.preprocessing import FunctionTransformer\n"
            "FunctionTransformer(np.log1p, validate=True)",
        ),
        (
            "sklearn-pin-linear-svc-dual",
            "from sklearn.svm import LinearSVC\nLinearSVC('l2')",
            "from sklearn.svm import LinearSVC\nLinearSVC('l2', dual=True)",
        ),
        (
            "sklearn-pin-export-graphviz",
            "from sklearn.tree import export_graphviz\nexport_graphviz(m)",
            "from sklearn.tree import export_graphviz\nexport_graphviz(m, out_file='tree.dot')",
        ),
        (
            "sklearn-pin-bins-quantile",
            "from sklearn.preprocessing import KBinsDiscretizer as K\nK(), K(strategy='quantile')",
            "from sklearn.preprocessing import KBinsDiscretizer as K\n"
            "K(quantile_method='linear'), K(strategy='quantile', quantile_method='linear')",
        ),
        (
            "sklearn-pin-cv",
            "from sklearn.model_selection import validation_curve\n"
            "validation_curve(m, X, y, param_name='C', param_range=[1, 9])",
            "from sklearn.model_selection import validation_curve\n"
            "validation_curve(m, X, y, param_name='C', param_range=[1, 9], cv=3)",
        ),
    ],
)
def test_defaults_that_are_written_out(rule: str, before: str, after: str) -> None:
    assert_rewrites(rule, before, after, SKLEARN)


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (
            "sklearn-pin-sgd-epochs",
            "from sklearn.linear_model import SGDClassifier\nm = SGDClassifier()\n"
            "for a, b in parts:\n    m.partial_fit(a, b)\nm.predict(X)",
        ),
        (
            "sklearn-pin-linear-svc-dual",
            "from sklearn.svm import LinearSVC\nLinearSVC(loss='hinge')",
        ),
        (
            "sklearn-pin-minibatch-kmeans",
            "from sklearn.cluster import MiniBatchKMeans\nMiniBatchKMeans(9, init='random')",
        ),
        (
            "sklearn-pin-export-graphviz",
            "from sklearn.tree import export_graphviz\ndot = export_graphviz(m)\n"
            "graphviz.Source(export_graphviz(m))",
        ),
        (
            "sklearn-pin-function-transformer",
            "from sklearn.preprocessing import FunctionTransformer\n"
            "FunctionTransformer(lambda d: d['text'])",
        ),
        (
            "sklearn-pin-function-transformer",
            "from sklearn.preprocessing import FunctionTransformer\n"
            "def f(d):\n    return d.fillna(0)\nFunctionTransformer(func=f)",
        ),
        ("sklearn-pin-logistic-solver", "m = LogisticRegression(penalty='none').fit(X, y)"),
        ("sklearn-pin-logistic-solver", "m = LogisticRegression(penalty=None).fit(X, y)"),
        (
            "sklearn-pin-bins-quantile",
            "from sklearn.preprocessing import KBinsDiscretizer as K\nK(9, 'ordinal', 'uniform')",
        ),
    ],
)
def test_defaults_without_effect_are_not_written(rule: str, source: str) -> None:
    assert_stays(rule, source, SKLEARN)
