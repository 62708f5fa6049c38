from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LOUD: list[Case] = [
    Case(
        "imblearn-fit-sample",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.over_sampling import SMOTE\n",
        "A, c = SMOTE(random_state=0).fit_sample(X, b)",
        "c.mean() == 0.5",
    ),
    Case(
        "imblearn-fit-sample",
        DATA + "import pandas as pd\nfrom imblearn.over_sampling import SMOTE\n"
        "b = pd.Series((y > 1).astype(int), name='label')\n",
        "A, c = SMOTE(random_state=0).fit_sample(pd.DataFrame(X), b)\n"
        "result = pd.DataFrame(c, columns=['y'])",
        "result['y'].mean() == 0.5",
        line=1,
    ),
    Case(
        "imblearn-ratio",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.under_sampling import RandomUnderSampler\n",
        "A, c = RandomUnderSampler(ratio='auto', random_state=0).fit_resample(X, b)",
        "c.mean() == 0.5",
    ),
    Case(
        "imblearn-smote-kind",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.over_sampling import SMOTE\n",
        "A, c = SMOTE(kind='regular', random_state=0).fit_resample(X, b)",
        "c.mean() == 0.5",
    ),
    Case(
        "imblearn-smote-kind",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.over_sampling import SMOTE\n",
        "s = SMOTE(kind='borderline2', m=8, random_state=0)\nA, c = s.fit_resample(X, b)",
        "s.kind == 'borderline-2' and s.m_neighbors == 8",
    ),
    Case(
        "imblearn-smote-kind",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.over_sampling import SMOTE\n",
        "s = SMOTE(random_state=0, kind='svm')\nA, c = s.fit_resample(X, b)",
        "'SVM' in type(s).__name__",
    ),
    Case(
        "imblearn-smote-neighbours",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.over_sampling import SMOTE\n",
        "s = SMOTE(k=3, random_state=0)",
        "s.k_neighbors == 3",
    ),
    Case(
        "imblearn-oversampler-jobs",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.over_sampling import SMOTE\n",
        "s = SMOTE(n_jobs=-1, random_state=0)",
        "s.random_state == 0",
    ),
    Case(
        "imblearn-return-indices",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.under_sampling import RandomUnderSampler\n",
        "s = RandomUnderSampler(return_indices=True, random_state=0)\n"
        "A, c, rows = s.fit_resample(X, b)",
        "(b[rows] == c).all()",
    ),
    Case(
        "imblearn-undersampler-seed",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.under_sampling import NearMiss\n",
        "A, c = NearMiss(random_state=0, version=1).fit_resample(X, b)",
        "c.mean() == 0.5",
    ),
    Case(
        "imblearn-size-ngh",
        DATA + "b = (y > 1).astype(int)\n"
        "from imblearn.under_sampling import EditedNearestNeighbours\n",
        "s = EditedNearestNeighbours(size_ngh=2)",
        "s.n_neighbors == 2",
    ),
    Case(
        "imblearn-centroids-jobs",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.under_sampling import ClusterCentroids\n",
        "s = ClusterCentroids(n_jobs=2, random_state=0)",
        "s.random_state == 0",
    ),
    Case(
        "imblearn-ratio-others",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.under_sampling import TomekLinks\n",
        "s = TomekLinks(ratio='majority')",
        "s.sampling_strategy == 'majority'",
    ),
    Case(
        "imblearn-make-imbalance",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.datasets import make_imbalance\n",
        "A, c = make_imbalance(X, y, ratio={0: 10}, random_state=0)",
        "(c == 0).sum() == 10",
    ),
    Case(
        "imblearn-base-estimator",
        DATA + "b = (y > 1).astype(int)\n"
        "from imblearn.ensemble import BalancedBaggingClassifier\n"
        "from sklearn.naive_bayes import GaussianNB\n",
        "m = BalancedBaggingClassifier(base_estimator=GaussianNB(), n_estimators=2).fit(X, b)",
        "m.n_estimators == 2",
    ),
    Case(
        "imblearn-easy-ensemble",
        DATA + "b = (y > 1).astype(int)\n",
        "from imblearn.ensemble import EasyEnsemble",
        fix=False,
    ),
    Case(
        "imblearn-combine-arguments",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.combine import SMOTETomek\n",
        "SMOTETomek(k=3)",
        fix=False,
    ),
    Case(
        "imblearn-sample-method",
        DATA + "b = (y > 1).astype(int)\nfrom imblearn.over_sampling import SMOTE\ns = SMOTE()\n",
        "s.sample(X, b)",
        fix=False,
    ),
]

SILENT: list[Case] = [
    Case(
        "imblearn-balanced-forest",
        DATA + "b = (y > 1).astype(int)\n"
        "from imblearn.ensemble import BalancedRandomForestClassifier\n",
        "m = BalancedRandomForestClassifier(n_estimators=2)",
        "m.sampling_strategy == 'auto' and m.replacement is False and m.bootstrap is True",
        without={"kaggle": "0.12 says warn for the defaults to come"},
    ),
]
