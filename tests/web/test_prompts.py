"""What a model would be sent, what it was sent, and what a cancelled call has cost."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.llm_server import Answer, LlmServer
from tests.values import worded
from tests.web.conftest import SUBMIT, Fetch, code_notebook
from tests.web.test_sessions import created, run

KEY = "sk-live-0123456789abcdefghij"
BROKEN = f"api_key = '{KEY}'\nimport pandas as pd\nmissing_name"
MENDED = """=== PLAN ===
- c0: the name is gone
=== EDIT CELL c0 ===
<<<<<<< SEARCH
missing_name
=======
found = 1
>>>>>>> REPLACE
=== END ===
"""
LATER = "print(found)"
MODEL: dict[str, Any] = {"fixers": ["llm"]}


@pytest.fixture
def model() -> Iterator[LlmServer]:
    with LlmServer() as server:
        yield server


@pytest.fixture
def llm_model() -> str:
    return "stand-in"


@pytest.fixture
def jp_server_config(
    data_root: Path, database: Path, model: LlmServer, llm_model: str
) -> dict[str, Any]:
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


async def failed_run(api: Fetch, at_rest: Any, *sources: str) -> dict[str, Any]:
    """A session whose notebook has run and failed; nothing has been asked of a model."""
    session = await created(api, *sources, sandbox="process", fixers=["rules"])
    status, _, _ = await run(api, session, *sources)
    assert status == 202
    return dict(await at_rest(session["id"]))


async def preview(api: Fetch, session: dict[str, Any], **body: Any) -> Any:
    return await api("sessions", session["id"], "prompt", method="POST", body=body)


async def ask(api: Fetch, session: dict[str, Any], **body: Any) -> Any:
    path = ("sessions", session["id"], "fixes")
    return await api(*path, method="POST", body={**MODEL, **body})


async def test_what_is_shown_before_is_what_is_sent(
    api: Fetch, at_rest: Any, model: LlmServer
) -> None:
    model.choose = lambda request: Answer(MENDED)
    session = await failed_run(api, at_rest, BROKEN, LATER)
    status, shown, _ = await preview(api, session, scope="file")
    assert status == 200
    assert model.requests == []
    await ask(api, session, scope="file")
    session = await at_rest(session["id"])
    (sent,) = model.requests
    assert [(one["role"], one["text"]) for one in shown["messages"]] == [
        (one["role"], one["content"]) for one in sent.messages
    ]
    assert (shown["configured"], shown["model"], shown["host"]) == (True, "stand-in", "127.0.0.1")
    assert (shown["fix_type"], shown["scope"]) == ("error-repair", "file")
    assert shown["characters"] == sum(len(one["text"]) for one in shown["messages"])
    assert shown["tokens"] == -(-shown["characters"] // 4)
    assert (shown["masked"], shown["left_out"]) == (1, [])
    assert KEY not in sent.prompt
    assert "__REDACTED_SECRET_1__" in sent.prompt


@pytest.mark.thorough
async def test_another_type_scope_and_notebook_can_be_looked_at(api: Fetch, at_rest: Any) -> None:
    session = await failed_run(api, at_rest, BROKEN, LATER)
    _, shown, _ = await preview(api, session, fix_type="score-calibration", scope="cell")
    assert (shown["fix_type"], shown["scope"]) == ("score-calibration", "cell")
    assert "what changed silently" in shown["messages"][1]["text"]
    _, shown, _ = await preview(api, session, notebook=code_notebook(BROKEN, "changed = 1"))
    assert "changed = 1" in shown["messages"][1]["text"]


@pytest.mark.thorough
@pytest.mark.parametrize("llm_model", [""])
async def test_the_prompt_can_be_seen_before_there_is_a_model(api: Fetch, at_rest: Any) -> None:
    session = await failed_run(api, at_rest, BROKEN, LATER)
    status, shown, _ = await preview(api, session)
    assert status == 200
    assert (shown["configured"], shown["model"]) == (False, "")
    assert "missing_name" in shown["messages"][1]["text"]


async def test_where_there_is_nothing_to_ask_that_is_said(api: Fetch) -> None:
    session = await created(api, SUBMIT, sandbox="process")
    for body, words in (({}, "run the notebook first"), ({"fix_type": "before-run"}, "rules")):
        status, answer, _ = await preview(api, session, **body)
        assert (status, answer["code"]) == (409, "conflict")
        assert words in answer["message"]
    status, answer, _ = await api("sessions", "0" * 32, "prompt", method="POST", body={})
    assert (status, answer["code"]) == (404, "not_found")


async def test_exchanges_are_stored_and_deleted_with_the_session(
    api: Fetch, at_rest: Any, model: LlmServer, database: Path
) -> None:
    limited = Answer(status=429, headers={"Retry-After": "0.01"})
    answers = iter([limited, Answer("no idea"), Answer(MENDED)])
    model.choose = lambda request: next(answers)
    session = await failed_run(api, at_rest, BROKEN, LATER)
    await ask(api, session)
    session = await at_rest(session["id"])
    proposal = session["iterations"][-1]["reviews"][-1]["proposal"]
    path = ("sessions", session["id"], "proposals", proposal["id"], "exchange")
    status, exchange, _ = await api(*path)
    assert status == 200
    calls = exchange["calls"]
    assert [call["ending"] for call in calls] == ["failed", "answered", "answered"]
    assert [call["reply"] for call in calls] == ["", "no idea", MENDED]
    assert "rate limit" in calls[0]["remark"]
    for call, request in zip(calls, model.requests, strict=True):
        assert [one["text"] for one in call["messages"]] == [
            one["content"] for one in request.messages
        ]
    _, listed, _ = await api("sessions", session["id"], "exchanges")
    (one,) = listed["exchanges"]
    assert (one["id"], one["calls"], one["proposal"]) == (proposal["id"], 3, True)

    status, answer, _ = await api(*path[:3], "other", "exchange")
    assert (status, answer["code"]) == (404, "not_found")
    await api("sessions", session["id"], method="DELETE")
    assert (await api(*path))[0] == 404
    with closing(sqlite3.connect(database)) as db:
        for table in ("calls", "sent_texts"):
            assert db.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)


async def test_call_cancelled_mid_reply_is_paid_for_and_shown(
    api: Fetch, at_rest: Any, model: LlmServer
) -> None:
    model.choose = lambda request: Answer(MENDED, piece=8, hang_after=6)
    session = await failed_run(api, at_rest, BROKEN, LATER)
    await ask(api, session)
    assert await asyncio.to_thread(model.answering.wait, 20)
    deadline = time.monotonic() + 30
    while "the name" not in worded((session.get("progress") or {}).get("message", [])):
        assert time.monotonic() < deadline
        _, session, _ = await api("sessions", session["id"])
        await asyncio.sleep(0.05)
    began = time.monotonic()
    _, session, _ = await api("sessions", session["id"], "cancel", method="POST")
    assert time.monotonic() - began < 10
    assert session["phase"] == "cancelled"
    usage = session["usage"]
    assert usage["calls"] == 1
    assert usage["estimated"]
    assert usage["input_tokens"] > 500
    assert usage["output_tokens"] == 12
    _, listed, _ = await api("sessions", session["id"], "exchanges")
    (one,) = listed["exchanges"]
    assert not one["proposal"]
    path = ("sessions", session["id"], "proposals", one["id"], "exchange")
    _, exchange, _ = await api(*path)
    (call,) = exchange["calls"]
    assert (call["ending"], call["reply"]) == ("cancelled", MENDED[:48])
