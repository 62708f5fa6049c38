"""The estimate and the statistics over HTTP, from a server's own store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.domain.model_calls import Estimate
from mle_modernizer_server.domain.statistics import SessionStatistics, Statistics
from mle_modernizer_server.workflow.log.store import Store
from tests.web.conftest import Fetch, code_notebook
from tests.workflow.logged_sessions import ENDED_WELL, FAILED_CELL, logged

MODEL = {"MLE_MODERNIZER_BASE_URL": "http://127.0.0.1:9/v1", "MLE_MODERNIZER_MODEL": "gpt-5.2"}


@pytest.fixture
def ids(database: Path) -> list[str]:
    """Sessions that were there before the server started."""
    store = Store(database)
    paths = ("old/a.ipynb", "old/b.ipynb", "new/c.ipynb")
    found = [logged(store, path, [FAILED_CELL, ENDED_WELL]).id for path in paths]
    store.close()
    return found


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in MODEL.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def api_with_model(model: None, api: Fetch) -> Fetch:
    return api


def asked(**settings: Any) -> dict[str, Any]:
    return {"notebook": code_notebook("x = 1"), "settings": {"mode": "auto", **settings}}


async def test_statistics_are_over_all_sessions_or_those_below_a_path(
    ids: list[str], api: Fetch
) -> None:
    status, body, _ = await api("statistics")
    assert status == 200
    assert Statistics.model_validate(body).sessions == 3
    assert [row["reproducible"] for row in body["by_type"]] == [3]
    status, body, _ = await api("statistics", params={"path": "old/"})
    assert (status, body["sessions"], body["usage"]["calls"]) == (200, 2, 2)
    status, body, _ = await api("statistics", params={"path": "none"})
    assert (status, body["sessions"], body["by_type"]) == (200, 0, [])


async def test_one_sessions_statistics_have_its_facts(ids: list[str], api: Fetch) -> None:
    status, body, _ = await api("sessions", ids[0], "statistics")
    assert status == 200
    found = SessionStatistics.model_validate(body)
    assert found.facts.session == ids[0]
    assert found.statistics.sessions == 1
    assert (body["facts"]["first"], body["facts"]["best"]) == (
        "error-non-reproducible",
        "error-free-reproducible",
    )
    status, body, _ = await api("sessions", "0" * 32, "statistics")
    assert (status, body["code"]) == (404, "not_found")


async def test_an_estimate_has_a_range_and_the_date_of_the_prices(api_with_model: Fetch) -> None:
    status, body, _ = await api_with_model("estimate", method="POST", body=asked())
    assert status == 200, body
    found = Estimate.model_validate(body)
    assert found.cost_usd is not None and found.price is not None
    assert found.cost_usd.low < found.cost_usd.likely < found.cost_usd.high
    status, info, _ = await api_with_model("info")
    assert info["llm"]["price"] == found.price.model_dump(mode="json")
    assert info["llm"]["price"]["as_of"] == "2025-12-11"


async def test_without_a_model_an_estimate_says_what_to_set(
    api: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, body, _ = await api("estimate", method="POST", body=asked())
    assert (status, body["code"]) == (409, "conflict")
    assert "MLE_MODERNIZER_MODEL" in body["message"]


async def test_a_bad_question_is_refused(api_with_model: Fetch) -> None:
    status, body, _ = await api_with_model("estimate", method="POST", body={"notebook": 1})
    assert (status, body["code"]) == (400, "bad_input")
    unknown = asked(competition="nowhere")
    status, body, _ = await api_with_model("estimate", method="POST", body=unknown)
    assert (status, body["code"]) == (404, "unknown_competition")
