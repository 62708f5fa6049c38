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


def judged(model: str, submit: str, load: str = LOAD) -> Judgement:
    book = notebook_of({"load": LOAD, "model": MODEL, "submit": SUBMIT})
    changes = (("load", LOAD, load), ("model", MODEL, model), ("submit", SUBMIT, submit))
    return judge_edits(book, [edit(*one) for one in changes if one[1] != one[2]])


def predicted(decoded: str, *, codes: str = "y") -> str:
    """Return the last cell with labels `codes` and a decoded prediction."""
    return SUBMIT.replace("X, y)", f"X, {codes})").replace("model.predict(test)", decoded)


def is_change(judgement: Judgement) -> bool:
    return bool(judgement.left_out) or Meaning.EXPERIMENT in [
        one.meaning for one in judgement.edits
    ]


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
    assert is_change(judged(model, submit))


def test_decoded_value_that_is_not_predicted_is_blocked() -> None:
    submit = SUBMIT.replace("model.predict(test)", "le.inverse_transform(le.transform(train.A))")
    judgement = judged(f"{ENCODER}y = le.fit_transform(y)\n{MODEL}", submit)
    severities = [note.severity for one in judgement.left_out for note in one.notes]
    assert IntegritySeverity.BLOCKER in severities


SHIFTED = LOAD.replace("train['Cover_Type']", "train['Cover_Type'] - 1")
CODES = f"codes = y - 1\n{in_codes(MODEL)}"
NUMBERS = "to_code = {1: 0, 2: 1, 3: 2}\n"
LABELS = "to_label = {0: 1, 1: 2, 2: 3}\n"
MAPPED = f"{NUMBERS}y = y.map(to_code)\n{MODEL}"
COUNTED = "to_code = {label: code for code, label in enumerate(sorted(y.unique()))}\n"
FACTORIZED = f"codes, classes = pd.factorize(y)\n{in_codes(MODEL)}"
UNIQUE = (
    f"import numpy as np\nclasses, codes = np.unique(y, return_inverse=True)\n{in_codes(MODEL)}"
)


@pytest.mark.parametrize(
    ("load", "model", "submit"),
    [
        (SHIFTED, MODEL, predicted("model.predict(test) + 1")),
        (SHIFTED, MODEL, predicted("model.predict(test)").replace("pred}", "pred + 1}")),
        (LOAD, f"y = y - 1\n{MODEL}", SUBMIT.replace("pd.D", "pred += 1\npd.D")),
        (LOAD, f"y -= 1\n{MODEL}", SUBMIT.replace("pd.D", "pred = pred + 1\npd.D")),
        (
            LOAD,
            MODEL.replace("X, y)", "X, y - 1)"),
            predicted("model.predict(test) + 1", codes="y - 1"),
        ),
        (LOAD, CODES, predicted("model.predict(test) + 1", codes="codes")),
        (
            LOAD,
            MODEL.replace("X, y)", "X, y.map({1: 0, 2: 1, 3: 2}))"),
            predicted(
                "pd.Series(model.predict(test)).map({0: 1, 1: 2, 2: 3})",
                codes="y.map({1: 0, 2: 1, 3: 2})",
            ),
        ),
        (LOAD, MAPPED, f"{LABELS}{predicted('pd.Series(model.predict(test)).map(to_label)')}"),
        (
            LOAD,
            f"{COUNTED}codes = y.map(to_code)\n{in_codes(MODEL)}",
            "to_label = {code: label for label, code in to_code.items()}\n"
            + predicted("[to_label[code] for code in model.predict(test)]", codes="codes"),
        ),
        (LOAD, FACTORIZED, predicted("classes[model.predict(test)]", codes="codes")),
        (LOAD, FACTORIZED, predicted("classes.take(model.predict(test))", codes="codes")),
        (LOAD, UNIQUE, predicted("classes[model.predict(test)]", codes="codes")),
        (
            LOAD,
            f"y, classes = pd.factorize(y, sort=True)\n{MODEL}",
            predicted("classes[model.predict(test).astype(int)]"),
        ),
    ],
)
def test_labels_in_codes_and_back_are_the_same(load: str, model: str, submit: str) -> None:
    judgement = judged(model, submit, load)
    assert not judgement.left_out and not judgement.notes
    assert not is_change(judgement)


