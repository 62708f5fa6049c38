"""`jupyter modernize grade` and `competition`: from the arguments to the exit code."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mle_modernizer_server.cli.main import main
from tests.strangers_folder import StrangersFolder

HOUSES = "Id,area,price\n" + "".join(f"{n},{n / 7},{n * 1.5}\n" for n in range(50))
MLEBENCH = """
class Registry:
    def set_data_dir(self, folder):
        self.folder = folder
        return self
    def get_competition(self, slug):
        return self.folder / slug
registry = Registry()
"""
MLEBENCH_GRADE = """
import sys
class Report:
    def __init__(self, score):
        self.score = score
    def to_dict(self):
        return {"score": self.score, "is_lower_better": True}
def grade_csv(path, competition):
    if not competition.is_dir():
        raise ValueError("Dataset is not prepared!")
    print("noise on standard output")
    if "poor" in path.name:
        print("[2026-01-01 10:00:00,000] [grade.py:43] Invalid: too short", file=sys.stderr)
    return Report(0.12346 if "good" in path.name else None)
"""


@pytest.fixture
def root(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A data root with the competition `houses`, made by the command itself."""
    folder = tmp_path / "data" / "houses"
    folder.mkdir(parents=True)
    (folder / "train.csv").write_text(HOUSES)
    assert main(["competition", "init", str(folder), "--yes"]) == 0
    assert "Metric: rmse; split: random, seed 0" in capsys.readouterr().out
    return tmp_path / "data"


def sample(root: Path) -> str:
    return str(root / "houses" / "prepared" / "public" / "sample_submission.csv")


def test_a_submission_is_graded_and_its_floor_shown(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["grade", sample(root), "--competition", "houses", "--data-root", str(root)]) == 0
    out = capsys.readouterr().out
    assert "houses: RMSE" in out
    assert "Floor: a constant prediction scores 17.5955; the sample submission 33.494" in out


def test_grade_as_json_needs_no_name_for_the_only_competition(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = str(root / "houses" / "prepared" / "private" / "answers.csv")
    assert main(["grade", answers, "--data-root", str(root), "--json"]) == 0
    grade = json.loads(capsys.readouterr().out)
    assert grade["score"] == 0.0
    assert grade["candidates"][0]["path"] == "answers.csv"


def test_score_outside_band_or_invalid_submission_exits_with_one(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--data-root", str(root)]
    assert main(["grade", sample(root), *options, "--target-score", "0.5"]) == 1
    assert "outside the band of 10%" in capsys.readouterr().out
    bad = root / "bad.csv"
    bad.write_text("Id;price\n1;2\n")
    assert main(["grade", str(bad), *options]) == 1
    assert "separated by semicolons" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone.csv"], "is not a file"),
        (["SAMPLE", "--competition", "hauses"], "Did you mean houses?"),
        (["SAMPLE", "--grader", "mlebench"], "needs --competition"),
        (
            ["SAMPLE", "--grader", "mlebench", "--competition", "x", "--mlebench-python", "/no/py"],
            "cannot be started",
        ),
    ],
)
def test_bad_input_ends_with_two_and_a_sentence(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    given = [sample(root) if text == "SAMPLE" else text for text in arguments]
    assert main(["grade", *given, "--data-root", str(root)]) == 2
    assert words in capsys.readouterr().err


def test_a_score_that_was_typed_is_compared_with_the_target(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["grade", "--score", "0.81", "--target-score", "0.82"]) == 0
    told = capsys.readouterr().out
    assert "Typed score 0.81; it was not graded" in told
    assert "inside the band of 10%" in told
    assert main(["grade", "--score", "0.5", "--target-score", "0.82", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["score_kind"] == "typed"


def test_typed_score_is_not_compared_with_a_graded_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["grade", "--score", "0.82", "--target-score", "0.82", "--target-kind", "graded"]
    assert main(arguments) == 1
    assert "different kinds are not compared" in capsys.readouterr().out


@pytest.mark.parametrize(
    "more", [[], ["--target-score", "1", "--distance", "floor"], ["--grader", "mlebench"]]
)
def test_a_score_that_was_typed_needs_a_target_alone(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["grade", "--score", "0.82", *more]) == 2
    assert "--score" in capsys.readouterr().err


def test_mlebenchs_own_grader_is_used_where_it_is(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The package is stood in for by one of its interface (`mlebench.grade`, `.registry`)."""
    package = tmp_path / "elsewhere" / "mlebench"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "registry.py").write_text(MLEBENCH)
    (package / "grade.py").write_text(MLEBENCH_GRADE)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    folder = StrangersFolder(tmp_path / "folder", tmp_path / "ran")
    folder.module("json")
    monkeypatch.chdir(folder.root)
    options = ["--grader", "mlebench", "--mlebench-python", sys.executable]
    options += ["--competition", "houses", "--data-root", str(root)]
    for name, code in (("good.csv", 0), ("poor.csv", 1)):
        file = tmp_path / name
        file.write_text("id\n")
        assert main(["grade", str(file), *options]) == code
    said = capsys.readouterr()
    assert "houses: 0.12346 (lower is better; MLE-bench)" in said.out
    assert "Invalid: too short" in said.out + said.err
    assert "grade.py" not in said.out + said.err
    options[options.index("houses")] = "unprepared"
    assert main(["grade", str(tmp_path / "good.csv"), *options]) == 2
    assert "Dataset is not prepared!" in capsys.readouterr().err
    assert not folder.mark.exists(), "a module of the current folder ran"


def test_competitions_are_listed_and_never_overwritten(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["competition", "list", "--data-root", str(root), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in listed["competitions"]] == ["houses"]
    assert main(["competition", "init", str(root / "houses"), "--yes"]) == 2
    assert "add --force" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["competition"],
        ["competition", "init", "x", "--metric", "speed"],
        ["competition", "init", "x", "--split", "group"],
        ["competition", "init", "x", "--share", "2"],
        ["grade"],
        ["grade", "x.csv", "--distance", "far"],
    ],
)
def test_wrong_usage_ends_with_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
