"""`jupyter modernize paper --write`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.cli.main import main
from mle_modernizer_server.domain.reproduction import Writing
from tests.llm_server import LlmServer
from tests.llm_server.answers import in_turn
from tests.workflow.test_writing import EVALUATION, METHOD, NO_FIX, reply, short_paper


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    monkeypatch.setenv("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "no")
    with LlmServer([reply(method=METHOD)]) as started:
        monkeypatch.setenv("MLE_MODERNIZER_BASE_URL", started.base_url)
        monkeypatch.setenv("MLE_MODERNIZER_MODEL", "stand-in")
        yield started


@pytest.mark.thorough
def test_a_bound_ends_it_and_the_same_command_goes_on(
    server: LlmServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "again.ipynb"
    command = ["paper", str(short_paper(tmp_path)), "--out", str(out), "--write", "--yes"]
    assert main([*command, "--max-tokens", "10"]) == 1
    shown = capsys.readouterr().out
    assert "stand-in will be asked 2 to 24 times" in shown
    assert "experiment: budget, asked 0 times" in shown
    assert not out.exists()
    kept = tmp_path / "again.ipynb.writing.json"
    begun = Writing.model_validate_json(kept.read_bytes())
    claim = begun.experiment.claims[0].claim.id
    right = reply(evaluation=EVALUATION.replace("CLAIM", claim))
    server.choose = in_turn([right, *[NO_FIX] * 5])
    asked = len(server.requests)
    assert main(command) == 0
    assert "it ran" in capsys.readouterr().out
    assert len(server.requests) > asked
    assert not kept.exists()
    notebook = json.loads(out.read_text("utf-8"))
    assert "reproduction" in notebook["metadata"]["mle_modernizer"]
    assert "class Rule" in json.dumps(notebook["cells"])


@pytest.mark.parametrize("content", ["{", '{"version": 1}', "\x00"])
def test_what_is_kept_and_cannot_be_read_is_not_taken_up(
    server: LlmServer, tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "again.ipynb"
    out.with_name("again.ipynb.writing.json").write_text(content, "utf-8")
    assert main(["paper", str(short_paper(tmp_path)), "--out", str(out), "--write", "--yes"]) == 2
    assert "remove it to start over" in capsys.readouterr().err
    assert not server.requests


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.tex", "--write"],
        ["a.tex", "--step"],
        ["a.tex", "--out", "b.ipynb", "--max-cost", "1"],
        ["a.tex", "--out", "b.ipynb", "--write", "--rounds", "21"],
    ],
)
def test_options_that_do_not_go_together_are_bad_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["paper", *arguments])
    assert ended.value.code == 2
