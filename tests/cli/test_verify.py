"""`jupyter modernize verify` and `--verify`: repeated runs with a test of their scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, LOAD, SUBMIT, SUBMIT_RANKED, Cli, Write


def test_a_notebook_is_run_again_until_the_answer_is_certain(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    path, report = write(LOAD, SUBMIT), tmp_path / "report.json"
    before = path.read_bytes()
    ended = cli("verify", path, "--target-score", "1", "--report", report)
    assert ended.code == 0
    assert "Run 1 of 10: 1, " in ended.out
    assert "Run 3 of 10: 1, " in ended.out
    assert "Run 4 of 10" not in ended.out
    assert "Ended after 3 of 10 runs: their scores are all the same." in ended.out
    assert "Reproducible: 3 runs gave the same score" in ended.out
    assert path.read_bytes() == before
    data = json.loads(report.read_text())
    assert data["iterations"] == [] and len(data["verification"]["runs"]) == 3


@pytest.mark.thorough
def test_scores_that_do_not_fit_end_with_one(cli: Cli, write: Write) -> None:
    wrong = SUBMIT.replace("i % 2", "0")
    ended = cli("verify", write(LOAD, wrong), "--target-score", "1", "--runs", "2")
    assert ended.code == 1
    assert "Not reproducible: 2 runs gave the same score" in ended.out


@pytest.mark.thorough
def test_without_a_target_there_is_no_answer(cli: Cli, write: Write) -> None:
    ended = cli("verify", write(LOAD, SUBMIT), "--runs", "2")
    assert ended.code == 3
    assert "There is no target score to compare with." in ended.out


@pytest.mark.thorough
def test_the_result_of_auto_mode_is_verified_at_its_end(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    path, output = write(LOAD, BROKEN, SUBMIT_RANKED), tmp_path / "new.ipynb"
    ended = cli(
        path, "--auto", "--fixer", "rules", "--target-score", "1", "--output", output,
        "--verify", "quick",
    )  # fmt: skip
    assert ended.code == 0
    assert "Run 1 of 1: 1, " in ended.out
    assert "Reproducible: the score of a clean run is within 10%." in ended.out
    assert "time.perf_counter" in output.read_text()


@pytest.mark.parametrize("runs", ["1", "11", "many", "-3", "2.5"])
def test_a_number_of_runs_that_makes_no_sense_is_refused(cli: Cli, write: Write, runs: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli("verify", write(LOAD, SUBMIT), "--runs", runs)
