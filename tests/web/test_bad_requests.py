from __future__ import annotations

import asyncio
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.thoroughness import some
from tests.web.conftest import Fetch, code_notebook

ROUTES = [
    ("GET", ("info",)),
    ("POST", ("detect",)),
    ("POST", ("preflight",)),
    ("POST", ("environments",)),
    ("POST", ("papers",)),
    ("POST", ("papers", "page")),
    ("POST", ("papers", "claims")),
    ("POST", ("papers", "claims", "question")),
    ("POST", ("papers", "notebook")),
    ("GET", ("batches",)),
    ("POST", ("agents",)),
    ("POST", ("batches", "review")),
    ("POST", ("competitions",)),
    ("POST", ("competitions", "look")),
    ("POST", ("drafts",)),
    ("GET", ("sessions",)),
    ("POST", ("sessions",)),
    ("GET", ("sessions", "0" * 32)),
    ("PATCH", ("sessions", "0" * 32)),
    ("DELETE", ("sessions", "0" * 32)),
    ("GET", ("sessions", "0" * 32, "blocks")),
    ("GET", ("sessions", "0" * 32, "events")),
    ("POST", ("sessions", "0" * 32, "runs")),
    ("POST", ("sessions", "0" * 32, "scores")),
    ("POST", ("sessions", "0" * 32, "fixes")),
    ("POST", ("sessions", "0" * 32, "reviews", "p", "decisions")),
    ("POST", ("sessions", "0" * 32, "cancel")),
    ("GET", ("sessions", "0" * 32, "notebooks", "0" * 64)),
    ("GET", ("sessions", "0" * 32, "report")),
    ("POST", ("sessions", "0" * 32, "probe")),
    ("POST", ("sessions", "0" * 32, "verify")),
    ("POST", ("sessions", "0" * 32, "noise")),
    ("POST", ("sessions", "0" * 32, "cause")),
    ("POST", ("sessions", "0" * 32, "proof")),
    ("POST", ("sessions", "0" * 32, "target")),
    ("POST", ("sessions", "0" * 32, "contrast")),
    ("POST", ("sessions", "0" * 32, "backport")),
    ("DELETE", ("sessions", "0" * 32, "backport")),
    ("GET", ("sessions", "0" * 32, "backport", "lock")),
    ("GET", ("sessions", "0" * 32, "rules")),
    ("POST", ("sessions", "0" * 32, "rules")),
    ("POST", ("sessions", "0" * 32, "improve")),
    ("POST", ("sessions", "0" * 32, "improve", "proposal")),
    ("GET", ("sessions", "0" * 32, "writing")),
    ("POST", ("sessions", "0" * 32, "writing")),
    ("GET", ("sessions", "0" * 32, "finish")),
    ("GET", ("sessions", "0" * 32, "finish", "replaced")),
    ("PUT", ("sessions", "0" * 32, "finish", "replaced")),
    ("POST", ("sessions", "0" * 32, "prompt")),
    ("GET", ("sessions", "0" * 32, "exchanges")),
    ("GET", ("sessions", "0" * 32, "proposals", "p", "exchange")),
    ("POST", ("estimate",)),
    ("GET", ("statistics",)),
    ("GET", ("sessions", "0" * 32, "statistics")),
]


def test_every_route_that_is_served_is_in_the_list_once() -> None:
    from mle_modernizer_server.web.handlers import handlers

    served = {
        (method.upper(), route)
        for route, handler in handlers("/")
        for method in ("get", "post", "put", "patch", "delete")
        if method in vars(handler)
    }
    listed = [
        (method, route)
        for method, path in ROUTES
        for _, route in served
        if re.fullmatch(route, "/mle-modernizer/api/" + "/".join(path))
    ]
    assert sorted(set(listed)) == sorted(served)
    assert len(ROUTES) == len(served)


async def test_without_a_token_every_route_is_forbidden(api: Fetch) -> None:
    wrong = {"Authorization": "token wrong"}
    for method, path in ROUTES:
        status, _, _ = await api(*path, method=method, headers=wrong)
        assert status == 403, (method, path)


