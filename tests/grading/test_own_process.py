"""Grading happens in a process of its own, within limits, and says when files were changed."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from mle_modernizer_server.domain.competition import Competition, Matching
from mle_modernizer_server.domain.execution import CsvFile
from mle_modernizer_server.domain.grade import FloorKind, Grade
from mle_modernizer_server.grading.child import guard
from mle_modernizer_server.grading.fingerprint import seal
from mle_modernizer_server.grading.grader import grade_csv, grade_run
from mle_modernizer_server.grading.own_process import Limits
from mle_modernizer_server.words import text
from tests.grading.conftest import MakeCompetition

ANSWERS = "id,y\n1,1\n2,2\n3,3\n"
GOOD = "id,y\n1,1\n2,2\n3,4\n"


@pytest.fixture
def competition(make_competition: MakeCompetition) -> Competition:
    return make_competition(ANSWERS, metric="mae", target_columns=["y"])


def test_a_limit_of_time_ends_the_grading_with_its_reason(
    working: Path, root: Path, competition: Competition
) -> None:
    (working / "a.csv").write_text(GOOD)
    grade = grade_csv(working / "a.csv", competition, root, limits=Limits(seconds=0.001))
    assert grade.score is None
    assert "took longer than 0.001 s" in text(grade.reason)


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the memory is watched, which a small file outruns"
)
def test_memory_limit_costs_one_file_its_score_and_not_the_next(
    working: Path, root: Path, competition: Competition
) -> None:
    # Half a gigabyte of one cell a line becomes several of texts.
    with (working / "submission.csv").open("w") as stream:
        stream.write("id,y,z\n")
        for _ in range(2_000):
            stream.write("1,2," + "x" * 250_000 + "\n")
    (working / "small.csv").write_text(GOOD)
    found = [CsvFile(path=name, size=1) for name in ("submission.csv", "small.csv")]
    grade = grade_run(
        working,
        found,
        competition.model_copy(update={"matching": Matching.SUPERSET, "required_columns": ("z",)}),
        root,
        target=None,
        threshold=0.1,
        limits=Limits(memory=300_000_000),
    )
    assert [candidate.valid for candidate in grade.candidates] == [False, False]
    assert "needed more than" in text(grade.candidates[0].reason)
    assert "'z' is missing" in text(grade.candidates[1].reason)


def test_answers_changed_by_the_notebook_prevent_a_score(
    working: Path, root: Path, competition: Competition
) -> None:
    (working / "submission.csv").write_text(GOOD)
    before = seal(competition, root)

    def graded() -> Grade:
        found = [CsvFile(path="submission.csv", size=1)]
        return grade_run(
            working, found, competition, root, target=None, threshold=0.1, sealed=before
        )

    assert graded().score == pytest.approx(1 / 3)
    (root / "tiny" / "prepared" / "private" / "answers.csv").write_text(GOOD)
    changed = graded()
    assert changed.score is None
    assert "changed while the notebook ran" in text(changed.reason)


def test_the_guard_lets_grading_at_its_files_and_nothing_else(tmp_path: Path) -> None:
    hook = guard([tmp_path / "answers.csv"])
    hook("open", (str(tmp_path / "answers.csv"), "r", 0))
    hook("open", (str(Path(sys.prefix) / "lib"), "r", 0))
    hook("import", ("os",))
    for event, arguments in (
        ("open", (str(tmp_path / "other.csv"), "r", 0)),
        ("open", (str(tmp_path / "answers.csv"), "w", 1)),
        ("subprocess.Popen", ("sh", [], None, None)),
        ("socket.connect", (None, ("example.org", 80))),
    ):
        with pytest.raises(PermissionError):
            hook(event, arguments)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"id,y\n", "no rows"),
        (b"id;y\n1;1\n2;2\n3;3\n", "separated by semicolons"),
        (b"id\ty\n1\t1\n", "separated by tabs"),
        ("id,y\n1,é\n".encode("latin-1"), "encoding='utf-8'"),
        (pickle.dumps({"id": [1, 2, 3]}), "is a pickle"),
        (b'id,y\n1,"=cmd|calc"\n2,2\n3,3\n', "not a finite number"),
        (b"id,y\n1,1\n1,1\n3,3\n", "more than once"),
        (b"\x1f\x8b\x08", "is a gzip file"),
    ],
)
def test_what_is_no_submission_gets_a_sentence_and_never_a_crash(
    working: Path, root: Path, competition: Competition, content: bytes, words: str
) -> None:
    (working / "submission.csv").write_bytes(content)
    grade = grade_csv(working / "submission.csv", competition, root)
    assert grade.score is None
    assert words in text(grade.reason)


def test_two_gigabytes_are_refused_by_their_size_alone(
    working: Path, root: Path, competition: Competition
) -> None:
    with (working / "submission.csv").open("wb") as stream:
        stream.truncate(2_000_000_000)  # sparse: it takes no room
    grade = grade_csv(working / "submission.csv", competition, root)
    assert "larger than 1 GB" in text(grade.reason)


def test_quoted_newlines_are_part_of_a_cell(
    working: Path, root: Path, make_competition: MakeCompetition
) -> None:
    text = 'id,y\n1,"two\nlines"\n2,b\n'
    competition = make_competition(text, metric="accuracy", target_columns=["y"])
    (working / "submission.csv").write_text(text)
    assert grade_csv(working / "submission.csv", competition, root).score == 1.0


def test_without_a_sample_submission_the_floor_is_a_constant(
    working: Path, root: Path, competition: Competition
) -> None:
    (working / "submission.csv").write_text(GOOD)
    grade = grade_csv(working / "submission.csv", competition, root)
    assert grade.baseline is None
    assert grade.floor_kind is FloorKind.CONSTANT
    assert grade.floor == pytest.approx(2 / 3)  # everywhere the median 2


def test_valid_file_with_the_samples_columns_is_graded(
    working: Path, root: Path, make_competition: MakeCompetition
) -> None:
    competition = make_competition(ANSWERS, metric="mae", sample="id,y\n1,0\n2,0\n3,0\n")
    (working / "submission.csv").write_text("y,id,fold\n9,1,a\n9,2,b\n9,3,c\n")
    (working / "out.csv").write_text(GOOD)
    found = [CsvFile(path=name, size=1) for name in ("submission.csv", "out.csv")]
    grade = grade_run(working, found, competition, root, target=None, threshold=0.1)
    assert grade.submission == "out.csv"
    assert [candidate.score for candidate in grade.candidates] == [7.0, pytest.approx(1 / 3)]


def test_an_option_that_is_no_number_reaches_the_process(
    make_competition: MakeCompetition, working: Path, root: Path
) -> None:
    both_empty = make_competition(
        "id,y\n1,\n2,good morning\n",
        metric="word_jaccard",
        target_columns=["y"],
        options={"both_empty": float("nan")},
    )
    (working / "a.csv").write_text("id,y\n1,x\n2,good evening\n")
    grade = grade_csv(working / "a.csv", both_empty, root)
    assert grade.score == pytest.approx((0 + 1 / 3) / 2)


def test_sorted_ids_with_one_missing_stay_numbers(
    make_competition: MakeCompetition, working: Path, root: Path
) -> None:
    competition = make_competition(
        "id,y\n2,20\n10,100\n100,1000\n", metric="mae", target_columns=["y"], matching="sorted"
    )
    (working / "a.csv").write_text("id,y\n10,100\n2,20\n,1000\n")
    assert grade_csv(working / "a.csv", competition, root).score == 0.0


def test_a_lone_boolean_among_numbers_is_no_number(
    competition: Competition, working: Path, root: Path
) -> None:
    rows = GOOD.splitlines()
    rows[1] = rows[1].split(",")[0] + ",True"
    (working / "a.csv").write_text("\n".join(rows) + "\n")
    grade = grade_csv(working / "a.csv", competition, root)
    assert grade.score is None
    assert "'True'" in text(grade.reason)
    header, *data = GOOD.splitlines()
    (working / "b.csv").write_text(
        "\n".join([header, *(row.split(",")[0] + ",True" for row in data)]) + "\n"
    )
    assert grade_csv(working / "b.csv", competition, root).score is not None
