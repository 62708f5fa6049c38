"""A score that a person types after a run without one."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.workflow import decisions
from tests.values import worded
from tests.web.conftest import SUBMIT, Fetch, code_notebook


async def ran(api: Fetch, at_rest: Any, source: str, **settings: Any) -> dict[str, Any]:
    body = {"path": "a.ipynb", "notebook": code_notebook(source), "settings": settings}
    _, session, _ = await api("sessions", method="POST", body=body)
    run = {"notebook": code_notebook(source)}
    await api("sessions", session["id"], "runs", method="POST", body=run)
    return dict(await at_rest(session["id"]))


async def typed(api: Fetch, session: dict[str, Any], score: object) -> Any:
    body = {"score": score}
    status, answer, _ = await api("sessions", session["id"], "scores", method="POST", body=body)
    return status, answer


async def test_it_is_compared_with_a_typed_target_and_can_be_corrected(
    api: Fetch, at_rest: Any
) -> None:
    session = await ran(api, at_rest, "1", target_score=0.8, target_kind="typed")
    assert session["iterations"][0]["grade"]["score"] is None
    status, session = await typed(api, session, 0.6)
    assert status == 200
    grade = session["iterations"][0]["grade"]
    assert grade["score_kind"] == "typed" and grade["deviation"] == pytest.approx(0.25)
    assert session["verdict"] is None
    status, session = await typed(api, session, 0.79)
    assert session["iterations"][0]["grade"]["within_threshold"]
    assert session["phase"] == "finished" and session["verdict"] == "reproduced"


@pytest.mark.thorough
async def test_it_is_not_compared_with_a_graded_target(api: Fetch, at_rest: Any) -> None:
    session = await ran(api, at_rest, "1", target_score=0.8)
    _, session = await typed(api, session, 0.8)
    grade = session["iterations"][0]["grade"]
    assert grade["score"] == 0.8 and grade["deviation"] is None
    assert "different kinds" in worded(grade["reason"])
    assert session["verdict"] != "reproduced"


async def test_it_never_takes_the_place_of_a_graded_score(api: Fetch, at_rest: Any) -> None:
    session = await ran(api, at_rest, SUBMIT, target_score=1.0)
    status, refusal = await typed(api, session, 0.1)
    assert status == 409 and "graded" in refusal["message"]


async def test_it_needs_a_run_and_a_number(api: Fetch) -> None:
    body = {"path": "a.ipynb", "notebook": code_notebook("1")}
    _, session, _ = await api("sessions", method="POST", body=body)
    status, refusal = await typed(api, session, 0.5)
    assert status == 409 and "run the notebook" in refusal["message"]
    for wrong in ("high", None, 1e999):
        status, refusal = await typed(api, session, wrong)
        assert status == 400 and refusal["code"] == "bad_input"


async def test_diagnosis_leaves_server_free_and_yields_to_changes(
    api: Fetch, at_rest: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await ran(api, at_rest, "1", target_score=0.8, target_kind="typed")
    begun, gate = threading.Event(), threading.Event()

    def slow(*arguments: Any) -> Any:
        begun.set()
        assert gate.wait(30)
        return diagnose(*arguments)

    monkeypatch.setattr(decisions, "diagnose", slow)
    typing = asyncio.create_task(typed(api, session, 0.6))
    assert await asyncio.to_thread(begun.wait, 30)
    change = {"settings": {**session["settings"], "target_score": 0.6}}
    status, _, _ = await api("sessions", session["id"], method="PATCH", body=change)
    assert status == 200
    gate.set()
    status, refusal = await typing
    assert status == 409 and refusal["code"] == "conflict"
    assert (await typed(api, session, 0.6))[0] == 200
