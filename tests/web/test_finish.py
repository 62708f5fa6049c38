"""What finishes a notebook, over the wire."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import SUBMIT, Fetch, code_notebook
from tests.web.test_sessions import created, run


async def test_the_outputs_of_the_best_run_are_there_to_finish_with(
    api: Fetch, at_rest: Any
) -> None:
    session = await created(api, "print('one')", SUBMIT)
    status, refused, _ = await api("sessions", session["id"], "finish")
    assert status == 409 and "run it first" in refused["message"]

    await run(api, session, "print('one')", SUBMIT)
    session = await at_rest(session["id"])
    status, finished, _ = await api("sessions", session["id"], "finish")
    assert status == 200
    assert finished["run"] == session["best"] == 1
    assert finished["notebook_hash"] == session["iterations"][0]["notebook_hash"]
    first = finished["cells"][0]
    assert (first["cell_id"], first["execution_count"]) == ("c0", 1)
    assert first["outputs"][0]["text"] == "one\n"
    provenance = finished["provenance"]
    assert provenance["outcome"] == "reproduced" and provenance["score"] == 1.0
    assert provenance["packages"]["pandas"]

    status, refused, _ = await api("sessions", session["id"], "finish", params={"run": "7"})
    assert status == 409
    status, refused, _ = await api("sessions", session["id"], "finish", params={"run": "x"})
    assert status == 400


async def test_only_the_outputs_that_may_be_needed_are_kept(api: Fetch, at_rest: Any) -> None:
    session = await created(api, "print('one')", SUBMIT)
    for text in ("raise SystemError", "print('one')", "print('two')", "raise SystemError"):
        await api(
            "sessions", session["id"], "runs", method="POST",
            body={"notebook": code_notebook(text, SUBMIT), "fresh": True},
        )  # fmt: skip
        session = await at_rest(session["id"])
    runs = session["iterations"]
    whole = [item["number"] for item in runs if item["execution"]["ending"] != "stopped"]
    kept = []
    for number in whole:
        status, _, _ = await api("sessions", session["id"], "finish", params={"run": str(number)})
        kept += [number] if status == 200 else []
    assert session["best"] in kept
    assert set(kept) <= {session["best"], whole[-1]} and len(kept) < len(whole)
