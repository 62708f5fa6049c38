"""Going on from the cell that failed, as the panel asks for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import SUBMIT, Fetch, code_notebook
from tests.web.test_sessions import created, run

EARLY = "import numpy as np\nimport time\ntime.sleep(0.2)"
SETTINGS = {"scope": "cell", "fixers": ["rules"], "sandbox": "process"}


@pytest.mark.thorough
async def test_the_run_goes_on_after_the_fix_and_a_clean_one_decides(
    api: Fetch, at_rest: Any
) -> None:
    cells = (EARLY, "kinds = np.array([1], dtype=np.int)", SUBMIT)
    session = await created(api, *cells, **SETTINGS)
    await run(api, session, *cells)
    session = await at_rest(session["id"])
    assert session["phase"] == "reviewing"
    assert session["waiting"]["cell_id"] == "c1" and session["waiting"]["ordinal"] == 2
    assert session["iterations"][0]["execution"]["ending"] == "stopped"
    assert session["iterations"][0]["grade"]["score"] is None

    await run(api, session, EARLY, "kinds = np.array([1], dtype=int)", SUBMIT)
    session = await at_rest(session["id"])
    assert [item["kind"] for item in session["iterations"]] == ["clean", "resumed", "clean"]
    assert session["verdict"] == "reproduced" and session["best"] == 3
    assert session["waiting"] is None
    carried = [item["execution"]["carried"] for item in session["iterations"]]
    assert carried[1] > 0.2 and carried[0] == carried[2] == 0

    _, log, _ = await api("sessions", session["id"], "events")
    kinds = [event["kind"] for event in log["events"]]
    assert kinds.index("executed") < kinds.index("wait-began") < kinds.index("wait-ended")


@pytest.mark.thorough
async def test_from_the_start_a_cancel_and_a_deletion_end_the_wait(
    api: Fetch, at_rest: Any
) -> None:
    cells = ("a = 1", "undefined")
    session = await created(api, *cells, **SETTINGS)
    await run(api, session, *cells)
    session = await at_rest(session["id"])
    assert session["waiting"]["ordinal"] == 2

    body = {"notebook": code_notebook("a = 1", "a"), "fresh": True}
    await api("sessions", session["id"], "runs", method="POST", body=body)
    session = await at_rest(session["id"])
    assert [item["kind"] for item in session["iterations"]] == ["clean", "clean"]
    assert session["waiting"] is None

    await run(api, session, *cells)
    assert (await at_rest(session["id"]))["waiting"] is not None
    status, session, _ = await api("sessions", session["id"], "cancel", method="POST")
    assert status == 202 and session["waiting"] is None

    await run(api, session, *cells)
    assert (await at_rest(session["id"]))["waiting"] is not None
    status, _, _ = await api("sessions", session["id"], method="DELETE")
    assert status == 204
