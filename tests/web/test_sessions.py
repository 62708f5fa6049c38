from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.values import worded
from tests.web.conftest import SUBMIT, Fetch, code_notebook

OLD_CELL = "import numpy as np\nkinds = np.array([1, 2], dtype=np.int)"


def digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


async def created(api: Fetch, *sources: str, **settings: Any) -> dict[str, Any]:
    status, session, headers = await api(
        "sessions",
        method="POST",
        body={
            "path": "old.ipynb",
            "notebook": code_notebook(*sources),
            "settings": {"target_score": 1.0, **settings},
        },
    )
    assert status == 201, session
    assert headers["Location"].endswith(f"/mle-modernizer/api/sessions/{session['id']}")
    return dict(session)


async def run(api: Fetch, session: dict[str, Any], *sources: str) -> Any:
    return await api(
        "sessions",
        session["id"],
        "runs",
        method="POST",
        body={"notebook": code_notebook(*sources)},
    )


async def test_a_notebook_is_repaired_step_by_step(api: Fetch, at_rest: Any) -> None:
    session = await created(api, OLD_CELL, SUBMIT + "kinds")
    assert session["settings"]["competition"] == "parity"
    status, started, headers = await run(api, session, OLD_CELL, SUBMIT + "kinds")
    assert status == 202 and started["phase"] == "preparing"
    assert headers["Location"].endswith(session["id"])

    session = await at_rest(session["id"])
    iteration = session["iterations"][0]
    # The submission is right, so the notebook is reproducible although a cell failed.
    assert iteration["diagnosis"]["outcome"] == "error-reproducible"
    assert session["phase"] == "finished" and session["verdict"] == "reproduced"

    status, _, _ = await api(
        "sessions", session["id"], "fixes", method="POST", body={"fix_type": "error-repair"}
    )
    assert status == 202
    session = await at_rest(session["id"])
    assert session["phase"] == "reviewing"
    (review,) = session["iterations"][0]["reviews"]
    (edit,) = review["proposal"]["edits"]
    assert edit["cell_id"] == "c0" and "dtype=int" in edit["new_source"]

    status, session, _ = await api(
        "sessions",
        session["id"],
        "reviews",
        review["proposal"]["id"],
        "decisions",
        method="POST",
        body={
            "decisions": {edit["id"]: {"state": "accepted"}},
            "source_hashes": {edit["id"]: digest(OLD_CELL)},
        },
    )
    assert status == 200 and session["phase"] == "ready" and session["fixes"] == 1

    await run(api, session, edit["new_source"], SUBMIT + "kinds")
    session = await at_rest(session["id"])
    assert session["iterations"][1]["diagnosis"]["outcome"] == "error-free-reproducible"
    assert session["best"] == 2 and session["verdict"] == "reproduced"

    await run(api, session, edit["new_source"], SUBMIT)  # with an edit by hand
    session = await at_rest(session["id"])
    assert session["verdict"] == "reached"


async def test_edit_of_a_changed_cell_is_refused_with_its_id(api: Fetch, at_rest: Any) -> None:
    session = await created(api, OLD_CELL, "raise SystemError('no csv')")
    await run(api, session, OLD_CELL, "raise SystemError('no csv')")
    session = await at_rest(session["id"])
    (review,) = session["iterations"][0]["reviews"]
    (edit,) = review["proposal"]["edits"]
    status, refusal, _ = await api(
        "sessions",
        session["id"],
        "reviews",
        review["proposal"]["id"],
        "decisions",
        method="POST",
        body={
            "decisions": {edit["id"]: {"state": "accepted"}},
            "source_hashes": {edit["id"]: digest(OLD_CELL + " ")},
        },
    )
    assert status == 409
    assert refusal["code"] == "stale_edit" and refusal["cell_id"] == "c0"
    _, after, _ = await api("sessions", session["id"])
    assert after["seq"] == session["seq"], "nothing may be recorded"


