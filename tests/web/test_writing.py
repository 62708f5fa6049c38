"""A model writes a paper's notebook over HTTP: a job of its session, a review, nothing before."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.llm_server import Answer, LlmServer
from tests.llm_server.answers import in_turn
from tests.papers.examples import scanned_pdf
from tests.values import worded
from tests.web.conftest import Fetch
from tests.workflow.test_writing import EVALUATION, METHOD, NO_FIX, SHORT, reply

PRIVATE = "93.5"
"""What the paper claims."""


@pytest.fixture
def model() -> Iterator[LlmServer]:
    with LlmServer([NO_FIX]) as server:
        yield server


@pytest.fixture
def llm_model() -> str:
    return "stand-in"


@pytest.fixture
def jp_server_config(
    data_root: Path,
    database: Path,
    model: LlmServer,
    llm_model: str,
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, Any]:
    monkeypatch.setenv("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "no")
    return {
        "ServerApp": {
            "jpserver_extensions": {"mle_modernizer_server": True},
            "allow_unauthenticated_access": False,
        },
        "ModernizerExtension": {
            "data_root": str(data_root),
            "database": str(database),
            "llm_base_url": model.base_url,
            "llm_model": llm_model,
        },
    }


def as_sent(document: dict[str, Any]) -> dict[str, Any]:
    """A notebook's file as the panel sends it."""
    cells = [
        {"id": cell["id"], "type": cell["cell_type"], "source": "".join(cell["source"])}
        for cell in document["cells"]
    ]
    return {"cells": cells, "language": "python"}


class Made:
    """A paper's notebook in the file browser, with a session."""

    def __init__(self, api: Fetch, folder: Path, at_rest: Any) -> None:
        self.api = api
        self.folder = folder
        self.at_rest = at_rest
        self.notebook: dict[str, Any] = {}
        self.claim = ""
        self.id = ""

    async def make(self, **settings: Any) -> None:
        self.folder.mkdir()
        (self.folder / "short.tex").write_text(SHORT, "utf-8")
        _, made, _ = await self.api(
            "papers", "notebook", method="POST", body={"path": "sub/short.tex"}
        )
        self.file = self.folder / "short-reproduction.ipynb"
        document = json.loads(self.file.read_text("utf-8"))
        kept = document["metadata"]["mle_modernizer"]["reproduction"]
        self.claim = kept["claims"][0]["claim"]["id"]
        self.notebook = as_sent(document)
        chosen = {"sandbox": "process", "time_limit": 300, **settings}
        body = {"path": made["path"], "notebook": self.notebook, "settings": chosen}
        status, session, _ = await self.api("sessions", method="POST", body=body)
        assert status == 201, session
        self.id = session["id"]

    async def write(self, notebook: dict[str, Any] | None = None, **more: Any) -> Any:
        body = {"notebook": notebook or self.notebook, **more}
        return await self.api("sessions", self.id, "writing", method="POST", body=body)

    def recorded(self) -> list[Answer]:
        return [
            reply(method=METHOD),
            reply(evaluation=EVALUATION.replace("CLAIM", self.claim)),
        ]


@pytest.fixture
def made(api: Fetch, jp_root_dir: Path, at_rest: Any) -> Made:
    return Made(api, jp_root_dir / "sub", at_rest)


@pytest.mark.thorough
async def test_written_notebook_awaits_review_and_changes_no_file(
    made: Made, api: Fetch, model: LlmServer
) -> None:
    await made.make()
    before = made.file.read_bytes()
    status, estimate, _ = await api("sessions", made.id, "writing")
    assert status == 200
    assert estimate["model"] == "stand-in"
    assert estimate["questions"]["low"] < estimate["runs"]["low"]
    assert model.requests == []
    model.choose = in_turn([*made.recorded(), *[NO_FIX] * 9])
    status, session, _ = await made.write()
    assert (status, session["phase"]) == (202, "preparing")
    session = await made.at_rest(made.id)
    assert session["phase"] == "reviewing", worded(session["message"])
    (review,) = session["reviews"]
    proposal = review["proposal"]
    assert (proposal["fixer"], proposal["fix_type"]) == ("llm", "writing")
    edits = {edit["cell_id"]: edit for edit in proposal["edits"]}
    assert edits["method"]["new_source"] == METHOD
    assert {name: edit["meaning"] for name, edit in edits.items()} == {
        "method": "other",
        "evaluation": "other",
    }
    assert len({edit["group"] for edit in edits.values()}) == 1
    assert session["writing"]["ran"]
    stages = [stage["stage"] for stage in session["writing"]["stages"]]
    assert stages == ["data", "method", "experiment", "alignment", "refinement"]
    assert session["usage"]["calls"] == len(model.requests) >= 2
    assert not any(PRIVATE in request.prompt for request in model.requests)
    assert made.file.read_bytes() == before
    path = ("sessions", made.id, "proposals", proposal["id"], "exchange")
    _, exchange, _ = await api(*path)
    assert len(exchange["calls"]) == len(model.requests)
    _, statistics, _ = await api("sessions", made.id, "statistics")
    assert statistics["facts"]["usage"]["calls"] == len(model.requests)

    status, refusal, _ = await made.write()
    assert (status, refusal["code"]) == (409, "conflict")
    decisions = {edit["id"]: {"state": "rejected"} for edit in proposal["edits"]}
    status, session, _ = await api(
        *("sessions", made.id, "reviews", proposal["id"], "decisions"),
        method="POST",
        body={"decisions": decisions, "source_hashes": {}},
    )
    assert (status, session["phase"]) == (200, "ready")


