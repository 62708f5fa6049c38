"""Measurements over HTTP: repeated runs that are no iterations."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import SUBMIT, Fetch, code_notebook


async def ran(api: Fetch, at_rest: Any, *sources: str, **settings: Any) -> dict[str, Any]:
    """A session whose notebook ran once."""
    body = {"path": "a.ipynb", "notebook": code_notebook(*sources), "settings": settings}
    status, session, _ = await api("sessions", method="POST", body=body)
    assert status == 201, session
    run = {"notebook": code_notebook(*sources)}
    await api("sessions", session["id"], "runs", method="POST", body=run)
    return dict(await at_rest(session["id"]))


@pytest.mark.thorough
async def test_verified_session_returns_to_its_state(api: Fetch, at_rest: Any) -> None:
    session = await ran(api, at_rest, SUBMIT, target_score=1.0)
    route = ("sessions", session["id"], "verify")
    status, started, headers = await api(*route, method="POST", body={})
    assert status == 202 and started["phase"] == "preparing"
    assert headers["Location"].endswith(session["id"])
    status, refusal, _ = await api(*route, method="POST", body={})
    assert status == 409 and refusal["code"] == "conflict"
    session = await at_rest(session["id"])
    said = session["verification"]
    assert (said["answer"], said["kind"], said["iteration"]) == ("reproducible", "strict", 1)
    assert [run["score"] for run in said["runs"]] == [1.0, 1.0, 1.0]
    assert session["phase"] == "finished" and session["verdict"] == "reproduced"
    assert len(session["iterations"]) == 1
    _, log, _ = await api("sessions", session["id"], "events")
    assert [event["kind"] for event in log["events"]].count("verified") == 4

    status, report, _ = await api(
        "sessions", session["id"], "report", params={"format": "markdown"}
    )
    assert status == 200 and "## Verification (strict)" in report


@pytest.mark.thorough
async def test_a_quick_verification_runs_what_it_is_given(api: Fetch, at_rest: Any) -> None:
    session = await ran(api, at_rest, SUBMIT, target_score=1.0)
    body = {"kind": "quick", "notebook": code_notebook(SUBMIT.replace("% 2", "* 0"))}
    await api("sessions", session["id"], "verify", method="POST", body=body)
    said = (await at_rest(session["id"]))["verification"]
    assert [run["score"] for run in said["runs"]] == [0.5]
    assert said["answer"] == "not-reproducible" and said["iteration"] is None


@pytest.mark.parametrize("body", [{"runs": 11}, {"runs": 1}, {"kind": "slow"}, {"times": 3}])
async def test_a_wish_that_makes_no_sense_is_refused(api: Fetch, body: dict[str, Any]) -> None:
    created = {"path": "a.ipynb", "notebook": code_notebook("1")}
    _, session, _ = await api("sessions", method="POST", body=created)
    status, refusal, _ = await api("sessions", session["id"], "verify", method="POST", body=body)
    assert status == 400 and refusal["code"] == "bad_input"


async def test_there_must_be_such_a_session(api: Fetch) -> None:
    status, refusal, _ = await api("sessions", "0" * 32, "verify", method="POST", body={})
    assert status == 404 and refusal["code"] == "not_found"


@pytest.mark.thorough
async def test_noise_and_cause_are_looked_for_where_a_score_is_off(
    api: Fetch, at_rest: Any
) -> None:
    wrong = SUBMIT.replace("id % 2", "0")
    session = await ran(api, at_rest, wrong, target_score=1.0, fixers=["llm"])
    status, _, _ = await api("sessions", session["id"], "noise", method="POST", body={"runs": 3})
    assert status == 202
    session = await at_rest(session["id"])
    noise = session["noise"]
    assert (noise["answer"], noise["asked"]) == ("steady", 3)
    assert {run["score"] for run in noise["runs"]} == {0.5}
    status, _, _ = await api("sessions", session["id"], "cause", method="POST")
    assert status == 202
    session = await at_rest(session["id"])
    (found,) = session["calibrations"]
    assert found["done"] and found["causes"] == [] and found["iteration"] == 1
    assert len(session["iterations"]) == 1


async def test_they_need_a_score_that_is_compared(api: Fetch, at_rest: Any) -> None:
    session = await ran(api, at_rest, SUBMIT)
    for route in ("noise", "cause"):
        status, refusal, _ = await api("sessions", session["id"], route, method="POST", body={})
        assert status == 409 and "compared with a target" in refusal["message"], route
