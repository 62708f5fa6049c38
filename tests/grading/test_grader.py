"""From the CSVs of a run to its grade."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.execution import CsvFile
from mle_modernizer_server.domain.grade import FloorKind, Grade, OutputStatus
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.grading.grader import grade_csv, grade_run, score_predictions
from mle_modernizer_server.grading.preexisting_files import old_submissions
from mle_modernizer_server.words import text
from tests.grading.conftest import MakeCompetition

ANSWERS = "id,y\n1,1\n2,2\n3,3\n"
PERFECT = "id,y\n1,1\n2,2\n3,3\n"
OFF_BY_HALF = "id,y\n1,1.5\n2,2.5\n3,3.5\n"
OFF_BY_ONE = "id,y\n1,2\n2,3\n3,4\n"
ZEROS = "id,y\n1,0\n2,0\n3,0\n"


@pytest.fixture
def competition(make_competition: MakeCompetition) -> Competition:
    return make_competition(ANSWERS, metric="mae", sample=ZEROS)


def grade(
    working: Path,
    root: Path,
    competition: Competition | None,
    contents: dict[str, str],
    target: float | None = None,
) -> Grade:
    """Write CSVs, each a second newer than the one before, and grade them."""
    for second, (name, content) in enumerate(contents.items()):
        file = working / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        os.utime(file, (1_600_000_000 + second,) * 2)
    found = [CsvFile(path=name, size=len(content)) for name, content in contents.items()]
    return grade_run(working, found, competition, root, target=target, threshold=0.1)


def test_a_submission_is_graded_beside_the_baseline(
    working: Path, root: Path, competition: Competition
) -> None:
    result = grade(working, root, competition, {"submission.csv": OFF_BY_HALF}, target=0.52)
    assert result.output_status is OutputStatus.WITH_CSV
    assert (result.submission, result.score, result.baseline) == ("submission.csv", 0.5, 2.0)
    assert (result.floor, result.floor_kind) == (pytest.approx(2 / 3), FloorKind.CONSTANT)
    assert result.higher_is_better is False
    assert result.deviation == pytest.approx(0.02 / 0.52)
    assert result.within_threshold
    assert result.better_than_target
    assert text(result.reason) == ""


@pytest.mark.parametrize(
    ("header", "taken"), [("ID,Y", "'ID' as 'id', 'Y' as 'y'"), (" id,y", "' id' as 'id'")]
)
def test_header_in_another_case_is_graded_with_a_note(
    working: Path, root: Path, competition: Competition, header: str, taken: str
) -> None:
    content = PERFECT.replace("id,y", header)
    result = grade(working, root, competition, {"submission.csv": content})
    assert (result.score, result.candidates[0].valid) == (0.0, True)
    assert taken in text(result.candidates[0].note)


def test_column_called_id_is_taken_for_the_id_column(
    working: Path, root: Path, make_competition: MakeCompetition
) -> None:
    answers = ANSWERS.replace("id", "PassengerId")
    named = make_competition(answers, metric="mae", sample=answers, id_columns=["PassengerId"])
    result = grade(working, root, named, {"submission.csv": PERFECT})
    assert result.score == 0.0
    assert "'id' as 'PassengerId'" in text(result.candidates[0].note)
    without = grade(working, root, named, {"submission.csv": PERFECT.replace("id", "number")})
    assert without.output_status is OutputStatus.INVALID_CSV


def test_predictions_by_id_are_scored(root: Path, competition: Competition) -> None:
    predictions = {"3": ("3.5",), "1": ("1.5",), "2": ("2.5",)}
    assert score_predictions(predictions, competition, root) == 0.5
    assert score_predictions({"1": ("1",)}, competition, root) is None


def test_earlier_result_in_another_case_is_recognized(
    working: Path, root: Path, competition: Competition, tmp_path: Path
) -> None:
    old = tmp_path / "mine.csv"
    old.write_text(OFF_BY_ONE.replace("id,y", "ID,y"))
    olds = old_submissions(competition, root / "none", {"data/mine.csv": old})
    assert list(olds) == ["data/mine.csv"]
    (working / "s.csv").write_text(OFF_BY_ONE)
    found = [CsvFile(path="s.csv", size=9)]
    known = {"target": 1.0, "threshold": 0.1}
    copied = grade_run(working, found, competition, root, olds=olds, **known)
    assert copied.doubt is not None and copied.doubt.copy_of == "data/mine.csv"
    same = grade_run(working, found, competition, root, earlier=olds, **known)
    assert (same.doubt, same.same_as) == (None, "data/mine.csv")


@pytest.mark.parametrize("submission", ["id,y\n1,2\n2,2\n3,2\n", OFF_BY_ONE])
def test_score_of_a_constant_is_never_within_the_threshold(
    working: Path, root: Path, competition: Competition, submission: str
) -> None:
    near = grade(working, root, competition, {"submission.csv": submission}, target=0.65)
    near = with_deviation(near.model_copy(update={"threshold": 1.0}))
    assert near.no_better_than_floor and near.deviation is not None and near.deviation < 1
    assert not near.within_threshold
    assert text(near.floor_told) == "A constant prediction scores 0.66667."


def test_without_a_target_there_is_a_score_and_no_deviation(
    working: Path, root: Path, competition: Competition
) -> None:
    result = grade(working, root, competition, {"submission.csv": OFF_BY_ONE})
    assert (result.score, result.deviation, result.within_threshold) == (1.0, None, False)


def test_no_csv_is_said_and_the_baseline_stays(
    working: Path, root: Path, competition: Competition
) -> None:
    result = grade(working, root, competition, {})
    assert result.output_status is OutputStatus.WITHOUT_CSV
    assert "wrote no CSV" in text(result.reason)
    assert result.baseline == 2.0


def test_without_a_competition_nothing_is_graded(working: Path, root: Path) -> None:
    with_csv = grade(working, root, None, {"submission.csv": PERFECT})
    assert with_csv.output_status is OutputStatus.WITH_CSV
    assert "no competition" in text(with_csv.reason)
    assert with_csv.score is None
    assert grade(working, root, None, {}).output_status is OutputStatus.WITHOUT_CSV


@pytest.mark.parametrize(
    ("contents", "chosen"),
    [
        ({"features.csv": "a,b\n1,2\n", "out.csv": PERFECT}, "out.csv"),
        ({"submission.csv": PERFECT, "newer.csv": OFF_BY_ONE}, "submission.csv"),
        ({"out/Submission.csv": PERFECT, "my_sub.csv": OFF_BY_ONE}, "out/Submission.csv"),
        ({"sample_submission.csv": PERFECT, "my_sub.csv": OFF_BY_ONE}, "sample_submission.csv"),
        ({"my_sub.csv": PERFECT, "blend.csv": OFF_BY_ONE}, "my_sub.csv"),
        ({"old.csv": OFF_BY_ONE, "new.csv": PERFECT}, "new.csv"),
        ({"submission.csv": "id,y\n1,x\n2,2\n3,3\n", "blend.csv": PERFECT}, "blend.csv"),
    ],
)
def test_submission_among_several_csvs_is_graded(
    working: Path, root: Path, competition: Competition, contents: dict[str, str], chosen: str
) -> None:
    result = grade(working, root, competition, contents)
    assert result.submission == chosen
    assert {candidate.path for candidate in result.candidates} == set(contents)
    for candidate in result.candidates:
        assert candidate.valid == (candidate.score is not None) == (text(candidate.reason) == "")


def test_invalid_ones_only_give_the_reason_of_the_nearest(
    working: Path, root: Path, competition: Competition
) -> None:
    contents = {"submission.csv": "a,b\n1,2\n", "second.csv": "id,y\n1,1\n2,oops\n3,3\n"}
    result = grade(working, root, competition, contents)
    assert result.output_status is OutputStatus.INVALID_CSV
    assert text(result.reason).startswith("second.csv: ")
    assert "'oops'" in text(result.reason)
    assert result.score is None


def test_what_is_no_file_any_more_is_an_invalid_candidate(
    working: Path, root: Path, competition: Competition
) -> None:
    answers = root / "tiny" / "prepared" / "private" / "answers.csv"
    (working / "submission.csv").symlink_to(answers)
    found = [
        CsvFile(path="submission.csv", size=1),
        CsvFile(path="gone.csv", size=1),
        CsvFile(path="../data/tiny/prepared/private/answers.csv", size=1),
    ]
    result = grade_run(working, found, competition, root, target=None, threshold=0.1)
    assert result.output_status is OutputStatus.INVALID_CSV
    assert not any(candidate.valid for candidate in result.candidates)
    assert "symbolic link" in text(result.reason)


def test_a_csv_over_the_size_bound_is_refused(
    working: Path, root: Path, competition: Competition
) -> None:
    (working / "submission.csv").write_text(PERFECT)
    (candidate,) = grade_csv(
        working / "submission.csv", competition, root, most_bytes=10
    ).candidates
    assert not candidate.valid
    assert "larger than 10 bytes" in text(candidate.reason)


def test_a_thousand_rows_too_many_are_counted_and_no_further(
    working: Path, root: Path, competition: Competition
) -> None:
    rows = "".join(f"{number},0\n" for number in range(5000))
    (working / "a.csv").write_text("id,y\n" + rows)
    (candidate,) = grade_csv(working / "a.csv", competition, root).candidates
    assert text(candidate.reason) == "It has more than 1,003 rows; 3 are expected."


def test_broken_answers_are_the_competitions_fault(
    working: Path, root: Path, competition: Competition
) -> None:
    answers = root / "tiny" / "prepared" / "private" / "answers.csv"
    answers.write_text("id,z\n1,1\n")
    result = grade(working, root, competition, {"submission.csv": PERFECT})
    assert result.output_status is OutputStatus.WITH_CSV
    assert "answers of tiny cannot be used" in text(result.reason)
    answers.unlink()
    result = grade(working, root, competition, {"submission.csv": PERFECT})
    assert "prepared/private/answers.csv" in text(result.reason)
    assert grade_csv(working / "submission.csv", competition, root).score is None


def test_ungradable_sample_submission_has_no_baseline(
    working: Path, root: Path, make_competition: MakeCompetition
) -> None:
    competition = make_competition(ANSWERS, metric="mae", sample="id,y\n1,\n", target_columns=["y"])
    result = grade(working, root, competition, {"submission.csv": PERFECT})
    assert (result.score, result.baseline) == (0.0, None)


def test_a_tolerated_oddity_is_noted_with_the_candidate(
    working: Path, root: Path, competition: Competition
) -> None:
    content = ",id,y\n0,1,1\n1,2,2\n2,3,3\n"
    result = grade(working, root, competition, {"submission.csv": content})
    assert "index column" in text(result.candidates[0].note)


@pytest.mark.parametrize(
    ("score", "target", "higher", "deviation", "within", "better"),
    [
        (0.9, 1.0, True, 0.1, True, False),
        (1.1, 1.0, True, 0.1, True, True),
        (1.1, 1.0, False, 0.1, True, False),
        (0.5, 1.0, False, 0.5, False, True),
        (0.89, 1.0, True, 0.11, False, False),
        (-2.1, -2.0, True, 0.05, True, False),
        (-1.0, -2.0, True, 0.5, False, True),
        (1.0, 1.0, True, 0.0, True, False),
    ],
)
def test_the_deviation_is_relative_to_the_target(
    score: float, target: float, higher: bool, deviation: float, within: bool, better: bool
) -> None:
    result = with_deviation(
        Grade(
            output_status=OutputStatus.WITH_CSV,
            score=score,
            target=target,
            higher_is_better=higher,
        )
    )
    assert result.deviation == pytest.approx(deviation)
    assert not result.deviation_is_absolute
    assert (result.within_threshold, result.better_than_target) == (within, better)


@pytest.mark.parametrize(("score", "within"), [(0.1, True), (-0.05, True), (0.2, False)])
def test_a_target_of_zero_is_compared_by_the_difference(score: float, within: bool) -> None:
    graded = Grade(output_status=OutputStatus.WITH_CSV, score=score, target=0.0)
    result = with_deviation(graded)
    assert result.deviation == abs(score)
    assert result.deviation_is_absolute
    assert result.within_threshold is within


def test_a_tiny_target_never_makes_the_deviation_infinite() -> None:
    graded = Grade(output_status=OutputStatus.WITH_CSV, score=1.0, target=5e-324)
    result = with_deviation(graded)
    assert result.deviation is not None
    assert result.deviation < float("inf")
    assert not result.within_threshold
