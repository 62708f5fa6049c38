"""Labels that are encoded for a model and decoded after it are no change of the experiment."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.proposal import IntegritySeverity, Meaning
from mle_modernizer_server.fixing.integrity import Judgement, judge_edits
from tests.fixing.integrity.corpus import edit, notebook_of

LOAD = """\
import pandas as pd
from xgboost import XGBClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_score, train_test_split
train, test = pd.read_csv('../input/train.csv'), pd.read_csv('../input/test.csv')
X, y = train.drop('Cover_Type', axis=1), train['Cover_Type']
"""
MODEL = "model = XGBClassifier(n_estimators=50)\nprint(cross_val_score(model, X, y))"
SUBMIT = """\
model.fit(X, y)
pred = model.predict(test)
pd.DataFrame({'Id': test.Id, 'Cover_Type': pred}).to_csv('submission.csv', index=False)"""
ENCODER = "from sklearn.preprocessing import LabelEncoder\nle = LabelEncoder()\n"
DECODED = SUBMIT.replace("model.predict(test)", "le.inverse_transform(model.predict(test))")


def judged(model: str, submit: str) -> Judgement:
    book = notebook_of({"load": LOAD, "model": MODEL, "submit": SUBMIT})
    changes = (("model", MODEL, model), ("submit", SUBMIT, submit))
    return judge_edits(book, [edit(*one) for one in changes if one[1] != one[2]])


def in_codes(cell: str) -> str:
    return cell.replace("X, y)", "X, codes)")


@pytest.mark.parametrize(
    ("model", "submit"),
    [
        (f"{ENCODER}codes = le.fit_transform(y)\n{in_codes(MODEL)}", in_codes(DECODED)),
        (f"{ENCODER}y = le.fit_transform(y)\n{MODEL}", DECODED),
        (f"{ENCODER}le.fit(y)\ncodes = le.transform(y)\n{in_codes(MODEL)}", in_codes(DECODED)),
        (
            MODEL,
            f"{ENCODER}{DECODED}".replace("fit(X, y)", "fit(X, le.fit_transform(y))"),
        ),
        (
            MODEL,
            f"{ENCODER}le = LabelEncoder().fit(y)\n{DECODED}".replace(
                "le = LabelEncoder()\n", "", 1
            ).replace("fit(X, y)", "fit(X, le.transform(y))"),
        ),
        (
            f"{ENCODER}y = le.fit_transform(y)\n{MODEL}",
            SUBMIT.replace("pd.Data", "pred = le.inverse_transform(pred)\npd.Data"),
        ),
    ],
)
def test_labels_encoded_and_decoded_pass(model: str, submit: str) -> None:
    judgement = judged(model, submit)
    assert not judgement.left_out and not judgement.notes
    assert Meaning.EXPERIMENT not in [one.meaning for one in judgement.edits]


@pytest.mark.parametrize(
    ("model", "submit"),
    [
        (f"{ENCODER}y = le.fit_transform(y)\n{MODEL}", SUBMIT),
        (f"{ENCODER}le.fit([3, 1, 2])\n{MODEL}", DECODED),
        (f"{ENCODER}y = le.fit_transform(y)\nm = le\n{MODEL}", DECODED),
        (f"{ENCODER}y = le.fit_transform(y[:100])\n{MODEL}", DECODED),
        (f"{ENCODER}y = le.fit_transform(y)\n{MODEL.replace('50', '90')}", DECODED),
        (
            f"{ENCODER}y = le.fit_transform(y)\nother = LabelEncoder().fit(train['A'])\n{MODEL}",
            DECODED.replace("le.inv", "other.inv"),
        ),
        (
            f"class LabelEncoder:\n    pass\nle = LabelEncoder()\ny = le.fit_transform(y)\n{MODEL}",
            DECODED,
        ),
    ],
)
def test_labels_changed_otherwise_are_a_change(model: str, submit: str) -> None:
    judgement = judged(model, submit)
    assert judgement.left_out or Meaning.EXPERIMENT in [one.meaning for one in judgement.edits]


def test_decoded_value_that_is_not_predicted_is_blocked() -> None:
    submit = SUBMIT.replace("model.predict(test)", "le.inverse_transform(le.transform(train.A))")
    judgement = judged(f"{ENCODER}y = le.fit_transform(y)\n{MODEL}", submit)
    severities = [note.severity for one in judgement.left_out for note in one.notes]
    assert IntegritySeverity.BLOCKER in severities
