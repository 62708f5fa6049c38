"""Estimators by family and task: scikit-learn's, and any class named as one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Family(str, Enum):
    """Family of an estimator."""

    LINEAR = "linear"
    TREE = "tree"
    FOREST = "forest"
    BOOSTING = "boosting"
    NEIGHBORS = "neighbors"
    KERNEL = "kernel"
    NETWORK = "network"
    BAYES = "bayes"
    DUMMY = "dummy"
    OTHER = "other"


class Task(str, Enum):
    """Kind of an estimator's predictions."""

    REGRESSION = "regression"
    CLASSIFICATION = "classification"


@dataclass(frozen=True)
class Estimator:
    """A class of estimators.

    Attributes:
        address: Its address, e.g. `sklearn.linear_model.Ridge`.
        family: Its family.
        task: Its kind of predictions.
    """

    address: str
    family: Family
    task: Task

    @property
    def name(self) -> str:
        """Return the class's own name."""
        return self.address.rpartition(".")[2]


_REGRESSORS = {
    Family.LINEAR: "linear_model: LinearRegression Ridge RidgeCV Lasso LassoCV LassoLars "
    "ElasticNet ElasticNetCV BayesianRidge ARDRegression HuberRegressor Lars SGDRegressor "
    "PoissonRegressor TweedieRegressor GammaRegressor TheilSenRegressor RANSACRegressor "
    "QuantileRegressor",
    Family.TREE: "tree: DecisionTreeRegressor ExtraTreeRegressor",
    Family.FOREST: "ensemble: RandomForestRegressor ExtraTreesRegressor",
    Family.BOOSTING: "ensemble: GradientBoostingRegressor HistGradientBoostingRegressor",
    Family.NEIGHBORS: "neighbors: KNeighborsRegressor",
    Family.KERNEL: "svm: SVR LinearSVR NuSVR",
    Family.NETWORK: "neural_network: MLPRegressor",
    Family.DUMMY: "dummy: DummyRegressor",
}
_CLASSIFIERS = {
    Family.LINEAR: "linear_model: LogisticRegression LogisticRegressionCV RidgeClassifier "
    "RidgeClassifierCV SGDClassifier Perceptron PassiveAggressiveClassifier",
    Family.TREE: "tree: DecisionTreeClassifier ExtraTreeClassifier",
    Family.FOREST: "ensemble: RandomForestClassifier ExtraTreesClassifier",
    Family.BOOSTING: "ensemble: GradientBoostingClassifier HistGradientBoostingClassifier",
    Family.NEIGHBORS: "neighbors: KNeighborsClassifier",
    Family.KERNEL: "svm: SVC LinearSVC NuSVC",
    Family.NETWORK: "neural_network: MLPClassifier",
    Family.BAYES: "naive_bayes: GaussianNB BernoulliNB",
    Family.DUMMY: "dummy: DummyClassifier",
}


def _listed(task: Task, table: dict[Family, str]) -> list[Estimator]:
    found = []
    for family, text in table.items():
        module, _, names = text.partition(": ")
        found += [Estimator(f"sklearn.{module}.{name}", family, task) for name in names.split()]
    return found


ESTIMATORS: dict[str, Estimator] = {
    one.address: one
    for one in (
        *_listed(Task.REGRESSION, _REGRESSORS),
        *_listed(Task.CLASSIFICATION, _CLASSIFIERS),
    )
}
"""By address."""

_OF_LIBRARIES = frozenset({"lightgbm", "xgboost", "catboost"})


def named_estimator(address: str) -> Estimator | None:
    """Return a class by its name: `library.SomethingClassifier`; None if it is named otherwise."""
    boosts = address.partition(".")[0] in _OF_LIBRARIES
    for task, ending in ((Task.REGRESSION, "Regressor"), (Task.CLASSIFICATION, "Classifier")):
        if address.endswith(ending):
            return Estimator(address, Family.BOOSTING if boosts else Family.OTHER, task)
    return None


GRIDS = {
    "sklearn.model_selection.GridSearchCV": "param_grid",
    "sklearn.model_selection.RandomizedSearchCV": "param_distributions",
}
"""The parameter with the values to try, by the address of a search."""

WRAPPERS = frozenset(
    {
        "sklearn.multiclass.OneVsRestClassifier",
        "sklearn.multiclass.OneVsOneClassifier",
        "sklearn.calibration.CalibratedClassifierCV",
        "sklearn.pipeline.make_pipeline",
        "sklearn.pipeline.Pipeline",
        "sklearn.compose.TransformedTargetRegressor",
        "sklearn.ensemble.VotingClassifier",
        "sklearn.ensemble.VotingRegressor",
        "sklearn.ensemble.BaggingClassifier",
        "sklearn.ensemble.BaggingRegressor",
        "sklearn.model_selection.TunedThresholdClassifierCV",
    }
)
"""Wrappers of an estimator that are fitted in its place."""

SCALERS = frozenset(
    f"sklearn.preprocessing.{name}"
    for name in (
        "StandardScaler",
        "MinMaxScaler",
        "RobustScaler",
        "MaxAbsScaler",
        "QuantileTransformer",
        "PowerTransformer",
    )
)
ENCODERS = frozenset(
    {
        *(f"sklearn.preprocessing.{name}" for name in ("OneHotEncoder", "OrdinalEncoder")),
        *(f"sklearn.preprocessing.{name}" for name in ("LabelEncoder", "TargetEncoder")),
    }
)
IMPUTERS = frozenset(f"sklearn.impute.{name}" for name in ("SimpleImputer", "KNNImputer"))
SELECTORS = frozenset(
    f"sklearn.feature_selection.{name}"
    for name in ("SelectKBest", "SelectPercentile", "SelectFromModel", "RFE", "RFECV", "SelectFpr")
)
REDUCERS = frozenset(f"sklearn.decomposition.{name}" for name in ("PCA", "TruncatedSVD", "NMF"))
SPARSE_MAKERS = frozenset(
    {
        *(
            f"sklearn.feature_extraction.text.{name}"
            for name in ("TfidfVectorizer", "CountVectorizer")
        ),
        "sklearn.feature_extraction.text.HashingVectorizer",
        "sklearn.feature_extraction.DictVectorizer",
        "sklearn.feature_extraction.FeatureHasher",
        "sklearn.preprocessing.OneHotEncoder",
    }
)
"""Calls that return matrices that gradient boosting does not take."""

NO_PROBABILITIES = frozenset(
    {
        *("RidgeClassifier", "RidgeClassifierCV", "SGDClassifier", "Perceptron"),
        *("PassiveAggressiveClassifier", "SVC", "LinearSVC", "NuSVC"),
    }
)
"""Classes without `predict_proba` as they are by default."""
