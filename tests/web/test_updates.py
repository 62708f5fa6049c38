"""What a client that follows a session is sent."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import SUBMIT, Fetch
from tests.web.test_sessions import created, run


def put_together(known: dict[str, Any], update: dict[str, Any]) -> dict[str, Any]:
    iterations = {item["number"]: item for item in known["iterations"]}
    iterations.update((item["number"], item) for item in update["iterations"])
    return {
        **known,
        **update["changed"],
        "iterations": [iterations[number] for number in sorted(iterations)],
    }


async def test_updates_make_the_session_and_repeat_nothing(api: Fetch, at_rest: Any) -> None:
    session = await created(api, SUBMIT, "1/0", sandbox="process", competition="parity")
    _, known, _ = await api("sessions", session["id"])
    await run(api, session, SUBMIT, "1/0")
    whole = await at_rest(session["id"])
    path = ("sessions", session["id"])
    status, update, _ = await api(*path, params={"since": str(known["seq"])})
    assert status == 200
    assert (update["since"], update["seq"]) == (known["seq"], whole["seq"])
    assert "settings" not in update["changed"] and "path" not in update["changed"]
    assert put_together(known, update) == whole

    # The second run closes the review of the first; nothing else of it is sent again.
    await run(api, session, SUBMIT, "1/0")
    again = await at_rest(session["id"])
    _, update, _ = await api(*path, params={"since": str(whole["seq"])})
    numbers = [item["number"] for item in update["iterations"]]
    assert numbers[-1] == 2 and len(again["iterations"]) == 2
    assert put_together(whole, update) == again
    status, _, _ = await api(*path, params={"since": str(again["seq"])})
    assert status == 304
