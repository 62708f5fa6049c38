"""Code that looks like old code and means something else, and old code whose details count."""

import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells

SNS = "import seaborn as sns\n"
PLT = "import matplotlib.pyplot as plt\n"
XGB = "import xgboost as xgb\n"
LGB = "import lightgbm as lgb\n"
CAT = "from catboost import CatBoostClassifier, Pool\nm = CatBoostClassifier()\n"
STACK = (
    "from sklearn.base import BaseEstimator\nfrom sklearn.model_selection import GridSearchCV\n"
    "class Stack(BaseEstimator):\n    def __init__(self, base_estimator=None):\n"
    "        self.base_estimator = base_estimator\n"
)


@pytest.mark.parametrize(
    ("rule", "setup", "code"),
    [
        (
            "pandas-as-matrix",
            "from scipy.spatial.transform import Rotation\n",
            "m = Rotation.from_quat(q).as_matrix()",
        ),
        ("python2-has-key", "from bs4 import BeautifulSoup\n", "tag.has_key('href')"),
        ("gensim-index2word", "import torch\n", "w = vectors.index2word[i]"),
        ("gensim-index2word", "import gensim\n", "w = output_lang.index2word[i]"),
        (
            "gensim-index2word",
            "import gensim\nfrom text import Words\nw = Words()\n",
            "w.index2word",
        ),
        ("python2-text", "", "w.writerow([unicode(x).encode('utf-8') for x in row])"),
        ("python2-text", "", "if isinstance(x, unicode):\n    x = x.encode('utf-8')"),
        ("python2-text", "", "x = x.encode('utf-8') if type(x) == unicode else x"),
        ("gensim-vocab", "", "w = list(m.wv.vocab)[:100]"),
        (
            "gensim-vocab",
            "from gensim.models import Word2Vec\nm = Word2Vec(x)\n",
            "w = m.wv\nlist(w.vocab)[0]",
        ),
        ("gensim-vocab", "", "w = list(m.wv.vocab.keys())\nx = m.wv[w[:100]]"),
        (
            "tf-dimension-value",
            "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n",
            "n = x.get_shape()[1].value",
        ),
        ("python2-lazy-arrays", "import numpy as np\n", "def f(s):\n    return np.array(s.keys())"),
        ("python2-cmp", "", "r = cmp(stack.pop(), top)"),
        ("pandas-mad", "import pandas as pd\ndf = pd.DataFrame(d)\n", "df.sample(5).mad()"),
        ("seaborn-positional", SNS, "sns.lineplot(d)"),
        ("seaborn-positional", SNS, "sns.scatterplot(d, x='a', y='b')"),
        ("seaborn-positional", SNS, "sns.lineplot(d, y='a')"),
        ("seaborn-positional", SNS, "sns.countplot(d, y='a')"),
        ("seaborn-positional", SNS, "sns.countplot(d, hue='a')"),
        ("seaborn-positional", SNS, "sns.catplot(d, kind='box')"),
        ("seaborn-positional", SNS, "sns.boxplot([a, b])"),
        ("seaborn-positional", SNS, "sns.swarmplot(d[['a', 'b']])"),
        ("seaborn-size", SNS, "sns.catplot(x='a', y='b', data=d, kind='swarm', size=3)"),
        ("seaborn-size", SNS, "sns.catplot(x='a', y='b', data=d, size=3)"),
        ("matplotlib-hold-argument", PLT, "plt.plot(x, y, hold=False)"),
        ("matplotlib-is-last-row", "", "s = ax.get_subplotspec()\ns.is_last_row()"),
        ("matplotlib-style-lists", PLT, "plt.style.use(styles['seaborn'])"),
        ("xgboost-dmatrix-positional", XGB, "d = xgb.DMatrix(X, y, weights)"),
        (
            "xgboost-fit-arguments",
            XGB + "def metric(p, d):\n    return 'a', 1\n",
            "m = xgb.XGBRegressor()\nm.fit(X, y, eval_metric=metric, eval_set=v)",
        ),
        ("lightgbm-cv-keys", LGB, "r = lgb.cv(p, d, eval_train_metric=True)\nr['train auc-mean']"),
        ("catboost-importance-pool", CAT, "m.get_feature_importance(pool, 'ShapValues')"),
        ("catboost-importance-pool", CAT, "m.get_feature_importance(Pool(X, y), kind)"),
        (
            "imblearn-return-indices",
            "from imblearn.under_sampling import NearMiss\n",
            "X, y, i = NearMiss(return_indices=True).fit_sample(X, y)",
        ),
        (
            "sklearn-grid-base-estimator",
            STACK,
            "g = GridSearchCV(Stack(), {'base_estimator__C': [1, 2]})",
        ),
        (
            "sklearn-one-hot-columns",
            "from sklearn.preprocessing import OneHotEncoder\n",
            "e = OneHotEncoder(n_values=5, categorical_features=[0])",
        ),
        (
            "sklearn-jaccard",
            "from sklearn.preprocessing import MultiLabelBinarizer\n",
            "from sklearn.metrics import jaccard_similarity_score",
        ),
        (
            "plotly-title-font",
            "import plotly\ndef draw(title, titlefont): pass\n",
            "draw(title='a', titlefont=3)",
        ),
        (
            "sklearn-pin-cv",
            "from sklearn.feature_selection import RFECV\n",
            "r = RFECV(model, 1, 5)",
        ),
        ("sklearn-pin-svm-gamma", "from sklearn.svm import SVC\n", "m = SVC(1.0, 'rbf', 3, 0.1)"),
        ("sklearn-pin-svm-gamma", "from sklearn.svm import SVC\n", "m = SVC(10, 'linear')"),
        (
            "sklearn-pin-kmeans-n-init",
            "from sklearn.cluster import KMeans\n",
            "m = KMeans(3, 'k-means++', 5)",
        ),
    ],
)
def test_what_is_no_old_code_stays(rule: str, setup: str, code: str) -> None:
    assert_stays(rule, code, setup)


