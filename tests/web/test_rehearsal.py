"""Rehearsals through the REST interface, with real kernels."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.execution.sandboxes.choose import sandboxes
from mle_modernizer_server.words import text
from tests.thoroughness import HERE
from tests.values import worded
from tests.web.conftest import Fetch, code_notebook
from tests.web.test_sessions import created, digest, run
from tests.workflow.large_competition import BROKEN, NO_ANSWERS, READ, SUBMIT, prepare_people


@pytest.fixture(autouse=True)
def people(data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_people(data_root)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter-data"))


async def begun(api: Fetch, *sources: str, sandbox: str = "process", **more: Any) -> Any:
    usable = sandboxes()[sandbox].availability()
    if not usable.ok:
        pytest.skip(f"{sandbox} cannot be used here: {text(usable.reason)}")
    settings = {"sandbox": sandbox, "rehearsal": {"rows": 100}, **more}
    session = await created(api, *sources, **settings)
    status, _, _ = await run(api, session, *sources)
    assert status == 202
    return session


async def accepted(api: Fetch, session: dict[str, Any]) -> Any:
    """All edits of the open review accepted."""
    review = session["iterations"][-1]["reviews"][-1]
    edits = review["proposal"]["edits"]
    body = {
        "decisions": {edit["id"]: {"state": "accepted"} for edit in edits},
        "source_hashes": {edit["id"]: digest(edit["base_source"]) for edit in edits},
    }
    path = ("sessions", session["id"], "reviews", review["proposal"]["id"], "decisions")
    status, session, _ = await api(*path, method="POST", body=body)
    assert status == 200
    return session


@pytest.mark.parametrize("sandbox", HERE)
async def test_errors_are_met_on_the_sample_and_all_data_decide(
    api: Fetch, at_rest: Any, sandbox: str
) -> None:
    look = "assert len(train) < 4_000 and len(test) < 3_000, (len(train), len(test))"
    sources = (READ, BROKEN, SUBMIT)
    session = await begun(api, READ + look, BROKEN, SUBMIT, sandbox=sandbox)
    session = await at_rest(session["id"])
    assert session["phase"] == "reviewing"
    (iteration,) = session["iterations"]
    assert iteration["kind"] == "rehearsal"
    assert "grade" not in iteration and "outcome" not in iteration["diagnosis"]
    assert session["best"] is None and session["verdict"] is None
    tables = {one["name"]: one for one in iteration["rehearsal"]["sample"]["tables"]}
    assert tables["train.csv"]["of"] == 4_000
    assert 100 <= tables["train.csv"]["rows"] <= 300
    assert tables["test.csv"]["rows"] == tables["sample_submission.csv"]["rows"]
    (finding,) = iteration["diagnosis"]["findings"]
    assert "append" in finding["error"]["evalue"]
    assert "In a rehearsal (" in worded(session["message"])
    assert "score" not in worded(session["message"])

    session = await accepted(api, session)
    assert session["fixes"] == 1
    (edit,) = iteration["reviews"][0]["proposal"]["edits"]
    mended = (sources[0], edit["new_source"], sources[2])
    await run(api, session, *mended)
    session = await at_rest(session["id"])
    assert [item["kind"] for item in session["iterations"]] == ["rehearsal", "rehearsal", "clean"]
    assert session["verdict"] == "reached"  # the check of its rows was removed by hand
    assert session["best"] == 3
    assert session["iterations"][1]["diagnosis"]["findings"] == []

    await run(api, session, *mended)
    session = await at_rest(session["id"])
    assert session["iterations"][-1]["kind"] == "clean" and len(session["iterations"]) == 4


@pytest.mark.parametrize("sandbox", HERE)
async def test_answers_are_never_there(api: Fetch, at_rest: Any, sandbox: str) -> None:
    session = await begun(api, READ, NO_ANSWERS, SUBMIT, sandbox=sandbox)
    session = await at_rest(session["id"])
    assert [item["kind"] for item in session["iterations"]] == ["rehearsal", "clean"]
    assert session["iterations"][0]["diagnosis"]["findings"] == []


@pytest.mark.thorough
async def test_auto_mode_fixes_on_the_sample_first(api: Fetch, at_rest: Any) -> None:
    sources = (READ, BROKEN, "import numpy as np\nkinds = train['size'].astype(np.int)", SUBMIT)
    session = await begun(api, *sources, mode="auto")
    session = await at_rest(session["id"])
    kinds = [item["kind"] for item in session["iterations"]]
    assert kinds[-1] == "clean" and kinds.count("clean") == 1 and len(kinds) >= 3
    assert session["verdict"] == "reproduced" and session["phase"] == "reviewing"
    final = session["iterations"][-1]["reviews"][-1]
    assert final["final"]
    assert {edit["cell_id"] for edit in final["proposal"]["edits"]} == {"c1", "c2"}
    assert session["fixes"] == len(kinds) - 2
    assert session["best"] == len(kinds)


@pytest.mark.thorough
async def test_the_budget_counts_fixes_of_rehearsals(api: Fetch, at_rest: Any) -> None:
    last = "train.unheard_of()"
    session = await begun(api, READ, BROKEN, last, mode="auto", max_fixes=1)
    session = await at_rest(session["id"])
    assert session["fixes"] == 1
    assert session["verdict"] == "budget-spent"
    assert session["iterations"][-1]["kind"] == "clean"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "cell",
    [
        "train.iloc[3_500]",
        "assert len(train) == 4_000",
        "from sklearn.model_selection import KFold\nlist(KFold(2_000).split(train))",
        "train['size'].values.reshape(4_000, 1)",
        "import numpy as np\nnp.concatenate([train.iloc[3_000:]['size']]).max()",
    ],
)
async def test_what_only_the_sample_causes_goes_to_no_fixer(
    api: Fetch, at_rest: Any, cell: str
) -> None:
    session = await begun(api, READ, cell, SUBMIT)
    session = await at_rest(session["id"])
    rehearsal, clean = session["iterations"]
    assert list(rehearsal["rehearsal"]["doubtful"]) == ["c1"]
    assert rehearsal["diagnosis"]["fix_type"] is None
    assert rehearsal["reviews"] == []
    assert "may be caused by what was reduced" in worded(rehearsal["diagnosis"]["summary"])
    assert clean["kind"] == "clean" and clean["diagnosis"]["findings"] == []
    assert session["verdict"] == "reproduced"


@pytest.mark.thorough
async def test_a_rehearsal_that_takes_too_long_leads_to_the_full_run(
    api: Fetch, at_rest: Any
) -> None:
    slow = "import time\ntime.sleep(0 if len(train) == 4_000 else 60)"
    session = await begun(api, READ, slow, SUBMIT, rehearsal={"rows": 100, "time_limit": 3})
    session = await at_rest(session["id"])
    rehearsal, clean = session["iterations"]
    assert rehearsal["execution"]["ending"] == "timed-out"
    assert rehearsal["execution"]["seconds"] < 10
    assert clean["kind"] == "clean" and session["verdict"] == "reproduced"


@pytest.mark.thorough
async def test_a_rehearsal_can_be_cancelled(api: Fetch, at_rest: Any) -> None:
    session = await begun(api, READ, "import time\ntime.sleep(300)", SUBMIT)
    while True:
        _, now, _ = await api("sessions", session["id"])
        if now["progress"] and "Rehearsing: cell 2 of 3" in worded(now["progress"]["message"]):
            break
        await asyncio.sleep(0.05)
    assert now["progress"]["time_limit"] == 60.0
    status, _, _ = await api("sessions", session["id"], "cancel", method="POST")
    assert status == 202
    session = await at_rest(session["id"])
    assert session["phase"] == "cancelled"
    assert len(session["iterations"]) == 1


@pytest.mark.thorough
async def test_small_data_and_no_competition_go_without(api: Fetch, at_rest: Any) -> None:
    session = await begun(api, "print(1)", competition="parity")
    session = await at_rest(session["id"])
    assert [item["kind"] for item in session["iterations"]] == ["clean"]
    assert "small already" in worded(session["unrehearsed"])
    session = await begun(api, "print(1)")
    session = await at_rest(session["id"])
    assert "no competition is known" in worded(session["unrehearsed"])


@pytest.mark.thorough
async def test_another_fix_can_be_asked_for_after_a_rehearsal(api: Fetch, at_rest: Any) -> None:
    session = await begun(api, READ, BROKEN, SUBMIT)
    session = await at_rest(session["id"])
    body: dict[str, Any] = {"notebook": code_notebook(READ, BROKEN, SUBMIT)}
    path = ("sessions", session["id"], "fixes")
    status, answer, _ = await api(*path, method="POST", body={"fix_type": "score-calibration"})
    assert (status, answer["code"]) == (409, "conflict")
    status, _, _ = await api(*path, method="POST", body=body)
    assert status == 202
    session = await at_rest(session["id"])
    assert session["phase"] == "reviewing"
    assert len(session["iterations"][0]["reviews"]) == 2


@pytest.mark.thorough
async def test_auto_mode_begun_again_rehearses_again(api: Fetch, at_rest: Any) -> None:
    sources = (READ, BROKEN, SUBMIT)
    session = await begun(api, *sources, mode="auto")
    first = await at_rest(session["id"])
    await run(api, session, *sources)
    again = await at_rest(session["id"])
    kinds = [item["kind"] for item in again["iterations"][len(first["iterations"]) :]]
    # The fixed sources are known to meet nothing.
    assert kinds == ["rehearsal", "clean"]
    assert again["verdict"] == "reproduced"
