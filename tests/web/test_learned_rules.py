"""A model's fix that held, kept as a rule from the panel: the next notebook needs no model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.fixing.rules.knowledge import use_rules
from tests.llm_server import Answer, LlmServer
from tests.web.conftest import Fetch
from tests.web.test_sessions import created, run

OLD = "import math\nwhole = math.truncate(2.5)"
MENDED = """=== PLAN ===
- c0: it is called trunc
=== EDIT CELL c0 ===
<<<<<<< SEARCH
math.truncate(2.5)
=======
math.trunc(2.5)
>>>>>>> REPLACE
=== END ===
"""


@pytest.fixture
def model() -> Iterator[LlmServer]:
    with LlmServer(lambda _: Answer(MENDED)) as server:
        yield server


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | None]:
    """Where rules are kept; None where a test says that the server has no such place."""
    rules = tmp_path / "rules"
    rules.mkdir()
    yield rules if getattr(request, "param", True) else None
    use_rules(None)  # they hold for the process


@pytest.fixture
def jp_server_config(
    data_root: Path, database: Path, model: LlmServer, folder: Path | None
) -> dict[str, Any]:
    return {
        "ServerApp": {"jpserver_extensions": {"mle_modernizer_server": True}},
        "ModernizerExtension": {
            "data_root": str(data_root),
            "database": str(database),
            "llm_base_url": model.base_url,
            "llm_model": "stand-in",
            **({} if folder is None else {"rules_path": str(folder)}),
        },
    }


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def modernized(api: Fetch, at_rest: Any, source: str, fixer: str) -> dict[str, Any]:
    session = await created(api, source, sandbox="process", fixers=[fixer], mode="auto")
    assert (await run(api, session, source))[0] == 202
    return dict(await at_rest(session["id"]))


@pytest.mark.parametrize(
    "folder", [True, pytest.param(False, marks=pytest.mark.thorough)], indirect=True
)
async def test_a_fix_is_kept_and_mends_the_next_notebook(
    api: Fetch, at_rest: Any, folder: Path | None, model: LlmServer
) -> None:
    session = await modernized(api, at_rest, OLD, "llm")
    route = ("sessions", session["id"], "rules")
    status, found, _ = await api(*route)
    assert status == 200
    (rule,) = found["rules"]
    assert (rule["old"], rule["new"]) == ("math.truncate(2.5)", "math.trunc(2.5)")
    assert found["kept"] == []
    assert found["folder"] is (folder is not None)

    status, kept, _ = await api(*route, method="POST", body={"id": rule["id"]})
    if folder is None:
        assert status == 409 and "rules_path" in kept["message"]
        return
    assert status == 200 and kept["kept"] == [rule["id"]]
    assert (folder / f"{rule['id']}.yaml").read_text() == rule["content"]
    status, _, _ = await api(*route, method="POST", body={"id": "../../x"})
    assert status == 404
    assert len(files_in(folder)) == 1

    asked = len(model.requests)
    after = await modernized(api, at_rest, "import math as m\nm.truncate(7.5)", "rules")
    assert after["iterations"][-1]["diagnosis"]["findings"] == []
    assert len(after["iterations"]) == 2
    assert len(model.requests) == asked


async def test_a_session_without_a_model_teaches_nothing(api: Fetch, at_rest: Any) -> None:
    session = await modernized(api, at_rest, "1 + 1", "rules")
    status, found, _ = await api("sessions", session["id"], "rules")
    assert status == 200 and found["rules"] == []
