"""Nothing on disk or in the configuration keeps the extension from loading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.values import worded
from tests.web.conftest import Fetch, code_notebook


def not_a_database(database: Path, config: dict[str, Any]) -> str:
    database.write_text("this is not SQLite, it only has the name of it " * 50)
    return "Sessions are kept in memory"


def a_folder_for_a_file(database: Path, config: dict[str, Any]) -> str:
    database.mkdir(parents=True)
    return "Sessions are kept in memory"


def no_such_sandbox(database: Path, config: dict[str, Any]) -> str:
    config["sandbox"] = "unheard-of"
    return "The configured sandbox cannot be used"


def no_such_rules(database: Path, config: dict[str, Any]) -> str:
    config["rules_path"] = str(database / "nowhere")
    return "Rules of your own are not used"


@pytest.fixture(params=[not_a_database, a_folder_for_a_file, no_such_sandbox, no_such_rules])
def said(request: pytest.FixtureRequest, database: Path, jp_server_config: Any) -> str:
    return str(request.param(database, jp_server_config["ModernizerExtension"]))


async def test_what_fails_at_the_start_is_said_and_the_rest_works(said: str, api: Fetch) -> None:
    status, info, _ = await api("info")
    assert status == 200
    assert [problem for problem in info["problems"] if worded([problem]).startswith(said)]
    body = {"path": "a.ipynb", "notebook": code_notebook("x = 1")}
    status, session, _ = await api("sessions", method="POST", body=body)
    assert status == 201
    status, found, _ = await api("sessions")
    assert [one["id"] for one in found["sessions"]] == [session["id"]]
