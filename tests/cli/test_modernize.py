"""`jupyter modernize --auto`: fixes on a scratch copy, writes a new notebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, LOAD, SUBMIT, SUBMIT_RANKED, Cli, Write

UNKNOWN = "ranked = test.shuffle_by_magic()"


def test_a_known_breakage_is_fixed_and_only_its_cell_changes(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    path = write(LOAD, BROKEN, SUBMIT_RANKED)
    before = path.read_text()
    output, report = tmp_path / "new.ipynb", tmp_path / "report.json"
    ended = cli(
        path, "--auto", "--fixer", "rules", "--target-score", "1",
        "--output", output, "--report", report,
    )  # fmt: skip
    assert ended.code == 0
    assert path.read_text() == before
    old, new = before.splitlines(), output.read_text().splitlines()
    changed = [line for line in old if line not in new]
    assert changed == [line for line in old if "time.clock(" in line]
    assert "-begun = time.clock()" in ended.out
    assert "time.perf_counter" in ended.out
    assert "error-free-reproducible" in ended.out
    assert str(output) in ended.out
    data = json.loads(report.read_text())
    assert [run["diagnosis"]["outcome"] for run in data["iterations"]] == [
        "error-non-reproducible",
        "error-free-reproducible",
    ]
    assert "time.perf_counter" in data["difference"]


@pytest.mark.thorough
def test_the_written_notebook_needs_no_further_fix(cli: Cli, write: Write, tmp_path: Path) -> None:
    output = tmp_path / "new.ipynb"
    path = write(LOAD, BROKEN, SUBMIT_RANKED, mle_modernizer={"target_score": 1})
    assert cli(path, "--auto", "--output", output).code == 0
    assert cli("run", output).code == 0
    again = cli(output, "--auto", "--output", tmp_path / "newer.ipynb")
    assert again.code == 0
    assert "was not changed" in again.out
    assert not (tmp_path / "newer.ipynb").exists()


def test_without_an_output_the_difference_is_only_shown(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    path = write(LOAD, BROKEN, SUBMIT_RANKED)
    there = set(tmp_path.iterdir())
    ended = cli(path, "--auto", "--target-score", "1")
    assert ended.code == 0
    assert "time.perf_counter" in ended.out
    assert "--output" in ended.out
    assert set(tmp_path.iterdir()) == there


def test_what_no_rule_covers_ends_with_one_and_says_so(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    output = tmp_path / "new.ipynb"
    path = write(LOAD, UNKNOWN, SUBMIT_RANKED)
    ended = cli(path, "--auto", "--fixer", "rules", "--target-score", "1", "--output", output)
    assert ended.code == 1
    assert "shuffle_by_magic" in ended.out
    assert not output.exists()


@pytest.mark.thorough
def test_no_fixes_allowed_means_none(cli: Cli, write: Write) -> None:
    path = write(LOAD, BROKEN, SUBMIT_RANKED)
    ended = cli(path, "--auto", "--target-score", "1", "--max-fixes", "0")
    assert ended.code == 1
    assert "Run 2" not in ended.out


def test_a_model_that_cannot_be_reached_ends_with_three(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLE_MODERNIZER_API_KEY", "sk-very-secret")
    monkeypatch.setenv("MLE_MODERNIZER_RETRIES", "1")  # five take fifteen seconds
    ended = cli(
        write(LOAD, UNKNOWN, SUBMIT_RANKED), "--auto", "--target-score", "1", "--fixer", "llm",
        "--llm-base-url", "http://127.0.0.1:9/v1", "--llm-model", "m",
    )  # fmt: skip
    assert ended.code == 3
    assert "127.0.0.1" in ended.err
    assert "sk-very-secret" not in ended.out + ended.err


@pytest.mark.thorough
def test_a_notebook_that_is_fine_is_left_alone(cli: Cli, write: Write) -> None:
    ended = cli(write(LOAD, SUBMIT), "--auto", "--target-score", "1")
    assert ended.code == 0
    assert "Run 2" not in ended.out


@pytest.mark.thorough
def test_a_web_address_is_led_to_the_file_that_is_named_for_it(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "elsewhere" / "mine.csv"
    file.write_text("a\n1\n2\n")
    address = "https://host.invalid/data/train.csv?raw=true"
    path = write(f"import pandas as pd\nprint(len(pd.read_csv('{address}')))")
    output = tmp_path / "new.ipynb"
    ended = cli(path, "--auto", "--fixer", "rules", "--output", output)
    assert "runs have no network access" in ended.out and "--file URL=FILE" in ended.out
    ended = cli(
        path, "--auto", "--fixer", "rules", "--output", output, "--file", f"{address}={file}"
    )
    assert ended.code == 0, ended
    assert "read_csv('train.csv')" in output.read_text()


def test_differing_outputs_alone_name_a_possible_known_change(cli: Cli, write: Write) -> None:
    path = write("print(2 + 2)")
    document = json.loads(path.read_text())
    for kept, told in (("5\n", True), ("4\n", False)):
        output = {"output_type": "stream", "name": "stdout", "text": [kept]}
        document["cells"][0]["outputs"] = [output]
        path.write_text(json.dumps(document))
        ended = cli(path, "--auto", "--fixer", "rules")
        assert ("No known silent change of a library concerns" in ended.out) is told