async def test_of_two_requests_at_the_same_time_one_accepts_the_change(
    api: Fetch, at_rest: Any
) -> None:
    session = await created(api, OLD_CELL, "raise SystemError('no csv')")
    await run(api, session, OLD_CELL, "raise SystemError('no csv')")
    session = await at_rest(session["id"])
    (review,) = session["iterations"][0]["reviews"]
    (edit,) = review["proposal"]["edits"]
    path = ("sessions", session["id"], "reviews", review["proposal"]["id"], "decisions")
    body = {
        "decisions": {edit["id"]: {"state": "accepted"}},
        "source_hashes": {edit["id"]: digest(OLD_CELL)},
    }
    answers = await asyncio.gather(*[api(*path, method="POST", body=body) for _ in range(5)])
    assert sorted(status for status, _, _ in answers) == [200] + [409] * 4
    codes = {answer["code"] for status, answer, _ in answers if status == 409}
    assert codes == {"already_accepted"}
    _, after, _ = await api("sessions", session["id"])
    assert after["fixes"] == 1


async def test_auto_mode_fixes_a_scratch_copy_and_leaves_one_review(
    api: Fetch, at_rest: Any
) -> None:
    cells = (OLD_CELL, "kinds.sum()\n" + SUBMIT)
    session = await created(api, *cells, mode="auto")
    await run(api, session, *cells)
    session = await at_rest(session["id"])
    assert session["phase"] == "reviewing" and session["verdict"] == "reproduced"
    final = session["iterations"][-1]["reviews"][-1]
    assert final["final"]
    assert [edit["cell_id"] for edit in final["proposal"]["edits"]] == ["c0"]
    assert session["fixes"] == 1
    status, original, _ = await api(
        "sessions", session["id"], "notebooks", session["notebook_hash"]
    )
    assert status == 200 and original["cells"][0]["source"] == OLD_CELL


async def test_a_run_can_be_cancelled_and_leaves_no_process_behind(
    api: Fetch, at_rest: Any
) -> None:
    marker = "time.sleep(987)"
    others = set(psutil.Process().children(recursive=True))
    session = await created(api, "import time", marker)
    await run(api, session, "import time", marker)
    while (session["progress"] or {}).get("ordinal") != 2:
        await asyncio.sleep(0.05)
        _, session, _ = await api("sessions", session["id"])
    assert session["phase"] == "running"
    status, busy, _ = await run(api, session, "1")
    assert status == 409 and busy["code"] == "conflict"
    began = set(psutil.Process().children(recursive=True)) - others
    # The process that analyses cells stays for the next question; no notebook's code runs in it.
    kernels = {one for one in began if not any("analysis" in part for part in one.cmdline())}
    assert kernels
    status, session, _ = await api("sessions", session["id"], "cancel", method="POST")
    assert status == 202 and session["phase"] == "cancelled"
    _, alive = psutil.wait_procs(kernels, timeout=5)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


async def test_session_and_log_are_read_since_an_event(api: Fetch) -> None:
    session = await created(api, "1")
    status, _, _ = await api("sessions", session["id"], params={"since": str(session["seq"])})
    assert status == 304
    status, update, _ = await api("sessions", session["id"], params={"since": "0"})
    assert status == 200
    assert {**update["changed"], "iterations": update["iterations"]} == session
    status, log, _ = await api("sessions", session["id"], "events", params={"since": "0"})
    assert [event["kind"] for event in log["events"]] == ["created"]
    status, refusal, _ = await api("sessions", session["id"], params={"since": "x"})
    assert status == 400 and refusal["code"] == "bad_input"


async def test_the_sessions_of_a_notebook_are_found_by_its_path(api: Fetch) -> None:
    session = await created(api, "1")
    _, found, _ = await api("sessions", params={"path": "old.ipynb"})
    assert [item["id"] for item in found["sessions"]] == [session["id"]]
    _, none, _ = await api("sessions", params={"path": "other.ipynb"})
    assert none["sessions"] == []