async def test_who_is_not_authorised_is_refused_on_every_route(
    api: Fetch, jp_serverapp: Any, monkeypatch: Any
) -> None:
    asked: list[tuple[str, str]] = []

    def refuse(handler: Any, user: Any, action: str, resource: str) -> bool:
        asked.append((action, resource))
        return False

    monkeypatch.setattr(jp_serverapp.authorizer, "is_authorized", refuse)
    for method, path in ROUTES:
        asked.clear()
        status, _, _ = await api(*path, method=method)
        assert status == 403, (method, path)
        action, resource = asked[-1]
        assert resource == "mle-modernizer"
        assert action in (("read",) if method == "GET" else ("read", "write", "execute"))


async def test_forbidden_files_are_not_shown_to_a_run(
    api: Fetch, at_rest: Any, jp_serverapp: Any, jp_root_dir: Path, monkeypatch: Any
) -> None:
    def no_files(handler: Any, user: Any, action: str, resource: str) -> bool:
        return resource != "contents"

    monkeypatch.setattr(jp_serverapp.authorizer, "is_authorized", no_files)
    (jp_root_dir / "a.ipynb").write_text("{}")
    (jp_root_dir / "secret.csv").write_text("a secret")
    notebook = code_notebook("print(open('secret.csv').read())")
    body = {"path": "a.ipynb", "notebook": notebook}
    _, session, _ = await api("sessions", method="POST", body=body)
    run = {"notebook": notebook}
    await api("sessions", session["id"], "runs", method="POST", body=run)
    execution = (await at_rest(session["id"]))["iterations"][0]["execution"]
    assert [error["ename"] for error in execution["errors"]] == ["FileNotFoundError"]
    assert execution["files_beside"] == []


def creation(**settings: Any) -> dict[str, Any]:
    return {"path": "a.ipynb", "notebook": code_notebook("1"), "settings": settings}


BAD_BODIES: list[tuple[Any, str, str]] = [
    (None, "bad_input", "body"),
    ({"path": "a.ipynb"}, "bad_input", "notebook"),
    ({**creation(), "extra": 1}, "bad_input", "extra"),
    (creation(target_score="high"), "bad_setting", "target_score"),
    (creation(target_score=1e999), "bad_setting", "finite"),
    (creation(threshold=0), "bad_setting", "threshold"),
    (creation(time_limit=-1), "bad_setting", "time_limit"),
    (creation(max_fixes=-1), "bad_setting", "max_fixes"),
    (creation(mode="magic"), "bad_setting", "mode"),
    (creation(competition="parrity"), "unknown_competition", "parity"),
    (creation(competition="../private"), "unknown_competition", "private"),
    (creation(sandbox="spaceship"), "sandbox_unavailable", "spaceship"),
    ({**creation(), "notebook": code_notebook()}, "bad_notebook", "code"),
    (
        {**creation(), "notebook": {**code_notebook("x <- 1"), "language": "R"}},
        "bad_notebook",
        "R",
    ),
]


async def test_bad_input_is_refused_with_a_stable_code_and_a_sentence(api: Fetch) -> None:
    for body, code, words in BAD_BODIES:
        status, refusal, _ = await api("sessions", method="POST", body=body)
        assert 400 <= status < 500, body
        assert refusal["code"] == code
        assert words in refusal["message"]
    _, found, _ = await api("sessions")
    assert found["sessions"] == []


@pytest.mark.parametrize("cell_id", ["", "a b", "a\n", "é", "x" * 65, "../a"])
async def test_unusable_cell_id_is_refused(api: Fetch, cell_id: str) -> None:
    _, session, _ = await api("sessions", method="POST", body=creation())
    notebook = code_notebook("1", "2")
    notebook["cells"][1]["id"] = cell_id
    of_session = ("sessions", session["id"])
    for path in (("sessions",), ("preflight",), ("detect",), (*of_session, "runs")):
        body = {"notebook": notebook, **({"path": "a.ipynb"} if path == ("sessions",) else {})}
        status, refusal, _ = await api(*path, method="POST", body=body)
        assert status == 400, path
        assert "cell 2 has an id that Jupyter's format does not allow" in refusal["message"]


async def test_a_body_that_is_no_json_is_refused(api: Fetch, jp_fetch: Any) -> None:
    response = await jp_fetch(
        "mle-modernizer", "api", "sessions", method="POST", body="{oops", raise_error=False
    )
    assert response.code == 400


@pytest.mark.parametrize("score", [0, -3.5])
async def test_a_target_of_zero_or_below_is_a_target(api: Fetch, score: float) -> None:
    status, session, _ = await api("sessions", method="POST", body=creation(target_score=score))
    assert status == 201 and session["settings"]["target_score"] == score


