"""`jupyter modernize paper --complete`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.cli.main import main
from tests.llm_server import LlmServer
from tests.workflow.test_completion import RIGHT, lines, paper_in


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    with LlmServer([lines(RIGHT, {**RIGHT, "number": "99.9"})]) as started:
        monkeypatch.setenv("MLE_MODERNIZER_BASE_URL", started.base_url)
        monkeypatch.setenv("MLE_MODERNIZER_MODEL", "stand-in")
        yield started


def test_claims_of_the_model_and_refused_ones_are_marked(
    server: LlmServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = str(paper_in(tmp_path))
    assert main(["paper", paper, "--complete", "--yes"]) == 0
    shown = capsys.readouterr()
    assert "stand-in at 127.0.0.1" in shown.err
    assert "named 2 claims: 1 confirmed by the paper's text, 1 refused" in shown.out
    assert "the number is not in the quote" in shown.out
    assert "from the model" in shown.out
    assert main(["paper", paper, "--json"]) == 0  # it is kept: nobody is asked again
    found = json.loads(capsys.readouterr().out)
    assert [claim["doubts"] for claim in found["claims"]] == [["from_model"]]
    assert len(server.requests) == 1


def test_what_would_be_sent_is_shown_and_not_sent(
    server: LlmServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["paper", str(paper_in(tmp_path)), "--complete"]
    assert main([*command, "--show-prompt"]) == 0
    assert "The rule is right for 93.5" in capsys.readouterr().out
    assert main([*command, "--yes", "--max-tokens", "50"]) == 2
    assert "over the limit" in capsys.readouterr().err
    assert not server.requests


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.tex", "--show-prompt"],
        ["a.tex", "--yes"],
        ["a.tex", "--max-cost", "1"],
        ["--check", "b.ipynb", "--complete"],
    ],
)
def test_options_that_do_not_go_together_are_bad_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["paper", *arguments])
    assert ended.value.code == 2
