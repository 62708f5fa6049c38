"""`jupyter modernize paper`."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import nbformat
import pytest

from mle_modernizer_server.cli.main import main
from tests.papers.examples import SOURCES, pdf


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    for name, data in SOURCES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path / "main.tex"


def test_it_shows_claims_and_the_method(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", str(paper)]) == 0
    shown = capsys.readouterr().out
    assert "WineLDA: Three Classifiers on Wine" in shown
    assert "98.88" in shown
    assert "not stated" in shown
    assert "Builds on " in shown
    assert "taken from it: split" in shown


@pytest.mark.thorough
def test_cited_works_that_are_at_hand_are_shown(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cited = paper.parent / "cited"
    cited.mkdir()
    (cited / "aeberhard1992.md").write_text(
        "# Wine\n\n## 2 Experiments\n\nWe use leave-one-out cross-validation on all samples.\n",
        "utf-8",
    )
    assert main(["paper", str(paper)]) == 0
    shown = capsys.readouterr().out
    assert "In the folder: cited/aeberhard1992.md" in shown
    assert "split: leave-one-out (cited/aeberhard1992.md, §" in shown


@pytest.mark.thorough
def test_claims_as_csv_for_its_own_method(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", str(paper), "--claims", "--own"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert ("Iris", "WineLDA", "97.3", "Table 1 row 5") in [
        (row["dataset"], row["method"], row["value"], row["place"]) for row in rows
    ]
    assert all(row["own"] == "yes" for row in rows)


def test_json_is_the_whole_reading(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", str(paper), "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {
        *("paper", "claims", "checklist", "lineage", "completion")
    }


def test_a_locked_pdf_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "locked.pdf"
    file.write_bytes(pdf(password="x"))
    assert main(["paper", str(file)]) == 2
    assert "locked.pdf needs a password" in capsys.readouterr().err


def test_a_notebook_is_written_with_the_claims_in_its_metadata(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = paper.with_name("again.ipynb")
    assert main(["paper", str(paper), "--claim", "1", "5", "--out", str(out)]) == 0
    assert "--check" in capsys.readouterr().out
    notebook = json.loads(out.read_text("utf-8"))
    nbformat.validate(notebook)
    kept = notebook["metadata"]["mle_modernizer"]["reproduction"]
    assert [one["claim"]["printed"] for one in kept["claims"]] == ["98.9", "98.88"]
    assert kept["checksum"] == hashlib.sha256(paper.read_bytes()).hexdigest()
    assert not any("98.8" in str(cell["source"]) for cell in notebook["cells"])
    assert main(["paper", str(paper), "--out", str(out)]) == 2
    assert "add --force" in capsys.readouterr().err
    assert main(["paper", str(paper), "--out", str(out), "--force"]) == 0
    capsys.readouterr()
    assert main(["paper", str(paper), "--json", "--out", str(out), "--force"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["claims"]
    assert "The notebook is in" in said.err


@pytest.mark.parametrize("claim", ["0", "10", "nothing"])
def test_a_claim_that_is_not_there_is_refused(
    paper: Path, claim: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = paper.with_name("again.ipynb")
    assert main(["paper", str(paper), "--claim", claim, "--out", str(out)]) == 2
    assert f"There is no claim '{claim}' in this paper." in capsys.readouterr().err
    assert not out.exists()


def test_claims_without_a_notebook_to_write_are_bad_usage(paper: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["paper", str(paper), "--claim", "1"])
    assert ended.value.code == 2


def test_a_notebook_is_checked(
    paper: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "no")
    out, report = paper.with_name("again.ipynb"), paper.with_name("report.html")
    assert main(["paper", str(paper), "--claim", "5", "6", "--out", str(out)]) == 0
    notebook = json.loads(out.read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["id"] == "evaluation":
            cell["source"] = "results = {'t0r2c1n0': sum([98.0, 0.88]), 't0r2c2n0': None}"
    out.write_text(json.dumps(notebook), "utf-8")
    before = out.read_bytes()
    capsys.readouterr()
    assert main(["paper", "--check", str(out), "--report", str(report)]) == 1
    shown = capsys.readouterr()
    assert "within rounding" in shown.out
    assert "not computed" in shown.out
    assert "1 of 2 claims are reproduced" in shown.out
    assert "Run 1 of 1: running cell 7 of 7" in shown.err
    assert out.read_bytes() == before
    page = report.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    for heading in ("Claims", "Assumptions", "Deviations", "Environment", "How to repeat it"):
        assert f"<h2>{heading}</h2>" in page
    assert main(["paper", "--check", str(out), "--report", str(report)]) == 2


def test_a_notebook_without_claims_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plain.ipynb"
    cell = nbformat.v4.new_code_cell("1")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    assert main(["paper", "--check", str(path)]) == 2
    assert "does not name the claims" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a.tex", "--runs", "2"],
        ["a.tex", "--check", "b.ipynb"],
        ["--check", "b.ipynb", "--own"],
        ["--check", "b.ipynb", "--runs", "0"],
        ["--check", "b.ipynb", "--tolerance", "1"],
    ],
)
def test_options_that_do_not_go_together_are_bad_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["paper", *arguments])
    assert ended.value.code == 2