@pytest.mark.thorough
async def test_a_cancelled_writing_goes_on_where_it_was(
    made: Made, api: Fetch, model: LlmServer
) -> None:
    await made.make()
    made.notebook["cells"] = [
        {**cell, "source": cell["source"] + "\n# mine"} if cell["id"] == "method" else cell
        for cell in made.notebook["cells"]
    ]
    method, evaluation = made.recorded()
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(request: Any) -> Answer:
        if len(model.requests) == 1:
            return method
        loop.call_soon_threadsafe(asked.set)
        return Answer(evaluation.text, delay=60)

    model.choose = slow
    await made.write()
    await asyncio.wait_for(asked.wait(), 120)
    status, session, _ = await api("sessions", made.id, "cancel", method="POST", body={})
    assert status == 202
    session = await made.at_rest(made.id)
    assert session["phase"] == "cancelled"
    assert "write again to continue" in worded(session["message"])
    assert session["reviews"] == []
    stages = [stage["stage"] for stage in session["writing"]["stages"]]
    assert stages == ["data", "method"]
    spent = session["usage"]["calls"]
    assert spent == 2

    model.choose = in_turn([evaluation, *[NO_FIX] * 9])
    await made.write()
    session = await made.at_rest(made.id)
    assert session["phase"] == "reviewing", worded(session["message"])
    edits = session["reviews"][0]["proposal"]["edits"]
    meanings = {edit["cell_id"]: edit["meaning"] for edit in edits}
    assert meanings == {"method": "experiment", "evaluation": "other"}
    assert session["usage"]["calls"] > spent


async def test_what_never_ran_is_not_put_up_for_review(made: Made, model: LlmServer) -> None:
    await made.make()
    model.choose = in_turn([reply(method="raise ValueError('no')"), *[NO_FIX] * 9])
    await made.write(rounds=1)
    session = await made.at_rest(made.id)
    assert (session["phase"], session["reviews"]) == ("ready", [])
    assert "Stage method was not completed" in worded(session["message"])
    assert "ValueError" in session["writing"]["stages"][-1]["problem"]


async def test_what_cannot_be_written_is_refused(
    made: Made, api: Fetch, jp_root_dir: Path, model: LlmServer
) -> None:
    await made.make()
    lacking = {**made.notebook, "cells": made.notebook["cells"][:3]}
    for body, expected in (
        ({"rounds": 0}, (400, "bad_input")),
        ({"rounds": 21}, (400, "bad_input")),
        ({"other": 1}, (400, "bad_input")),
        ({"notebook": lacking}, (409, "conflict")),
    ):
        status, answer, _ = await made.write(**body)
        assert (status, answer["code"]) == expected, body
    document = json.loads(made.file.read_text("utf-8"))
    experiment = document["metadata"]["mle_modernizer"]["reproduction"]
    (jp_root_dir / "outside.tex").write_text(SHORT + "% outside", "utf-8")
    outside = hashlib.sha256((SHORT + "% outside").encode()).hexdigest()
    (made.folder / "linked.tex").symlink_to(jp_root_dir / "outside.tex")
    scanned = scanned_pdf()
    (made.folder / "scan.pdf").write_bytes(scanned)
    scan = hashlib.sha256(scanned).hexdigest()
    cases: list[tuple[Any, tuple[int, str]]] = [
        ({**experiment, "checksum": "0" * 64}, (404, "not_found")),
        ({**experiment, "source": "../outside.tex", "checksum": outside}, (404, "not_found")),
        ({**experiment, "source": "linked.tex", "checksum": outside}, (404, "not_found")),
        ({**experiment, "source": "\0", "checksum": outside}, (404, "not_found")),
        ({**experiment, "source": "scan.pdf", "checksum": scan}, (400, "bad_paper")),
        ({**experiment, "claims": []}, (400, "bad_input")),
        ("nothing", (400, "bad_input")),
        (None, (400, "bad_input")),
    ]
    for kept, expected in cases:
        document["metadata"]["mle_modernizer"] = {"reproduction": kept}
        made.file.write_text(json.dumps(document), "utf-8")
        status, answer, _ = await api("sessions", made.id, "writing")
        assert (status, answer["code"]) == expected, kept
    for content in ("[1]", "[" * 100_000, "no json"):
        made.file.write_text(content, "utf-8")
        status, answer, _ = await made.write()
        assert (status, answer["code"]) == (400, "bad_input")
    made.file.unlink()
    status, answer, _ = await made.write()
    assert (status, answer["code"]) == (400, "bad_input")
    assert model.requests == []


async def test_a_renamed_paper_is_found_by_its_checksum(made: Made, api: Fetch) -> None:
    await made.make()
    (made.folder / "short.tex").rename(made.folder / "renamed.tex")
    status, _, _ = await api("sessions", made.id, "writing")
    assert status == 200


@pytest.mark.parametrize("llm_model", [""])
async def test_without_a_model_it_is_refused(made: Made, api: Fetch) -> None:
    await made.make()
    for status, answer in (
        (await api("sessions", made.id, "writing"))[:2],
        (await made.write())[:2],
    ):
        assert (status, answer["code"]) == (409, "conflict")
