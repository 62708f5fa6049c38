"""`jupyter modernize --rehearse`: errors are met on a sample before all data are run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Write
from tests.workflow.large_competition import BROKEN, READ, SUBMIT, prepare_people


@pytest.fixture(autouse=True)
def people(data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_people(data_root)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter-data"))


@pytest.mark.thorough  # one over HTTP goes the same way
def test_the_rehearsal_is_marked_and_all_data_decide(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    path = write(READ, BROKEN, SUBMIT)
    output, report = tmp_path / "new.ipynb", tmp_path / "report.json"
    ended = cli(
        path, "--auto", "--fixer", "rules", "--target-score", "1", "--rehearse", "100",
        "--output", output, "--report", report,
    )  # fmt: skip
    assert ended.code == 0
    assert "Run 1, a rehearsal\n" in ended.out
    assert "Rehearsing: cell 2 of 3" in ended.out
    assert "of 4,000 rows" in ended.out
    kinds = [run["kind"] for run in json.loads(report.read_text())["iterations"]]
    assert kinds == ["rehearsal", "rehearsal", "clean"]
    assert "pd.concat" in output.read_text()


def test_where_there_is_nothing_to_cut_it_says_so(cli: Cli, write: Write) -> None:
    path = write("print(1)")
    ended = cli(path, "--auto", "--competition", "parity", "--rehearse")
    assert "No rehearsal was needed: the data are small already" in ended.out
    assert "Run 1\n" in ended.out


@pytest.mark.parametrize("rows", ["many", "3", "-5", "1e9"])
def test_a_wrong_number_of_rows_is_refused(cli: Cli, write: Write, rows: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli(write("print(1)"), "--auto", "--rehearse", rows)
