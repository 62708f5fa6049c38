"""What is done before a run: looking ahead, and a fix for what is known to break."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values import worded
from tests.web.conftest import SUBMIT, Fetch, code_notebook
from tests.web.test_sessions import created, digest, run

OLD = (
    "import pandas as pd\nfrom sklearn.cross_validation import KFold\n"
    "x = pd.DataFrame().append([1])"
)
MENDED_BY = {"sklearn-cross-validation", "pandas-append"}


async def ahead(api: Fetch, *sources: str, settings: Any = None, **more: Any) -> Any:
    chosen = {"sandbox": "process", **(settings or {})}
    body = {"notebook": code_notebook(*sources), "settings": chosen, **more}
    return await api("preflight", method="POST", body=body)


async def propose(api: Fetch, session: dict[str, Any], *sources: str) -> Any:
    body = {"fix_type": "before-run", "notebook": code_notebook(*sources)}
    return await api("sessions", session["id"], "fixes", method="POST", body=body)


async def test_what_will_break_is_told_without_a_session(api: Fetch) -> None:
    status, found, _ = await ahead(api, OLD, SUBMIT, traces={"python": "3.6.5"})
    assert status == 200
    assert {item["rule"] for item in found["items"] if item["certain"]} == MENDED_BY
    assert found["stops"] == 2
    assert [one["code"] for one in found["headline"]] == ["era.written-for", "era.you-have"]
    assert set(found["environment"]["packages"]) >= {"pandas", "sklearn"}
    assert any("Python 3.6" in worded(item["text"]) for item in found["era"]["evidence"])
    _, sessions, _ = await api("sessions")
    assert sessions["sessions"] == []


async def test_a_wrong_era_and_a_missing_sandbox_are_said(api: Fetch) -> None:
    status, answer, _ = await ahead(api, OLD, settings={"era": "long ago"})
    assert (status, answer["code"]) == (400, "bad_setting")
    assert "a year such as 2018" in answer["message"]
    status, answer, _ = await ahead(api, OLD, settings={"sandbox": "no-such"})
    assert (status, answer["code"]) == (409, "sandbox_unavailable")


async def test_nobody_looks_ahead_without_logging_in(api: Fetch, jp_fetch: Fetch) -> None:
    response = await jp_fetch(
        "mle-modernizer",
        "api",
        "preflight",
        method="POST",
        body="{}",
        headers={"Authorization": "token wrong"},
        raise_error=False,
    )
    assert response.code == 403


@pytest.mark.thorough
async def test_a_fix_is_proposed_reviewed_and_run(api: Fetch, at_rest: Any) -> None:
    session = await created(api, OLD, SUBMIT, sandbox="process")
    status, _, _ = await propose(api, session, OLD, SUBMIT)
    assert status == 202
    session = await at_rest(session["id"])
    assert (session["phase"], session["iterations"]) == ("reviewing", [])
    (review,) = session["reviews"]
    (edit,) = review["proposal"]["edits"]
    assert set(edit["rules"]) == MENDED_BY
    assert {change["name"] for change in edit["changes"]} == {"pandas 2.0", "sklearn 0.20"}
    assert session["era"]["last_year"] == 2019

    body = {
        "decisions": {edit["id"]: {"state": "accepted"}},
        "source_hashes": {edit["id"]: digest(OLD)},
    }
    path = ("sessions", session["id"], "reviews", review["proposal"]["id"], "decisions")
    status, session, _ = await api(*path, method="POST", body=body)
    assert (status, session["phase"], session["fixes"]) == (200, "ready", 1)
    assert worded(session["message"]) == "Run the notebook to see what remains."

    await run(api, session, edit["new_source"], SUBMIT)
    session = await at_rest(session["id"])
    assert session["verdict"] == "reproduced"
    assert session["era"]["last_year"] == 2019, "the era is that of the notebook as it was"
    _, report, _ = await api("sessions", session["id"], "report", params={"format": "markdown"})
    assert "## Fix before the first run (rules, before-run)" in report
    assert "[pandas 2.0](https://pandas.pydata.org/" in report
    assert "Written for: " in report

    status, answer, _ = await propose(api, session, OLD)
    assert (status, answer["code"]) == (409, "conflict")


async def test_a_run_closes_what_was_not_decided(api: Fetch, at_rest: Any) -> None:
    session = await created(api, OLD, SUBMIT, sandbox="process")
    await propose(api, session, OLD, SUBMIT)
    session = await at_rest(session["id"])
    await run(api, session, SUBMIT)
    session = await at_rest(session["id"])
    (review,) = session["reviews"]
    assert {one["state"] for one in review["decisions"].values()} == {"stale"}


async def test_where_nothing_is_known_to_break_that_is_said(api: Fetch, at_rest: Any) -> None:
    session = await created(api, SUBMIT, sandbox="process")
    await propose(api, session, SUBMIT)
    session = await at_rest(session["id"])
    assert session["phase"] == "ready"
    assert worded(session["message"]).startswith(
        "The rules have nothing to fix before the first run."
    )
