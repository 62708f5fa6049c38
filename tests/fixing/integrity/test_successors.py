"""Which replacements are renames, and which are another thing under another name."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.proposal import (
    Meaning,
)
from mle_modernizer_server.fixing.integrity import classify
from tests.fixing.integrity.test_patches import notes
from tests.values import modification


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("d['m'] = d.a.mean()", "d['m'] = d.a.median()"),
        ("x = np.mean(y)", "x = np.median(y)"),
        ("p = m.predict_proba(X)", "p = m.predict(X)"),
        ("x = np.log(y)", "x = np.log1p(y)"),
        ("x = d.a.sum()", "x = d.a.cumsum()"),
        ("X = d.Age", "X = d.Fare"),
        ("d = clean(d)", "d = prepare(d)"),
        ("m.fit(X_train, y)", "m.fit(X, y)"),
        ("x = a + b", "x = a - b"),
    ],
)
def test_another_function_is_no_rename(before: str, after: str) -> None:
    assert classify(modification("c1", before, after)) in (Meaning.OTHER, Meaning.EXPERIMENT)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = tf.random_normal([1])", "x = tf.random.normal([1])"),
        ("s = tf.Session()", "s = tf.compat.v1.Session()"),
        ("d = d.drop('a', 1)", "d = d.drop('a', axis=1)"),
        ("n = v.get_feature_names()", "n = v.get_feature_names_out()"),
        ("x = np.Inf", "x = np.inf"),
        ("k = KFold(5, True, 0)", "k = KFold(5, shuffle=True, random_state=0)"),
        ("s = scipy.misc.logsumexp(x)", "s = scipy.special.logsumexp(x)"),
        ("i = Imputer()", "i = SimpleImputer()"),
    ],
)
def test_successors_are_renames_and_need_no_note(before: str, after: str) -> None:
    assert classify(modification("c1", before, after)) is Meaning.RENAME
    assert notes(before, after) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "m = lgb.train(p, d, early_stopping_rounds=20)",
            "m = lgb.train(p, d, callbacks=[lgb.early_stopping(20)])",
        ),
        ("m = SVC(C=1.0)", "m = SVC(C=1)"),
        ("k = KFold(len(y), n_folds=5)", "k = KFold(n_splits=5)"),
        ("k = StratifiedKFold(y, 5)", "k = StratifiedKFold(5)"),
        ("k = ShuffleSplit(100, n_iter=10)", "k = ShuffleSplit(n_splits=10)"),
    ],
)
def test_a_parameter_that_only_changed_its_place_is_no_change(before: str, after: str) -> None:
    assert notes(before, after) == ()