async def test_of_many_sessions_a_page_is_listed_and_each_once(
    api: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mle_modernizer_server.workflow.service.sessions._SESSIONS_IN_A_PAGE", 2)
    made = [(await created(api, "1"))["id"] for _ in range(4)]
    await api("sessions", method="POST", body={"path": "b.ipynb", "notebook": code_notebook("1")})
    listed, asked = [], {"path": "old.ipynb"}
    while True:
        _, page, _ = await api("sessions", params=asked)
        assert page["total"] == 4 and len(page["sessions"]) == 2
        listed += [item["id"] for item in page["sessions"]]
        if page["older"] is None:
            break
        # What is deleted meanwhile takes no other with it.
        await api("sessions", listed[1], method="DELETE")
        made.append((await created(api, "1"))["id"])
        asked["before"] = str(page["older"])
    assert listed == made[3::-1]
    for wrong in ("x", "1" + "0" * 30, "9" * 5000, ""):
        for query in ({"before": wrong}, {"since": wrong}):
            where = ("sessions",) if "before" in query else ("sessions", made[-1], "events")
            status, refusal, _ = await api(*where, params=query)
            assert status == 400 and refusal["code"] == "bad_input"
            assert len(refusal["message"]) < 300


async def test_a_deleted_session_is_not_found(api: Fetch) -> None:
    session = await created(api, "1")
    status, _, _ = await api("sessions", session["id"], method="DELETE")
    assert status == 204
    status, refusal, _ = await api("sessions", session["id"])
    assert status == 404 and refusal["code"] == "not_found"


async def test_hints_tell_that_something_changed_and_nothing_else(
    api: Fetch, jp_ws_fetch: Any
) -> None:
    socket = await jp_ws_fetch("api", "events", "subscribe")
    session = await created(api, "secret = 'hunter2'")
    message = json.loads(await socket.read_message())
    assert message["schema_id"] == "urn:mle-modernizer:session:v1"
    assert message["session_id"] == session["id"] and message["seq"] == 1
    assert "hunter2" not in json.dumps(message)
    socket.close()


async def test_the_report_is_a_file_for_people_and_for_programs(api: Fetch, at_rest: Any) -> None:
    session = await created(api, SUBMIT)
    await run(api, session, SUBMIT)
    await at_rest(session["id"])
    status, report, headers = await api("sessions", session["id"], "report")
    assert status == 200 and "attachment" in headers["Content-Disposition"]
    assert report["iterations"][0]["grade"]["score"] == 1.0
    status, page, _ = await api("sessions", session["id"], "report", params={"format": "markdown"})
    assert "| 1 | error-free-reproducible | 1 |" in page
    status, refusal, _ = await api("sessions", session["id"], "report", params={"format": "pdf"})
    assert status == 400 and "pdf" in refusal["message"]


async def test_info_names_the_competitions_and_never_a_key(
    api: Fetch, monkeypatch: Any, data_root: Path
) -> None:
    (data_root / "broken").mkdir()
    (data_root / "broken/competition.yaml").write_text("id: [")
    status, info, _ = await api("info")
    assert status == 200
    assert [item["id"] for item in info["competitions"]] == ["parity"]
    assert any("broken" in worded([problem]) for problem in info["problems"])
    assert {item["name"] for item in info["sandboxes"]} >= {"bubblewrap", "process"}
    assert info["llm"]["configured"] is False and info["llm"]["reason"]


async def test_detect_finds_the_competition_in_the_paths(api: Fetch) -> None:
    _, found, _ = await api("detect", method="POST", body={"notebook": code_notebook(SUBMIT)})
    assert found["competition"] == "parity"
    _, none, _ = await api("detect", method="POST", body={"notebook": code_notebook("1 + 1")})
    assert none["competition"] is None and not none["reason"], "it speaks of none"
