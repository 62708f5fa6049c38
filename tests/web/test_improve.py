"""A better version over HTTP: found on validation folds, reviewed, accepted or left."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from tests.improving.steps import BOOSTING, LOAD, SUBMIT, make_steps
from tests.web.conftest import Fetch, code_notebook
from tests.web.test_measurements import ran


async def improved(api: Fetch, at_rest: Any, data_root: Path) -> dict[str, Any]:
    """A session with a search that found a better version."""
    make_steps(data_root)
    session = await ran(api, at_rest, LOAD, BOOSTING, SUBMIT, competition="steps")
    assert session["phase"] == "finished"
    route = ("sessions", session["id"], "improve")
    status, started, _ = await api(*route, method="POST", body={"folds": 2})
    assert status == 202 and started["phase"] == "preparing"
    return dict(await at_rest(session["id"]))


@pytest.mark.thorough
async def test_a_better_version_is_reviewed_as_one_change(
    api: Fetch, at_rest: Any, data_root: Path
) -> None:
    before = await improved(api, at_rest, data_root)
    found = before["improvement"]
    better = {one["name"]: one for one in found["candidates"] if one["comparison"] == "better"}
    assert "early stopping" in better
    assert before["phase"] == "finished" and len(before["iterations"]) == 1

    digest = better["early stopping"]["notebook_hash"]
    route = ("sessions", before["id"], "improve", "proposal")
    status, session, _ = await api(*route, method="POST", body={"notebook_hash": digest})
    assert status == 200 and session["phase"] == "reviewing"
    proposal = session["iterations"][0]["reviews"][-1]["proposal"]
    assert proposal["fix_type"] == "improvement"
    (edit,) = proposal["edits"]
    assert edit["meaning"] == "experiment" and "n_iter_no_change=20" in edit["new_source"]
    assert [one["code"] for one in proposal["remarks"]] == ["improve.measured"]
    status, refusal, _ = await api(*route, method="POST", body={"notebook_hash": digest})
    assert (status, refusal["code"]) == (409, "conflict")

    accepted = {
        "decisions": {edit["id"]: {"state": "accepted", "confirmed": True}},
        "source_hashes": {edit["id"]: hashlib.sha256(BOOSTING.encode()).hexdigest()},
    }
    decide = ("sessions", before["id"], "reviews", proposal["id"], "decisions")
    status, session, _ = await api(*decide, method="POST", body=accepted)
    assert status == 200, session
    assert session["phase"] == "ready" and session["verdict"] is None


@pytest.mark.thorough
async def test_a_version_that_is_rejected_leaves_the_session_as_it_was(
    api: Fetch, at_rest: Any, data_root: Path
) -> None:
    before = await improved(api, at_rest, data_root)
    digest = next(
        one["notebook_hash"]
        for one in before["improvement"]["candidates"]
        if one["comparison"] == "better"
    )
    route = ("sessions", before["id"], "improve", "proposal")
    _, session, _ = await api(*route, method="POST", body={"notebook_hash": digest})
    proposal = session["iterations"][0]["reviews"][-1]["proposal"]
    decide = ("sessions", before["id"], "reviews", proposal["id"], "decisions")
    decisions = {edit["id"]: {"state": "rejected"} for edit in proposal["edits"]}
    body = {"decisions": decisions, "source_hashes": {}}
    status, session, _ = await api(*decide, method="POST", body=body)
    assert status == 200
    assert (session["phase"], session["verdict"]) == ("finished", before["verdict"])
    assert [one["code"] for one in session["message"]] == ["improve.kept"]


@pytest.mark.thorough
async def test_only_a_version_that_was_better_can_be_proposed(
    api: Fetch, at_rest: Any, data_root: Path
) -> None:
    before = await improved(api, at_rest, data_root)
    route = ("sessions", before["id"], "improve", "proposal")
    baseline = before["improvement"]["baseline"]["notebook_hash"]
    for digest in (baseline, "0" * 64):
        status, refusal, _ = await api(*route, method="POST", body={"notebook_hash": digest})
        assert (status, refusal["code"]) == (404, "not_found")
    ask = {"fix_type": "improvement"}
    status, refusal, _ = await api("sessions", before["id"], "fixes", method="POST", body=ask)
    assert (status, refusal["code"]) == (409, "conflict")


@pytest.mark.parametrize(
    "body", [{"folds": 0}, {"folds": 21}, {"budget": 0}, {"split": "odd"}, {"tries": 3}]
)
async def test_a_search_that_makes_no_sense_is_refused(api: Fetch, body: dict[str, Any]) -> None:
    created = {"path": "a.ipynb", "notebook": code_notebook("1")}
    _, session, _ = await api("sessions", method="POST", body=created)
    status, refusal, _ = await api("sessions", session["id"], "improve", method="POST", body=body)
    assert status == 400 and refusal["code"] == "bad_input"


async def test_the_parts_of_a_notebook_and_roles_that_do_not_exist(api: Fetch) -> None:
    created = {"path": "a.ipynb", "notebook": code_notebook(LOAD, "train['b'] = train['a'] * 2")}
    _, session, _ = await api("sessions", method="POST", body=created)
    status, found, _ = await api("sessions", session["id"], "blocks")
    assert status == 200
    roles = [one["role"] for one in found["blocks"]]
    assert roles == ["imports", "other", "loading", "features"]
    assert not any(one["corrected"] for one in found["blocks"])
    status, refusal, _ = await api("sessions", "0" * 32, "blocks")
    assert (status, refusal["code"]) == (404, "not_found")
    wrong = {"roles": [{"cell_id": "c", "text": "x", "role": "cooking"}]}
    status, refusal, _ = await api("sessions", session["id"], "improve", method="POST", body=wrong)
    assert (status, refusal["code"]) == (400, "bad_input")


async def test_without_a_competition_there_are_no_folds(api: Fetch) -> None:
    created = {"path": "a.ipynb", "notebook": code_notebook("1")}
    _, session, _ = await api("sessions", method="POST", body=created)
    status, refusal, _ = await api("sessions", session["id"], "improve", method="POST", body={})
    assert status == 400 and "select a competition" in refusal["message"]


async def test_a_first_notebook_is_drafted_for_a_task(api: Fetch, data_root: Path) -> None:
    make_steps(data_root)
    status, draft, _ = await api("drafts", method="POST", body={"competition": "steps"})
    assert status == 200, draft
    code = "\n".join(cell["source"] for cell in draft["notebook"]["cells"])
    assert "submission.csv" in code and "KFold" in code
    status, refusal, _ = await api("drafts", method="POST", body={"competition": "nowhere"})
    assert (status, refusal["code"]) == (404, "unknown_competition")
