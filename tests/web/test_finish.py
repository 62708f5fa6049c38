"""What finishes a notebook, over the wire."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import SUBMIT, Fetch, code_notebook
from tests.web.test_sessions import created, run


async def test_the_outputs_of_the_best_run_are_there_to_finish_with(
    api: Fetch, at_rest: Any
) -> None:
    session = await created(api, "import numpy\nprint('one')", SUBMIT)
    status, refused, _ = await api("sessions", session["id"], "finish")
    assert status == 409 and "run it first" in refused["message"]

    await run(api, session, "import numpy\nprint('one')", SUBMIT)
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
    assert provenance["packages"]["numpy"]

    status, refused, _ = await api("sessions", session["id"], "finish", params={"run": "7"})
    assert status == 409
    status, refused, _ = await api("sessions", session["id"], "finish", params={"run": "x"})
    assert status == 400


@pytest.mark.thorough
async def test_only_the_outputs_that_may_be_needed_are_kept(api: Fetch, at_rest: Any) -> None:
    session = await created(api, "print('one')", SUBMIT)
    for text in ("raise SystemError", "print('one')", "raise SystemError"):
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


REPLACED = {
    "finished_at": "2026-01-02T03:04:05Z",
    "cells": [{"cell_id": "c0", "execution_count": 3, "outputs": [{"output_type": "stream"}]}],
    "metadata": {"language_info": {"name": "python"}},
}


async def test_what_finishing_replaced_is_kept_once_a_notebook(api: Fetch) -> None:
    first = await created(api, "print('one')", SUBMIT)
    place = ("sessions", first["id"], "finish", "replaced")
    status, refused, _ = await api(*place)
    assert status == 404 and "no longer kept" in refused["message"]
    status, _, _ = await api(*place, method="PUT", body=REPLACED)
    assert status == 204
    status, kept, _ = await api(*place)
    assert status == 200 and kept == REPLACED

    second = await created(api, "print('two')", SUBMIT)  # of the same notebook
    newer = {**REPLACED, "cells": []}
    await api("sessions", second["id"], "finish", "replaced", method="PUT", body=newer)
    status, _, _ = await api(*place)
    assert status == 404
    status, kept, _ = await api("sessions", second["id"], "finish", "replaced")
    assert kept["cells"] == []


async def test_nothing_is_kept_of_what_is_too_large_or_no_notebook(api: Fetch) -> None:
    session = await created(api, "print('one')", SUBMIT)
    place = ("sessions", session["id"], "finish", "replaced")
    large = {**REPLACED, "metadata": {"kernelspec": "x" * 20_000_001}}
    assert (await api(*place, method="PUT", body=large))[0] == 413
    for wrong in ({"cells": []}, {**REPLACED, "cells": [{"outputs": 1}]}, []):
        assert (await api(*place, method="PUT", body=wrong))[0] == 400
    assert (await api(*place))[0] == 404
    nobody = ("sessions", "0" * 32, "finish", "replaced")
    assert (await api(*nobody, method="PUT", body=REPLACED))[0] == 404