@pytest.mark.parametrize(
    ("load", "model", "submit"),
    [
        # decoded otherwise than encoded, or not at all
        (SHIFTED, MODEL, SUBMIT),
        (SHIFTED, MODEL, predicted("model.predict(test) + 2")),
        (LOAD, MODEL, predicted("model.predict(test) + 1")),
        (LOAD, f"y = y + 1\n{MODEL}", predicted("model.predict(test) + 1")),
        (LOAD, CODES, predicted("model.predict(test)", codes="codes")),
        (LOAD, MAPPED, predicted("pd.Series(model.predict(test)).map({0: 2, 1: 1, 2: 3})")),
        (LOAD, FACTORIZED, predicted("classes[::-1][model.predict(test)]", codes="codes")),
        (
            LOAD,
            FACTORIZED,
            "classes = sorted(classes)\n"
            + predicted("[classes[one] for one in model.predict(test)]", codes="codes"),
        ),
        (
            LOAD,
            CODES,
            predicted("model.predict(test) + 1", codes="codes")
            + "\npd.DataFrame({'Id': test.Id, 'Cover_Type': model.predict(test)})"
            ".to_csv('submission.csv', index=False)",
        ),
        # labels shuffled
        (
            LOAD,
            CODES.replace("y - 1", "y.sample(frac=1) - 1"),
            predicted("model.predict(test) + 1"),
        ),
        (
            LOAD,
            FACTORIZED.replace("factorize(y)", "factorize(y.sample(frac=1))"),
            predicted("classes[model.predict(test)]", codes="codes"),
        ),
        (
            LOAD,
            FACTORIZED.replace("(y)\n", "(y)\ncodes = codes[::-1]\n"),
            predicted("classes[model.predict(test)]", codes="codes"),
        ),
        # two labels mapped to one
        (
            LOAD,
            MAPPED.replace("3: 2", "3: 1"),
            f"{LABELS}{predicted('pd.Series(model.predict(test)).map(to_label)')}",
        ),
        (
            LOAD,
            f"{COUNTED}to_code[2] = 0\ncodes = y.map(to_code)\n{in_codes(MODEL)}",
            "to_label = {code: label for label, code in to_code.items()}\n"
            + predicted("[to_label[code] for code in model.predict(test)]", codes="codes"),
        ),
        # another experiment beside the codes
        (
            LOAD,
            CODES.replace("n_estimators=50", "n_estimators=90"),
            predicted("model.predict(test) + 1", codes="codes"),
        ),
        (
            LOAD.replace("axis=1)", "axis=1) - 1"),
            MODEL,
            predicted("model.predict(test) + 1"),
        ),
        (
            LOAD,
            CODES.replace("XGBClassifier(", "XGBRegressor("),
            predicted("model.predict(test) + 1", codes="codes"),
        ),
    ],
)
def test_labels_in_other_codes_are_a_change(load: str, model: str, submit: str) -> None:
    assert is_change(judged(model, submit, load))


@pytest.mark.parametrize(
    ("score", "codes", "decoded", "faithful"),
    [
        ("print(accuracy_score(y, model.fit(X, y).predict(X)))", "y - 1", "PREDICTED + 1", True),
        (
            "print(mean_absolute_error(y, model.fit(X, y).predict(X)))",
            "y - 1",
            "PREDICTED + 1",
            True,
        ),
        (
            "print(mean_squared_log_error(y, model.fit(X, y).predict(X)))",
            "y - 1",
            "PREDICTED + 1",
            False,
        ),
        (
            "print(mean_absolute_error(y, model.fit(X, y).predict(X)))",
            "y.map({1: 0, 100: 1})",
            "pd.Series(PREDICTED).map({0: 1, 1: 100})",
            False,
        ),
        (
            "print(cross_val_score(model, X, y, scoring='neg_mean_absolute_error'))",
            "y.map({1: 0, 100: 1})",
            "pd.Series(PREDICTED).map({0: 1, 1: 100})",
            False,
        ),
    ],
)
def test_a_metric_of_codes_is_the_same_if_they_do_not_change_it(
    score: str, codes: str, decoded: str, faithful: bool
) -> None:
    model = "from sklearn.metrics import mean_absolute_error, mean_squared_log_error\n"
    model += f"model = XGBClassifier()\n{score}"
    book = notebook_of({"load": LOAD, "model": model, "submit": SUBMIT})
    coded = model.replace("y)", "codes)").replace("(y,", "(codes,").replace("y, s", "codes, s")
    submit = predicted(decoded.replace("PREDICTED", "model.predict(test)"), codes="codes")
    edits = [
        edit("model", model, f"codes = {codes}\n{coded}"),
        edit("submit", SUBMIT, submit),
    ]
    assert is_change(judge_edits(book, edits)) is not faithful


def test_continuous_labels_in_codes_are_a_change() -> None:
    model = MODEL.replace("XGBClassifier", "XGBRegressor")
    submit = predicted("le.inverse_transform(model.predict(test).astype(int))", codes="codes")
    book = notebook_of({"load": LOAD, "model": model, "submit": SUBMIT})
    coded = f"{ENCODER}codes = le.fit_transform(y)\n{in_codes(model)}"
    assert is_change(
        judge_edits(book, [edit("model", model, coded), edit("submit", SUBMIT, submit)])
    )