@pytest.mark.parametrize(
    ("rule", "setup", "before", "after"),
    [
        (
            "seaborn-size",
            SNS,
            "sns.catplot(x='a', data=d, kind='box', size=3)",
            "sns.catplot(x='a', data=d, kind='box', height=3)",
        ),
        ("seaborn-positional", SNS, "sns.lineplot(a, b)", "sns.lineplot(x=a, y=b)"),
        (
            "seaborn-positional",
            SNS,
            "sns.lineplot('a', 'b', data=d)",
            "sns.lineplot(x='a', y='b', data=d)",
        ),
        (
            "matplotlib-set-color-cycle",
            PLT,
            "plt.gca().set_color_cycle(None)",
            "plt.gca().set_prop_cycle(None)",
        ),
        ("matplotlib-legend-draggable", PLT, "g.draggable(False)", "g.set_draggable(False)"),
        ("matplotlib-legend-draggable", PLT, "g.draggable()", "g.set_draggable(True)"),
        (
            "matplotlib-gca-projection",
            PLT + "fig = plt.figure()\n",
            "a = fig.gca(projection='3d')\nb = fig.gca(projection='3d')",
            "a = fig.add_subplot(projection='3d')\nb = fig.gca()",
        ),
        (
            "matplotlib-plot-date",
            PLT,
            "plt.plot_date(x=a, y=b, fmt='-', xdate=True)",
            "plt.gca().xaxis_date()\nplt.plot(a, b, '-')",
        ),
        (
            "statsmodels-kpss-lags",
            "from statsmodels.tsa.stattools import kpss\n",
            "kpss(x, lags=None)",
            "kpss(x, nlags='legacy')",
        ),
        (
            "sklearn-loss-log",
            "from sklearn.linear_model import SGDClassifier\n",
            "m = SGDClassifier('log')",
            "m = SGDClassifier('log_loss')",
        ),
        (
            "sklearn-get-feature-names",
            LGB + "from sklearn.feature_extraction.text import CountVectorizer\n",
            "n = CountVectorizer().get_feature_names()\nd = lgb.Dataset(X, feature_name=n)",
            "n = list(CountVectorizer().get_feature_names_out())\n"
            "d = lgb.Dataset(X, feature_name=n)",
        ),
        (
            "sklearn-one-hot-columns",
            "from sklearn.compose import ColumnTransformer\n"
            "from sklearn.preprocessing import OneHotEncoder\n",
            "e = OneHotEncoder(categorical_features=0)",
            "e = ColumnTransformer([('encoded', OneHotEncoder(), [0])], "
            "remainder='passthrough', sparse_threshold=1)",
        ),
        (
            "xgboost-fit-arguments",
            XGB + "m = xgb.XGBClassifier()\n",
            "m.fit(X, y, early_stopping_rounds=5, eval_set=v)\nm.fit(X, y)\n"
            "cross_val_score(m, X, y)",
            "m.set_params(early_stopping_rounds=5).fit(X, y, eval_set=v)\n"
            "m.set_params(early_stopping_rounds=None).fit(X, y)\n"
            "cross_val_score(m.set_params(early_stopping_rounds=None), X, y)",
        ),
    ],
)
def test_details_are_kept(rule: str, setup: str, before: str, after: str) -> None:
    assert_rewrites(rule, before, after, setup)


def test_old_functions_have_their_own_order_of_arguments() -> None:
    rules = (
        "sklearn-pin-cv",
        "sklearn-cross-validation",
        "sklearn-positional-cross-validation",
        "sklearn-class-weight-positional",
    )
    after = cells(
        "from sklearn.cross_validation import cross_val_score\n"
        "from sklearn.grid_search import GridSearchCV\n"
        "from sklearn.learning_curve import validation_curve",
        "cross_val_score(m, X, y, 'accuracy', 10)\n"
        "GridSearchCV(m, grid, 'roc_auc')\n"
        "validation_curve(m, X, y, 'C', values, 5)",
        rules=rules,
    )
    assert after[1].splitlines() == [
        "cross_val_score(m, X, y, scoring='accuracy', cv=10)",
        "GridSearchCV(m, grid, scoring='roc_auc', cv=3)",
        "validation_curve(m, X, y, param_name='C', param_range=values, cv=5)",
    ]


def test_newer_argument_order_applies_to_the_newer_module() -> None:
    after = cells(
        "from sklearn.model_selection import cross_val_score\n"
        "cross_val_score(m, X, y, None, 'f1', 10)",
        rules=("sklearn-pin-cv", "sklearn-positional-cross-validation"),
    )
    assert after[0].endswith("cross_val_score(m, X, y, groups=None, scoring='f1', cv=10)")
