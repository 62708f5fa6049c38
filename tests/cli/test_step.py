"""Step mode on a real (pseudo-)terminal: live progress, a question for every fix."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, LOAD, START, SUBMIT_RANKED, Write
from tests.cli.terminal import Terminal
from tests.llm_server import Answer, LlmServer

Open = Callable[..., Terminal]
QUESTION = "Accept this fix? [a]ccept, [r]eject, [q]uit: "


@pytest.fixture
def broken(write: Write) -> Path:
    return write(LOAD, BROKEN, SUBMIT_RANKED, mle_modernizer={"target_score": 1})


@pytest.fixture
def open_terminal(broken: Path) -> Open:
    def start(*flags: object) -> Terminal:
        return Terminal([*START, str(broken), *map(str, flags)])

    return start


def test_an_accepted_fix_is_run_and_written_where_the_user_says(
    open_terminal: Open, broken: Path, tmp_path: Path
) -> None:
    before = broken.read_bytes()
    terminal = open_terminal("--fixer", "rules")
    terminal.until("Error in cell number 2 `begun = time.clock()`, line 1: AttributeError")
    terminal.until("-begun = time.clock(")
    terminal.until("time.perf_counter")
    terminal.until(QUESTION)
    terminal.type("perhaps")
    terminal.until(QUESTION)
    terminal.type("a")
    terminal.until("Run 2")
    terminal.until("error-free-reproducible")
    terminal.until("(empty: nowhere): ")
    terminal.type(str(broken))
    terminal.until("itself")  # a long path moves it to a line of its own
    terminal.until("(empty: nowhere): ")
    terminal.type(str(tmp_path / "new.ipynb"))
    assert terminal.end() == 0
    assert "of 10:00" in terminal.shown, "how far a run has come"
    assert broken.read_bytes() == before
    assert "time.perf_counter" in (tmp_path / "new.ipynb").read_text()


@pytest.mark.thorough  # so does a UI test
def test_a_rejected_fix_changes_nothing(open_terminal: Open, tmp_path: Path) -> None:
    output = tmp_path / "new.ipynb"
    terminal = open_terminal("--fixer", "rules", "--output", output)
    terminal.until(QUESTION)
    terminal.type("r")
    assert terminal.end() == 1
    assert "was not changed" in terminal.shown
    assert not output.exists()


@pytest.mark.thorough
def test_quitting_keeps_what_was_accepted_before(open_terminal: Open, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    terminal = open_terminal("--fixer", "rules", "--report", report)
    terminal.until(QUESTION)
    terminal.type("q")
    assert terminal.end() == 1
    reviews = json.loads(report.read_text())["iterations"][0]["reviews"]
    assert reviews[0]["decisions"] == {}


@pytest.mark.thorough
def test_ctrl_c_at_the_question_ends_with_130_and_still_reports(
    open_terminal: Open, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    terminal = open_terminal("--fixer", "rules", "--report", report)
    terminal.until(QUESTION)
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "Cancelled." in terminal.shown
    assert json.loads(report.read_text())["iterations"]


@pytest.mark.thorough
def test_ctrl_c_in_mid_run_ends_with_130(write: Write) -> None:
    slow = write("x = 1", "import time\ntime.sleep(600)")
    terminal = Terminal([*START, str(slow)])
    terminal.until("cell 2 of 2")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "Cancelled. The notebook is unchanged." in terminal.shown


MENDED = """=== PLAN ===
- no clock
=== REPLACE CELL c1 ===
ranked = sorted(test)
=== END ===
"""


@pytest.mark.thorough
def test_model_is_asked_after_the_rules_fix_is_rejected(
    open_terminal: Open, tmp_path: Path
) -> None:
    output = tmp_path / "new.ipynb"
    with LlmServer([Answer(MENDED), Answer(MENDED)]) as server:
        terminal = open_terminal(
            "--llm-base-url", server.base_url, "--llm-model", "stand-in", "--output", output
        )
        terminal.until(QUESTION)
        terminal.type("r")
        terminal.until("Ask llm for another fix?")
        terminal.type("y")
        terminal.until("Fix by llm, stand-in")
        terminal.until("+ranked = sorted(test)")
        terminal.until(QUESTION)
        terminal.type("a")
        assert terminal.end() == 1
    assert "Reached, not proven" in terminal.shown, "a model's edit led to the score"
    assert "tokens" in terminal.shown
    assert "ranked = sorted(test)" in output.read_text()


@pytest.mark.thorough
def test_ctrl_c_while_the_model_thinks_breaks_the_request_off(open_terminal: Open) -> None:
    with LlmServer([Answer(MENDED, hang_after=1)]) as server:
        terminal = open_terminal(
            "--fixer", "llm", "--llm-base-url", server.base_url, "--llm-model", "stand-in"
        )
        assert server.answering.wait(60)
        terminal.type("\x03")
        assert terminal.end() == 130
        assert server.left.wait(10)


@pytest.mark.thorough
def test_in_the_scope_of_a_cell_the_run_goes_on_where_it_stopped(
    open_terminal: Open, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    terminal = open_terminal("--fixer", "rules", "--scope", "cell", "--report", report)
    terminal.until(QUESTION)
    terminal.type("a")
    terminal.until("Run 3")
    terminal.until("(empty: nowhere): ")
    terminal.type("")
    assert terminal.end() == 0
    kinds = [item["kind"] for item in json.loads(report.read_text())["iterations"]]
    assert kinds == ["clean", "resumed", "clean"]
