"""`jupyter modernize statistics`, and the estimate before `--auto`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mle_modernizer_server.domain.statistics import SessionStatistics, Statistics
from mle_modernizer_server.workflow.log.store import Store
from tests.cli.conftest import BROKEN, LOAD, START, SUBMIT_RANKED, Cli, Write
from tests.cli.terminal import Terminal
from tests.llm_server import Answer, LlmServer
from tests.workflow.logged_sessions import (
    ENDED_WELL,
    FAILED_CELL,
    OFF_TARGET,
    TOO_LATE,
    logged,
)

MENDED = """\
=== PLAN ===
- no clock
=== REPLACE CELL $CELL(clock)$ ===
ranked = sorted(test)
=== END ===
"""


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Jupyter's data directory, where the server keeps its sessions."""
    folder = tmp_path / "share"
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def database(data_dir: Path) -> Path:
    file = data_dir / "mle-modernizer" / "sessions.db"
    store = Store(file)
    errors = [["KeyError", "\x1b[2JEvil"], ["KeyError"], []]
    logged(store, "old/a.ipynb", [FAILED_CELL, FAILED_CELL, ENDED_WELL], errors=errors)
    logged(store, "old/b.ipynb", [TOO_LATE, OFF_TARGET, ENDED_WELL])
    logged(store, "new/c.ipynb", [FAILED_CELL], errors=[["KeyError"]])
    store.close()
    return file


def test_the_servers_sessions_are_shown_as_tables(cli: Cli, database: Path) -> None:
    ended = cli("statistics")
    assert ended.code == 0, ended.err
    assert "3 sessions, 7 runs; 2 sessions came to a reproducible notebook" in ended.out
    lines = ended.out.splitlines()
    repair = next(line for line in lines if "error-repair" in line)
    assert [part.strip() for part in repair.split("│")[1:-1]] == [
        "error-repair", "2", "2", "1", "·", "1", "1",
    ]  # fmt: skip
    key_error = next(line for line in lines if "KeyError" in line)
    assert [part.strip() for part in key_error.split("│")[1:-1]][:4] == ["KeyError", "2", "2", "1"]
    assert "prices of 2025-12-11" in ended.out
    assert "600" in ended.out, "reasoning tokens of a fix"
    assert "\x1b[2J" not in ended.out and "Evil" in ended.out
    assert any(line.startswith("│ 2 fixes") for line in lines), "similarity after two fixes"


def test_they_are_json_for_programs_filtered_by_path_or_session(cli: Cli, database: Path) -> None:
    found = Statistics.model_validate_json(cli("statistics", "--json").out)
    assert (found.sessions, found.usage.calls) == (3, 4)
    below = json.loads(cli("statistics", "--json", "--path", "old/").out)
    assert below["sessions"] == 2
    store = Store(database)
    session = next(store.each_session("new/c.ipynb")).id
    store.close()
    one = SessionStatistics.model_validate_json(
        cli("statistics", "--json", "--session", session).out
    )
    assert one.facts.path == "new/c.ipynb"


def test_where_there_are_none_the_next_step_is_said(
    cli: Cli, data_dir: Path, tmp_path: Path
) -> None:
    ended = cli("statistics")
    assert ended.code == 2
    assert "--database" in ended.err and str(data_dir) in ended.err
    assert not data_dir.exists(), "nothing is made by looking"
    no_database = tmp_path / "x.db"
    no_database.write_text("this is not SQLite, it only has the name of it " * 50)
    ended = cli("statistics", "--database", no_database)
    assert ended.code == 3 and "cannot be used" in ended.err


def test_no_session_below_a_path_is_said(cli: Cli, database: Path) -> None:
    ended = cli("statistics", "--path", "nowhere/")
    assert ended.code == 2 and "nowhere/" in ended.err


@pytest.mark.thorough
def test_estimate_precedes_an_auto_run_and_cost_follows_it(
    cli: Cli, write: Write, data_dir: Path
) -> None:
    path = write(LOAD, BROKEN, SUBMIT_RANKED)
    with LlmServer(lambda _: Answer(MENDED)) as server:
        ended = cli(
            path, "--auto", "--fixer", "llm", "--target-score", "1",
            "--llm-base-url", server.base_url, "--llm-model", "gpt-5.2",
        )  # fmt: skip
    assert ended.code == 0, ended.err
    estimate, run = (
        ended.out.index("Estimate for 1 to 16 fixes by gpt-5.2"),
        ended.out.index("Run 1"),
    )
    assert estimate < run
    assert "at prices of 2025-12-11" in ended.out[estimate:run]
    assert "the figures of the paper" in ended.out[estimate:run]
    assert "Model: 1 call, " in ended.out and "(prices of 2025-12-11)" in ended.out


@pytest.mark.thorough
def test_nothing_is_estimated_where_no_model_is_asked(cli: Cli, write: Write) -> None:
    ended = cli(write(LOAD, BROKEN, SUBMIT_RANKED), "--auto", "--fixer", "rules")
    assert "Estimate" not in ended.out


def test_a_broken_store_stops_no_run(cli: Cli, write: Write, data_dir: Path) -> None:
    file = data_dir / "mle-modernizer" / "sessions.db"
    file.parent.mkdir(parents=True)
    file.write_text("this is not SQLite, it only has the name of it " * 50)
    ended = cli(
        write("x = 1"), "--auto", "--max-fixes", "0", "--fixer", "llm",
        "--llm-base-url", "http://127.0.0.1:9/v1", "--llm-model", "m",
    )  # fmt: skip
    assert "Run 1" in ended.out
    assert "sessions.db cannot be used" in ended.err


def test_a_bad_price_list_stops_everything_with_a_sentence(
    cli: Cli, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("models: cheap")
    monkeypatch.setenv("MLE_MODERNIZER_PRICES", str(prices))
    ended = cli(write("x = 1"), "--auto")
    assert ended.code == 2
    assert str(prices) in ended.err and "as_of" in ended.err


@pytest.mark.parametrize(
    ("answer", "code"), [("n", 130), pytest.param(None, 0, marks=pytest.mark.thorough)]
)
def test_a_terminal_asks_before_it_costs_money_unless_told_yes(
    write: Write, data_dir: Path, answer: str | None, code: int
) -> None:
    path = write(LOAD, BROKEN, SUBMIT_RANKED)
    with LlmServer(lambda _: Answer(MENDED)) as server:
        terminal = Terminal(
            [
                *START, str(path), "--auto", "--fixer", "llm", "--target-score", "1",
                "--llm-base-url", server.base_url, "--llm-model", "m",
                *([] if answer else ["--yes"]),
            ]
        )  # fmt: skip
        terminal.until("there is no price for m")
        if answer:
            terminal.until("Start? [y]es, [n]o:")
            terminal.type(answer)
        assert terminal.end() == code
        assert len(server.requests) == (0 if answer else 1)
    assert ("Nothing was run." in terminal.shown) == bool(answer)
