"""A model completes a paper's claims over HTTP: nothing is sent before it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.llm_server import LlmServer
from tests.web.conftest import Fetch
from tests.workflow.test_completion import RIGHT, lines, paper_in


@pytest.fixture
def model() -> Iterator[LlmServer]:
    with LlmServer([lines(RIGHT, {**RIGHT, "number": "99.9"})]) as server:
        yield server


@pytest.fixture
def jp_server_config(data_root: Path, database: Path, model: LlmServer) -> dict[str, Any]:
    return {
        "ServerApp": {
            "jpserver_extensions": {"mle_modernizer_server": True},
            "allow_unauthenticated_access": False,
        },
        "ModernizerExtension": {
            "data_root": str(data_root),
            "database": str(database),
            "llm_base_url": model.base_url,
            "llm_model": "stand-in",
        },
    }


async def test_the_model_is_asked_after_the_question_was_shown(
    api: Fetch, jp_root_dir: Path, model: LlmServer
) -> None:
    paper_in(jp_root_dir)
    ask = {"path": "rule.tex"}
    status, question, _ = await api("papers", "claims", "question", method="POST", body=ask)
    assert (status, question["model"]) == (200, "stand-in")
    assert not model.requests
    status, answer, _ = await api(
        "papers", "claims", method="POST", body={**ask, "max_tokens": 100}
    )
    assert (status, answer["code"]) == (400, "bad_setting")
    assert not model.requests
    status, reading, _ = await api("papers", "claims", method="POST", body=ask)
    assert status == 200
    assert [claim["doubts"] for claim in reading["claims"]] == [["from_model"]]
    assert [one["problem"] for one in reading["completion"]["refused"]] == ["no-number"]
    status, again, _ = await api("papers", method="POST", body=ask)
    assert (status, again) == (200, reading)
    assert len(model.requests) == 1
