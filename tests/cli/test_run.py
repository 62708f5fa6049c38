"""`jupyter modernize run`: runs, grades and diagnoses; changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, LOAD, SUBMIT, SUBMIT_RANKED, Cli, Write, start


def test_a_notebook_that_reaches_its_score_ends_with_zero(cli: Cli, write: Write) -> None:
    path = write(LOAD, SUBMIT)
    before = path.read_bytes()
    ended = cli("run", path, "--target-score", "1")
    assert ended.code == 0
    assert "Parity" not in ended.out  # the competition has no name but its slug
    assert "parity, accuracy (higher is better), target 1 ± 10%" in ended.out
    assert "Running cell 2 of 2" in ended.out
    assert "error-free-reproducible" in ended.out
    assert path.read_bytes() == before


def test_an_error_is_shown_with_its_place_and_ends_with_one(cli: Cli, write: Write) -> None:
    ended = cli("run", write(LOAD, BROKEN, SUBMIT_RANKED), "--target-score", "1")
    assert ended.code == 1
    assert "Error in cell number 2 `begun = time.clock()`, line 1: AttributeError" in ended.out
    assert "Problems:" in ended.out
    assert "1 error followed from an earlier one" in ended.out


@pytest.mark.thorough
def test_a_score_out_of_the_band_ends_with_one(cli: Cli, write: Write) -> None:
    wrong = SUBMIT.replace("% 2", "% 4 % 2")
    ended = cli("run", write(LOAD, wrong.replace("% 4 % 2", "* 0")), "--target-score", "1")
    assert ended.code == 1
    assert "50.00%" in ended.out
    wide = cli("run", write(LOAD, SUBMIT), "--target-score", "1.5", "--threshold", "0.5")
    assert wide.code == 0


def test_the_time_limit_ends_with_three(cli: Cli, write: Write) -> None:
    path = write(LOAD, "import time\ntime.sleep(600)", SUBMIT)
    ended = cli("run", path, "--time-limit", "2", "--target-score", "1")
    assert ended.code == 3
    assert "failed" in ended.out


def test_target_competition_and_time_limit_come_from_metadata(cli: Cli, write: Write) -> None:
    said = {"competition": "parity", "target_score": 1, "time_limit": 2}
    slow = write("import time\ntime.sleep(600)", name="slow.ipynb", mle_modernizer=said)
    ended = cli("run", slow)
    assert "parity, accuracy (higher is better), target 1" in ended.out
    assert ended.code == 3
    ended = cli("run", write(LOAD, SUBMIT, mle_modernizer=said), "--target-score", "2")
    assert "target 2" in ended.out
    assert ended.code == 1


@pytest.mark.thorough
def test_target_kind_and_distance_come_from_metadata(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    said = {"target_score": 1, "target_kind": "printed", "distance": "floor"}
    path, report = write(LOAD, SUBMIT, mle_modernizer=said), tmp_path / "report.json"
    cli("run", path, "--report", report)
    grade = json.loads(report.read_text())["iterations"][0]["grade"]
    assert grade["target_kind"] == "printed" and grade["deviation"] is None
    assert grade["measure"] == "floor"
    assert cli("run", path, "--target-score", "1").code == 0, "a target that is given is graded"


def test_notebook_without_competition_is_run_and_not_graded(cli: Cli, write: Write) -> None:
    ended = cli("run", write("print(1)"))
    assert "Note:" not in ended.err, "nothing speaks of a competition"
    assert "Running cell 1 of 1" in ended.out
    ended = cli("run", write("path = '../input/unheard-of/train.csv'"))
    assert "Note: The notebook reads from ../input/unheard-of" in ended.err
    assert "--competition" in ended.err


def test_an_install_line_that_failed_says_why(cli: Cli, write: Write) -> None:
    ended = cli("run", write("!pip install git+https://a.example/x\nprint(1)"))
    assert "Note: pip install git+https://a.example/x failed: " in ended.err
    assert "address" in ended.err


def test_the_report_holds_all_that_happened(cli: Cli, write: Write, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    path = write(LOAD, SUBMIT)
    assert cli("run", path, "--target-score", "1", "--report", report).code == 0
    data = json.loads(report.read_text())
    assert data["verdict"] == "reproduced"
    assert data["iterations"][0]["grade"]["score"] == 1.0
    again = cli("run", path, "--report", report)
    assert again.code == 2
    assert "--force" in again.err
    assert cli("run", path, "--target-score", "1", "--report", report, "--force").code == 0


@pytest.mark.thorough
@pytest.mark.parametrize("minor", [2, 4])
def test_notebooks_without_cell_ids_are_run(cli: Cli, write: Write, minor: int) -> None:
    path = write(LOAD, SUBMIT)
    data = json.loads(path.read_text())
    for cell in data["cells"]:
        del cell["id"]
    path.write_text(json.dumps({**data, "nbformat_minor": minor}))
    assert cli("run", path, "--target-score", "1").code == 0


def test_a_sandbox_without_isolation_is_named(cli: Cli, write: Write) -> None:
    ended = cli("run", write(LOAD, SUBMIT), "--target-score", "1", "--sandbox", "process")
    assert ended.code == 0
    assert "does not isolate" in ended.err


def test_hostile_output_does_not_act_on_the_terminal(cli: Cli, write: Write) -> None:
    ended = cli("run", write("raise ValueError('\\x1b[2J\\x1b]0;owned\\x07[bold]x[/bold]')"))
    assert "\x1b" not in ended.out
    assert "ValueError: [bold]x[/bold]" in ended.out


def test_a_terminal_without_unicode_is_no_error(write: Write) -> None:
    with start("run", write("print('done')"), PYTHONIOENCODING="ascii") as process:
        out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "Every cell ran" in out


def test_the_answers_are_not_in_the_report(
    cli: Cli, write: Write, tmp_path: Path, data_root: Path
) -> None:
    secret = data_root / "parity/prepared/private/answers.csv"
    secret.write_text(
        secret.read_text()
        .replace("Id,Odd", "Id,Odd,Secret")
        .replace(",1\n", ",1,hidden\n")
        .replace(",0\n", ",0,hidden\n")
    )
    report = tmp_path / "report.json"
    cli("run", write(LOAD, SUBMIT), "--target-score", "1", "--report", report)
    assert "hidden" not in report.read_text()


def test_a_value_that_a_cell_returns_is_the_score(cli: Cli, write: Write, tmp_path: Path) -> None:
    path = write("import numpy as np\nprint('epoch 3')\nnp.float64(0.8125)", "7")
    target = ("--target-score", "0.8125", "--target-kind", "printed")
    report = tmp_path / "report.json"
    ended = cli("run", path, *target, "--score-cell", "1", "--report", report)
    assert ended.code == 0, ended
    grade = json.loads(report.read_text())["iterations"][0]["grade"]
    assert (grade["score"], grade["score_kind"]) == (0.8125, "printed")


def test_a_cell_that_is_not_there_has_no_score(cli: Cli, write: Write) -> None:
    ended = cli("run", write("1"), "--score-cell", "3", "--target-score", "1")
    assert ended.code == 2
    assert "no code cell 3; the notebook has 1" in ended.err


def test_what_lies_beside_the_notebook_is_there(cli: Cli, write: Write, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("Id\n" + "".join(f"{number}\n" for number in range(1, 41)))
    (tmp_path / "helper.py").write_text("def odd(ids):\n    return ids % 2\n")
    path = write(
        LOAD,
        "import helper\nmine = [int(line) for line in open('mine.csv').read().split()[1:]]\n"
        "rows = [f'{number},{helper.odd(number)}' for number in mine]\n"
        "print('Id,Odd', *rows, sep='\\n', file=open('out/submission.csv', 'w'), flush=True)",
    )
    before = {file: file.read_bytes() for file in tmp_path.glob("*.*") if file.is_file()}
    ended = cli("run", path, "--target-score", "1")
    assert ended.code == 0, ended.out
    assert {file: file.read_bytes() for file in tmp_path.glob("*.*") if file.is_file()} == before
    ended = cli("run", path, "--target-score", "1", "--files-beside", "none")
    assert ended.code == 1
    assert "ModuleNotFoundError" in ended.out


def test_named_file_is_provided_at_the_notebooks_path(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.csv").write_text("served")
    path = write("print(open('C:/data/train.csv').read())")
    ended = cli("run", path, "--file", f"C:/data/train.csv={elsewhere / 'mine.csv'}")
    assert "Error in" not in ended.out
    without = cli("run", path)
    assert "Cell number 1 `print(open('C:/data/tra…` fails. The notebook reads" in without.out
    assert "--file PATH=FILE" in without.out
    refused = cli("run", path, "--file", f"x={elsewhere}")
    assert refused.code == 2
    assert "it is a folder" in refused.err
    with pytest.raises(SystemExit):
        cli("run", path, "--file", "x")
