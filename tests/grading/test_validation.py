"""Which submissions are refused, and in which words."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mle_modernizer_server.domain.competition import Competition, Metric
from mle_modernizer_server.grading.child import score_submission
from mle_modernizer_server.grading.csv_table import Table
from mle_modernizer_server.grading.refusal import InvalidSubmission, UnusableAnswers
from mle_modernizer_server.grading.validation import meant_columns
from mle_modernizer_server.words import text
from tests.thoroughness import tries


def competition(metric: Metric, **fields: object) -> Competition:
    base: dict[str, object] = {
        "id": "tiny",
        "name": "Tiny",
        "metric": metric,
        "higher_is_better": True,
        "id_columns": ("id",),
        "target_columns": ("y",),
        "answer_columns": ("y",),
    }
    return Competition.model_validate({**base, **fields})


def table(text: str) -> Table:
    header, *rows = [line.split(",") for line in text.split("\n")]
    columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
    return Table(tuple(header), columns, list(range(2, len(rows) + 2)))


RMSE = competition(Metric.RMSE)
ACCURACY = competition(Metric.ACCURACY)
AUC = competition(Metric.ROC_AUC, probability=True)
LOG_LOSS = competition(Metric.LOG_LOSS)
KAPPA = competition(Metric.QUADRATIC_WEIGHTED_KAPPA)
CLASSES = competition(
    Metric.LOG_LOSS, target_columns=("cat", "dog", "owl"), answer_columns=("kind",)
)
NUMBERS = "id,y\n1,0\n2,1\n3,2"
BINARY = "id,y\n1,0\n2,1\n3,1"
KINDS = "id,kind\n1,cat\n2,owl"


def score(submission: str, answers: str, of: Competition) -> float:
    return score_submission(table(submission), table(answers), of).score


REFUSALS = [
    ("id,z\n1,0\n2,1\n3,2", NUMBERS, RMSE, ["'y' is missing", "it has 'id', 'z'"]),
    ("ID,y\n1,0\n2,1\n3,2", NUMBERS, RMSE, ["'id' is missing", "Is 'ID' meant to be 'id'?"]),
    ("a,b\n1,0\n2,1\n3,2", NUMBERS, RMSE, ["columns 'id', 'y' are missing"]),
    ("id,y\n1,0\n2,1", NUMBERS, RMSE, ["has 2 rows", "3 are expected"]),
    ("id,y\n1,0\n2,1\n3,2\n4,0", NUMBERS, RMSE, ["has 4 rows", "3 are expected"]),
    ("id,y", NUMBERS, RMSE, ["header but no rows", "3 expected"]),
    ("id,y\n1,0\n2,1\n4,2", NUMBERS, RMSE, ["1 missing ('3')", "1 unknown ('4')"]),
    ("id,y\n1,0\n2,1\n2,2", NUMBERS, RMSE, ["'2' occurs more than once", "lines 3 and 4"]),
    ("id,y\n1,0\n2,\n3,2", NUMBERS, RMSE, ["Line 3, column 'y' is empty"]),
    ("id,y\n1,0\n2,nan\n3,2", NUMBERS, RMSE, ["Line 3, column 'y'", "missing value (NaN)"]),
    ("id,y\n1,0\n2,1\n3,-inf", NUMBERS, RMSE, ["Line 4, column 'y' is infinite"]),
    ("id,y\n1,high\n2,1\n3,2", NUMBERS, RMSE, ["Line 2", "'high'", "not a finite number"]),
    ("id,y\n1,1_0\n2,1\n3,2", NUMBERS, RMSE, ["'1_0'", "not a finite number"]),
    ("id,y\n1,1e300\n2,1\n3,2", NUMBERS, RMSE, ["RMSE is not a finite number"]),
    ("id,y\n1,0\n2,-2\n3,2", NUMBERS, competition(Metric.RMSLE), ["'-2'", "at least 0"]),
    ("id,y\n1,0\n2,1.2\n3,1", BINARY, AUC, ["Line 3", "'1.2'", "between 0 and 1"]),
    ("id,y\n1,-0.1\n2,1.2\n3,1", BINARY, LOG_LOSS, ["'-0.1'", "between 0 and 1", "1 more"]),
    ("id,y\n1,0\n2,1.5\n3,2", NUMBERS, ACCURACY, ["'1.5'", "whole number"]),
    ("id,y\n1,0\n2,1.5\n3,2", NUMBERS, KAPPA, ["'1.5'", "whole number"]),
    ("id,y\n1,0\n2,\n3,2", NUMBERS, ACCURACY, ["Line 3, column 'y' is empty", "label"]),
    ("id,y\n1,cat\n2,1\n3,2", NUMBERS, ACCURACY, ["'cat'", "numbers such as '0', '1', '2'"]),
    ("id,y\n1,0\n2,1", "id,y\n1,no\n2,yes", ACCURACY, ["None of the labels", "'no', 'yes'"]),
    (
        "id,y\n1,no\n2,maybe",
        "id,y\n1,no\n2,yes",
        competition(Metric.MACRO_F1, classes=("no", "yes")),
        ["Line 3", "'maybe'", "none of the labels 'no', 'yes'"],
    ),
    (
        "id,y\n1,0\n2,6\n3,2",
        NUMBERS,
        competition(Metric.QUADRATIC_WEIGHTED_KAPPA, classes=("0", "1", "2", "3")),
        ["Line 3", "'6.0'", "none of the labels"],
    ),
    (
        "id,cat,dog,owl\n1,0.5,0.2,0.2\n2,1,0,0",
        KINDS,
        CLASSES,
        ["line 2 sum to 0.9", "must sum to 1", "1 of 2 rows"],
    ),
    (
        "id,cat,dog,owl\n1,1.5,-0.5,0\n2,1,0,0",
        KINDS,
        CLASSES,
        ["Line 2, column 'cat' is '1.5'", "between 0 and 1"],
    ),
    ("id,cat,dog\n1,1,0\n2,1,0", KINDS, CLASSES, ["'owl' is missing"]),
]


@pytest.mark.parametrize(("submission", "answers", "of", "words"), REFUSALS)
def test_a_broken_rule_is_named_with_its_place(
    submission: str, answers: str, of: Competition, words: list[str]
) -> None:
    with pytest.raises(InvalidSubmission) as caught:
        score(submission, answers, of)
    for word in words:
        assert word in text(caught.value.message)
    assert text(caught.value.message).endswith((".", "?"))


@pytest.mark.parametrize(
    ("submission", "answers", "of", "expected"),
    [
        ("id,y\n3,2\n1,0\n2,1", NUMBERS, RMSE, 0.0),
        ("id,y\n1,0\n2,2\n3,2", NUMBERS, ACCURACY, 2 / 3),
        ("id,y\n1,0.0\n2,1.0\n3,2.0", NUMBERS, ACCURACY, 1.0),
        ("id,y\n1,False\n2,True\n3,True", BINARY, ACCURACY, 1.0),
        ("id,y\n1,0\n2,1\n3,1", "id,y\n1,False\n2,True\n3,True", ACCURACY, 1.0),
        ("id,y\n1,False\n2,True\n3,True", BINARY, AUC, 1.0),
        ("id,y\n1,0.5\n2,0.5\n3,0.5", BINARY, AUC, 0.5),
        ("id,y\n1,5\n2,1\n3,2", NUMBERS, ACCURACY, 2 / 3),
        ("id,y\n1,yes\n2,no", "id,y\n1,yes\n2,yes", ACCURACY, 0.5),
        ("id,cat,dog,owl\n2,0,0,1\n1,1,0,0", KINDS, CLASSES, 0.0),
        ("id,y\n7,0\n8,1", "id,y\n007,0\n008,1", RMSE, 0.0),
        ("id,y\n1.0,0\n2.0,1\n3.0,2", NUMBERS, RMSE, 0.0),
        ("id,y\nb,1\na,0", "id,y\na,0\nb,1", RMSE, 0.0),
    ],
)
def test_valid_submission_is_scored_in_any_order_and_spelling(
    submission: str, answers: str, of: Competition, expected: float
) -> None:
    assert score(submission, answers, of) == pytest.approx(expected, abs=1e-12)


PASSENGERS = competition(Metric.ACCURACY, id_columns=("PassengerId",), target_columns=("Survived",))


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        (("PassengerId", "Survived"), {}),
        (("passengerid", "Survived"), {"passengerid": "PassengerId"}),
        ((" PassengerId ", "survived"), {" PassengerId ": "PassengerId", "survived": "Survived"}),
        (("id", "Survived"), {"id": "PassengerId"}),
        (("ID", "SURVIVED"), {"ID": "PassengerId", "SURVIVED": "Survived"}),
        (("PassengerId", "id", "Survived"), {}),
        (("passengerid", "id", "Survived"), {}),
        (("PassengerId", "survived", "SURVIVED"), {}),
        (("Passenger", "Survived"), {}),
    ],
)
def test_nearly_right_header_names_the_column_meant(
    header: tuple[str, ...], meant: dict[str, str]
) -> None:
    assert meant_columns(header, PASSENGERS) == meant


def test_rounding_of_probabilities_is_forgiven_as_by_mle_bench() -> None:
    third = "0.333333"
    rows = f"id,cat,dog,owl\n1,{third},{third},{third}\n2,{third},{third},{third}"
    assert score(rows, KINDS, CLASSES) == pytest.approx(1.0986, abs=1e-3)


def test_a_label_that_only_the_training_data_has_is_no_error() -> None:
    assert score("id,y\n1,0\n2,5\n3,2", NUMBERS, ACCURACY) == pytest.approx(2 / 3)


def test_one_hot_answers_and_label_answers_are_worth_the_same() -> None:
    of = CLASSES.model_copy(update={"answer_columns": ("cat", "dog", "owl")})
    submission = "id,cat,dog,owl\n1,0.6,0.2,0.2\n2,0.1,0.2,0.7"
    one_hot = score(submission, "id,cat,dog,owl\n1,1,0,0\n2,0,0,1", of)
    assert one_hot == pytest.approx(score(submission, KINDS, CLASSES))


def test_classes_name_the_label_of_each_probability_column() -> None:
    of = CLASSES.model_copy(
        update={"target_columns": ("p0", "p1"), "classes": ("0", "1"), "answer_columns": ("y",)}
    )
    assert score("id,p0,p1\n1,1,0\n2,0,1", "id,y\n1,0.0\n2,1.0", of) == pytest.approx(0, abs=1e-9)


def test_ids_of_several_columns_are_matched_together() -> None:
    of = RMSE.model_copy(update={"id_columns": ("a", "b")})
    assert score("a,b,y\n2,1,5\n1,2,3", "a,b,y\n1,2,3\n2,1,5", of) == 0.0


def test_ids_that_differ_in_leading_zeros_only_stay_apart() -> None:
    answers = "id,y\n7,0\n007,1"
    assert score("id,y\n007,1\n7,0", answers, RMSE) == 0.0
    with pytest.raises(InvalidSubmission, match=r"csv\.ids"):
        score("id,y\n7,1\n07,0", answers, RMSE)


def test_ids_too_long_for_a_float_are_not_mixed_up() -> None:
    answers = "id,y\n9007199254740992,0\n9007199254740993,1"
    assert score("id,y\n9007199254740993,1\n9007199254740992,0", answers, RMSE) == 0.0


@pytest.mark.parametrize(
    ("submission", "note"),
    [
        ("Unnamed: 0,id,y\n0,1,0\n1,2,1\n2,3,2", "index column"),
        (",id,y\n0,1,0\n1,2,1\n2,3,2", "index column"),
        ("id,y,fold\n1,0,a\n2,1,b\n3,2,c", "'fold'"),
        ("id,y\n01,0\n02,1\n03,2", "spelled otherwise"),
    ],
)
def test_what_was_overlooked_is_noted(submission: str, note: str) -> None:
    result = score_submission(table(submission), table(NUMBERS), RMSE)
    assert result.score == 0.0
    assert note in text(result.note)


def test_unknown_labels_score_nothing_and_are_noted() -> None:
    result = score_submission(table("id,y\n1,7\n2,8\n3,9"), table(NUMBERS), ACCURACY)
    assert result.score == 0.0
    assert "None of the labels" in text(result.note)


@pytest.mark.parametrize(
    ("answers", "of", "words"),
    [
        ("id,z\n1,0\n2,1\n3,2", RMSE, "'y' is missing"),
        ("id,y", RMSE, "no rows"),
        ("id,y\n1,0\n1,1\n3,1", RMSE, "more than once"),
        ("id,y\n1,1\n2,1\n3,1", AUC, "one value only"),
        (NUMBERS, AUC, "0 and 1 only"),
        ("id,y\n1,0\n2,x\n3,1", RMSE, "'x'"),
        ("id,y\n1,0\n2,-1\n3,1", competition(Metric.RMSLE), "below 0"),
        ("id,y\n1,0\n2,\n3,1", ACCURACY, "empty"),
        ("id,y\n1,low\n2,mid\n3,low", KAPPA, "needs numbers"),
        (NUMBERS, competition(Metric.ACCURACY, classes=("0", "1")), "none of `classes`"),
    ],
)
def test_a_fault_of_the_answers_is_not_blamed_on_the_submission(
    answers: str, of: Competition, words: str
) -> None:
    with pytest.raises(UnusableAnswers) as caught:
        score("id,y\n1,0\n2,1\n3,1", answers, of)
    assert words in text(caught.value.message)


def test_messages_carry_no_control_characters_of_the_file() -> None:
    with pytest.raises(InvalidSubmission) as caught:
        score("id,y\n1,\x1b[31mred\n2,1\n3,2", NUMBERS, RMSE)
    assert "\x1b" not in text(caught.value.message)


ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.floats(0, 1, allow_nan=False)), min_size=2, max_size=30
).filter(lambda rows: len({truth for truth, _ in rows}) == 2)


@pytest.mark.parametrize("of", [RMSE, AUC, LOG_LOSS, competition(Metric.MAE)])
@given(rows=ROWS, random=st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_permuting_the_rows_never_changes_the_score(
    of: Competition, rows: list[tuple[int, float]], random: Random
) -> None:
    answers = "id,y\n" + "\n".join(f"r{i},{truth}" for i, (truth, _) in enumerate(rows))
    lines = [f"r{i},{value!r}" for i, (_, value) in enumerate(rows)]
    before = score("id,y\n" + "\n".join(lines), answers, of)
    random.shuffle(lines)
    assert score("id,y\n" + "\n".join(lines), answers, of) == before


def test_column_with_a_place_is_not_suggested_for_another() -> None:
    of = competition(Metric.RMSE, target_columns=("ids",), answer_columns=("ids",))
    with pytest.raises(InvalidSubmission) as caught:
        score("ids\n1\n2\n3", "id,ids\n1,0\n2,1\n3,2", of)
    assert "'id' is missing" in text(caught.value.message)
    assert "meant to be" not in text(caught.value.message)


@given(st.lists(st.text(min_size=0, max_size=8), min_size=3, max_size=3))
@settings(max_examples=tries(60, 200))
def test_any_text_in_the_target_is_scored_or_refused_never_more(cells: list[str]) -> None:
    submission = Table(("id", "y"), {"id": ["1", "2", "3"], "y": cells}, [2, 3, 4])
    for of in (RMSE, ACCURACY, KAPPA):
        try:
            result = score_submission(submission, table(NUMBERS), of)
        except InvalidSubmission as error:
            assert text(error.message)
        else:
            assert abs(result.score) < float("inf")
