"""Old and new forms of one setting are no change of the experiment; others beside them are."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.proposal import Meaning
from tests.fixing.integrity.corpus import edit

EQUAL = [
    ("LogisticRegression(multi_class='ovr', C=2)", "OneVsRestClassifier(LogisticRegression(C=2))"),
    (
        "LogisticRegression(solver='liblinear')",
        "OneVsRestClassifier(LogisticRegression(solver='liblinear'))",
    ),
    (
        "LogisticRegression(penalty='l1', multi_class='ovr')",
        "OneVsRestClassifier(LogisticRegression(penalty='l1', solver='liblinear'))",
    ),
    (
        "LogisticRegression(penalty='l1', multi_class='ovr')",
        "LogisticRegression(penalty='l1', solver='liblinear')",
    ),
    (
        "LogisticRegression(multi_class='ovr', solver='saga')",
        "OneVsRestClassifier(estimator=LogisticRegression(solver='saga'))",
    ),
    (
        "GridSearchCV(LogisticRegression(multi_class='ovr'), {'C': [1, 2]})",
        "GridSearchCV(OneVsRestClassifier(LogisticRegression()), {'estimator__C': [1, 2]})",
    ),
    ("LogisticRegression(C=2)", "LogisticRegression(C=2, solver='liblinear')"),
    ("LogisticRegression()", "OneVsRestClassifier(LogisticRegression(solver='liblinear'))"),
    (
        "CalibratedClassifierCV(m, method='sigmoid', cv='prefit')",
        "CalibratedClassifierCV(FrozenEstimator(m), method='sigmoid')",
    ),
    (
        "Convolution2D(nb_filter=8, nb_row=3, nb_col=2)",
        "Conv2D(filters=8, kernel_size=(3, 2))",
    ),
    ("SGD(lr=0.5, decay=0.1)", "SGD(learning_rate=InverseTimeDecay(0.5, 1, 0.1))"),
    (
        "m.compile(loss='mse', optimizer='adadelta')",
        "m.compile(loss='mse', optimizer=Adadelta(learning_rate=1.0))",
    ),
    (
        "m.compile(loss='mse', optimizer=tf.train.AdamOptimizer(0.25))",
        "m.compile(loss='mse', optimizer=tf.keras.optimizers.Adam(0.25))",
    ),
    ("LinearRegression(normalize=True)", "make_pipeline(StandardScaler(), LinearRegression())"),
    (
        "Ridge(alpha=0.1, normalize=True)",
        "make_pipeline(StandardScaler(), Ridge(alpha=0.1 * len(X)))",
    ),
    (
        "RidgeCV(alphas=[0.1, 1], normalize=True)",
        "make_pipeline(StandardScaler(), RidgeCV(alphas=np.array([0.1, 1]) * X_train.shape[0]))",
    ),
    (
        "Lasso(alpha=a, normalize=True)",
        "Pipeline([('scale', StandardScaler()), ('lasso', Lasso(alpha=a * np.sqrt(len(X))))])",
    ),
    (
        "make_pipeline(PolynomialFeatures(3), LassoCV(n_alphas=20, normalize=True, cv=5))",
        "make_pipeline(PolynomialFeatures(3), StandardScaler(), LassoCV(alphas=20, cv=5))",
    ),
    (
        "LassoCV(alphas=tried, normalize=True)",
        "make_pipeline(StandardScaler(), LassoCV(alphas=tried * len(X) ** 0.5))",
    ),
    (
        "LassoCV(n_alphas=number, normalize=True)",
        "make_pipeline(StandardScaler(), LassoCV(alphas=number))",
    ),
    (
        "Pipeline([('p', PolynomialFeatures(3)), ('m', LassoCV(normalize=True, cv=5))])",
        "Pipeline([('p', PolynomialFeatures(3)), ('s', StandardScaler()), ('m', LassoCV(cv=5))])",
    ),
    ("m = model.steps[1][1]\nm.alpha_", "m = model.steps[2][1]\nm.alpha_"),
    ("np.timedelta64(1, 'M')", "np.timedelta64(2629746, 's')"),
    (
        "(a - b).astype('timedelta64[D]')",
        "((a - b) // np.timedelta64(1, 'D')).astype('float64')",
    ),
    ("SMOTE(kind='borderline2')", "SMOTE(kind='borderline-2')"),
    ("df['s'].replace('m', 1.5)", "df['s'].replace('m', 1.5).infer_objects()"),
    ("os.environ['OMP_NUM_THREADS'] = '1'", "os.environ['OMP_NUM_THREADS'] = '4'"),
    ("% pwd", "%pwd"),
    (
        "m.fit_generator(g, samples_per_epoch=2000)",
        "m.fit(g, steps_per_epoch=2000 // g.batch_size)",
    ),
]
OTHER = [
    ("LassoCV(cv=5)", "make_pipeline(StandardScaler(), LassoCV(cv=5))"),
    ("Ridge(alpha=0.1)", "make_pipeline(StandardScaler(), Ridge(alpha=0.1 * len(X)))"),
    ("Ridge(alpha=0.1, normalize=True)", "make_pipeline(StandardScaler(), Ridge(alpha=0.1))"),
    ("Ridge(alpha=0.1, normalize=True)", "make_pipeline(StandardScaler(), Ridge(alpha=0.1 * 30))"),
    (  # without an intercept it did not scale
        "Ridge(alpha=0.1, normalize=True, fit_intercept=False)",
        "make_pipeline(StandardScaler(), Ridge(alpha=0.1 * len(X), fit_intercept=False))",
    ),
    (
        "Ridge(alpha=0.1, normalize=True)",
        "make_pipeline(StandardScaler(), Ridge(alpha=0.1 * np.sqrt(len(X))))",
    ),
    (
        "Lasso(alpha=0.1, normalize=True)",
        "make_pipeline(StandardScaler(), Lasso(alpha=0.1 * len(X)))",
    ),
    (
        "LassoCV(alphas=[0.1, 1], normalize=True)",
        "make_pipeline(StandardScaler(), LassoCV(alphas=[0.1, 1]))",
    ),
    (
        "LassoCV(alphas=tried, normalize=True)",
        "make_pipeline(StandardScaler(), LassoCV(alphas=tried))",
    ),
    ("make_pipeline(StandardScaler(), SVC())", "make_pipeline(SVC())"),
    ("make_pipeline(SVC())", "make_pipeline(PCA(5), SVC())"),
    ("LogisticRegression(multi_class='ovr')", "OneVsRestClassifier(LogisticRegression(C=9))"),
    ("LogisticRegression()", "OneVsRestClassifier(LogisticRegression(C=9))"),
    ("LogisticRegression()", "OneVsRestClassifier(LogisticRegression())"),
    ("LogisticRegression(solver='liblinear')", "LogisticRegression(solver='saga')"),
    ("OneVsRestClassifier(SVC())", "SVC()"),
    (
        "GridSearchCV(LogisticRegression(multi_class='ovr'), {'C': [1, 2]})",
        "GridSearchCV(OneVsRestClassifier(LogisticRegression()), {'estimator__C': [1]})",
    ),
    ("LogisticRegression()", "OneVsRestClassifier(LogisticRegression(C=9, solver='liblinear'))"),
    ("CalibratedClassifierCV(m, cv=3)", "CalibratedClassifierCV(FrozenEstimator(m), cv=5)"),
    ("Convolution2D(nb_filter=8, nb_row=3, nb_col=2)", "Conv2D(filters=8, kernel_size=(5, 5))"),
    ("Convolution2D(nb_filter=8, nb_row=3, nb_col=2)", "Conv2D(filters=9, kernel_size=(3, 2))"),
    ("SGD(lr=0.5, decay=0.1)", "SGD(learning_rate=InverseTimeDecay(0.5, 1, 0.7))"),
    ("m.compile(optimizer='adam')", "m.compile(optimizer=SGD(learning_rate=0.01))"),
    ("m.compile(optimizer='adam')", "m.compile(optimizer=Adam(learning_rate=0.3))"),
    ("np.timedelta64(1, 'M')", "np.timedelta64(1, 's')"),
    ("(a - b).astype('timedelta64[D]')", "((a - b) // np.timedelta64(7, 'D')).astype('float64')"),
    ("f(kind='-1')", "f(kind='1')"),
    ("m.fit_generator(g, samples_per_epoch=2000)", "m.fit(g, steps_per_epoch=2000 // 9000)"),
    ("m.fit(g, steps_per_epoch=n // 32)", "m.fit(g, steps_per_epoch=n // 3200)"),
    ("os.environ['PYTHONHASHSEED'] = '1'", "os.environ['PYTHONHASHSEED'] = '4'"),
]


def meaning(old: str, new: str) -> Meaning | None:
    def source(code: str) -> str:
        return code if " = " in code or code.startswith("%") else f"r = {code}"

    return edit("c", source(old), source(new)).meaning


@pytest.mark.parametrize(("old", "new"), EQUAL)
def test_two_forms_of_one_setting_are_no_change(old: str, new: str) -> None:
    assert meaning(old, new) is not Meaning.EXPERIMENT


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_another_setting_is_a_change(old: str, new: str) -> None:
    assert meaning(old, new) is Meaning.EXPERIMENT
