"""Edits that change the experiment, in the terminal: they wait for a yes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import START, Cli, Write
from tests.cli.terminal import Terminal
from tests.llm_server import Answer, LlmServer

SPLIT = "import random\nsplitter = random.Random(1)\nseed = 1"
BROKEN = "marks = splitter.shuffle_by_magic()"
SUBMIT = (
    "open('submission.csv', 'w').write('Id,Odd\\n' + ''.join(f'{i},{i % 2}\\n' for i in marks))"
)
BOLD = """\
=== PLAN ===
- another seed
=== REPLACE CELL $CELL(^seed = 1)$ ===
import random
splitter = random.Random(1)
seed = 7
=== REPLACE CELL $CELL(^marks = )$ ===
marks = list(range(1, 41))
=== END ===
"""


ALONE = BOLD.partition("=== REPLACE CELL $CELL(^marks")[0] + "=== END ===\n"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LlmServer]:
    with LlmServer([Answer(text=BOLD)] * 2) as server:
        monkeypatch.setenv("MLE_MODERNIZER_BASE_URL", server.base_url)
        monkeypatch.setenv("MLE_MODERNIZER_MODEL", "scripted")
        yield server


@pytest.fixture
def notebook(write: Write) -> Path:
    return write(SPLIT, BROKEN, SUBMIT, mle_modernizer={"target_score": 1, "competition": "parity"})


@pytest.mark.thorough
def test_auto_mode_omits_it_and_says_how_to_allow_it(
    cli: Cli, notebook: Path, model: LlmServer, tmp_path: Path
) -> None:
    model.choose = lambda request: Answer(text=ALONE)
    output, report = tmp_path / "new.ipynb", tmp_path / "r.json"
    ended = cli(notebook, "--auto", "--fixer", "llm", "--output", output, "--report", report)
    assert ended.code == 1
    assert "seed = 7" in ended.out, "it is shown"
    assert "--allow-experiment-changes" in ended.out
    assert not output.exists()
    assert json.loads(report.read_text())["verdict"] == "awaits-yes"


@pytest.mark.thorough
def test_auto_mode_carries_it_out_where_that_is_allowed(
    cli: Cli, notebook: Path, model: LlmServer, tmp_path: Path
) -> None:
    output = tmp_path / "new.ipynb"
    ended = cli(
        notebook, "--auto", "--fixer", "llm", "--allow-experiment-changes", "--output", output
    )
    assert ended.code == 0, ended.out + ended.err
    assert "seed = 7" in output.read_text()


def test_step_mode_asks_about_each_such_edit(
    notebook: Path, model: LlmServer, tmp_path: Path
) -> None:
    assert "MLE_MODERNIZER_BASE_URL" in os.environ
    output = tmp_path / "new.ipynb"
    terminal = Terminal([*START, str(notebook), "--fixer", "llm", "--output", str(output)])
    terminal.until("[q]uit: ")
    terminal.type("a")
    terminal.until("changes the experiment")
    terminal.until("[n]o: ")
    terminal.type("n")
    terminal.until("Run 2")
    terminal.until("Reached, not proven.")
    assert terminal.end() == 1
    text = output.read_text()
    assert "seed = 1" in text and "range(1, 41)" in text


def test_cost_limit_without_price_is_refused_before_a_run(
    cli: Cli, notebook: Path, model: LlmServer
) -> None:
    ended = cli(notebook, "--auto", "--fixer", "llm", "--max-cost", "1")
    assert ended.code == 2
    assert "MLE_MODERNIZER_PRICE" in ended.err
    assert not model.requests
