"""Models, scores and searches of scikit-learn that are asked for in old ways."""

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
        "sklearn-positional-cross-validation",
        DATA + "from sklearn.model_selection import cross_val_score\n"
        "from sklearn.tree import DecisionTreeClassifier\n",
        "result = cross_val_score(DecisionTreeClassifier(), X, y, None, 'accuracy', 4)",
        "result.shape == (4,)",
    ),
    Case(
        "sklearn-sgd-penalty-none",
        DATA + "from sklearn.linear_model import SGDClassifier\n",
        "m = SGDClassifier(penalty='none').fit(X, y)",
        "m.penalty is None",
    ),
]
SILENT: list[Case] = []