async def test_a_fix_cannot_be_asked_for_before_a_run(api: Fetch) -> None:
    _, session, _ = await api("sessions", method="POST", body=creation())
    status, refusal, _ = await api("sessions", session["id"], "fixes", method="POST", body={})
    assert status == 409 and "run the notebook first" in refusal["message"]


async def test_json_that_is_nested_deeply_is_a_bad_request(jp_fetch: Any) -> None:
    deep = ("[" * 200_000, '{"notebook":' * 100_000, '{"a":' * 900 + "1" + "}" * 900)
    for route in ("preflight", "sessions", "detect", "estimate"):
        for body in deep:
            response = await jp_fetch(
                "mle-modernizer", "api", route, method="POST", body=body, raise_error=False
            )
            assert response.code == 400, (route, body[:20])


async def test_impossible_file_names_are_no_server_errors(api: Fetch, jp_fetch: Any) -> None:
    book = json.dumps(code_notebook("1"))
    half = (b'"\\ud800"', b'"a\\uDFFFb/x.ipynb"', b'"\xed\xa0\x80"')
    for name in half:
        notebook = book.replace('"c0"', "NAME").encode().replace(b"NAME", name)
        for route, body in (
            ("sessions", b'{"path": %s, "notebook": %s}' % (name, book.encode())),
            ("sessions", b'{"path": "a.ipynb", "notebook": %s}' % notebook),
            ("preflight", b'{"notebook": %s, "settings": {}}' % notebook),
            ("competitions/look", b'{"directory": %s}' % name),
        ):
            place = ("mle-modernizer", "api", *route.split("/"))
            answer = await jp_fetch(*place, method="POST", body=body, raise_error=False)
            assert answer.code == 400, body
    whole = {"path": "\U0001f600.ipynb", "notebook": code_notebook("1"), "settings": {}}
    assert (await api("sessions", method="POST", body=whole))[0] == 201
    for path in ("x" * 300 + "/a.ipynb", "a/" * 3000 + "a.ipynb", "a\0b/c.ipynb"):
        asked = {"path": path, "notebook": code_notebook("1")}
        for route in ("sessions", "detect", "preflight", "environments"):
            settings = {} if route in ("detect", "environments") else {"settings": {}}
            status, _, _ = await api(route, method="POST", body=asked | settings)
            assert status < 500, (route, path[:20])
        status, _, _ = await api("papers", method="POST", body={"path": path})
        assert 400 <= status < 500


async def test_a_body_that_is_too_large_is_refused_with_a_sentence(jp_fetch: Any) -> None:
    for method, path in ROUTES:
        if method == "GET":
            continue
        response = await jp_fetch(
            "mle-modernizer",
            "api",
            *path,
            method=method,
            body=b" " * 21_000_000,
            raise_error=False,
            allow_nonstandard_methods=True,
            request_timeout=60,
        )
        assert response.code == 413, (method, path)
        answer = json.loads(response.body)
        assert answer["code"] == "too_large" and "21.0 MB" in answer["message"]


async def test_a_large_notebook_is_looked_into_and_nobody_waits(api: Fetch) -> None:
    book = code_notebook("x = '" + "a" * 900_000 + "'", *["y = 1"] * 20)
    status, found, _ = await api(
        "preflight", method="POST", body={"notebook": book, "settings": {"sandbox": "process"}}
    )
    assert status == 200
    for source in some(("x=1\n" * 2_000_000, "\n" * 5_000_000), one_in=2):
        # A machine that is busy with something else may hold the server up, but not every time.
        for _ in range(3):
            found, longest, seconds = await looked_into(api, source)
            if longest < 1.5 and seconds < 40:
                break
        assert longest < 1.5 and seconds < 40
        if "x" in source:
            assert "too large" in str(found["notes"][0]["text"])


async def looked_into(api: Fetch, source: str) -> tuple[dict[str, Any], float, float]:
    """What is found, the longest that others waited meanwhile, and how long it took."""
    begun = time.monotonic()
    asking = asyncio.ensure_future(
        api(
            "preflight",
            method="POST",
            body={"notebook": code_notebook(source), "settings": {"sandbox": "process"}},
        )
    )
    longest = 0.0
    while not asking.done():
        before = time.monotonic()
        await asyncio.sleep(0.02)
        longest = max(longest, time.monotonic() - before)
    status, found, _ = await asking
    assert status == 200
    return found, longest, time.monotonic() - begun
