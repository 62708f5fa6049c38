"""Silent changes compared with old libraries, as the panel asks for it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixing.rules.executed.environment import environment
from tests.values import worded
from tests.web.conftest import Fetch, code_notebook

Wait = Callable[[str], Awaitable[dict[str, Any]]]

LOAD = "import pandas as pd\nt = pd.DataFrame({'age': [1.0, None, 3.0]})"
CHAINED = "t['age'][t['age'].isnull()] = 0\nprint(t['age'].mean())"


@pytest.fixture
def jp_server_config(data_root: Path, database: Path) -> dict[str, Any]:
    return {
        "ServerApp": {"jpserver_extensions": {"mle_modernizer_server": True}},
        "ModernizerExtension": {
            "data_root": str(data_root),
            "database": str(database),
            "old_pythons": {
                "pandas 2.2": str(environment("kaggle").python),
                "nothing": "/no/such/python",
            },
        },
    }


async def compare(api: Fetch, at_rest: Wait, name: str, **more: Any) -> dict[str, Any]:
    notebook = code_notebook(LOAD, CHAINED)
    _, session, _ = await api(
        "sessions", method="POST", body={"path": "old.ipynb", "notebook": notebook}
    )
    body = {"notebook": notebook, "old_python": name, **more}
    status, answer, _ = await api("sessions", session["id"], "probe", method="POST", body=body)
    if status != 202:
        return {"status": status, **answer}
    return await at_rest(session["id"])


async def test_an_experiment_explains_a_silent_change(api: Fetch, at_rest: Wait) -> None:
    _, info, _ = await api("info")
    assert info["old_pythons"] == ["pandas 2.2", "nothing"]
    session = await compare(api, at_rest, "pandas 2.2")
    [item] = [
        item for item in session["probe"]["items"] if item["rule"] == "pandas-chained-setitem"
    ]
    assert (item["verdict"], item["cell_id"]) == ("explains", "c1")
    assert session["probe"]["then"]["packages"]["pandas"].startswith("2.")
    assert session["phase"] == "ready"
    assert session["iterations"] == []


async def test_unusable_old_libraries_are_reported_without_change(
    api: Fetch, at_rest: Wait
) -> None:
    session = await compare(api, at_rest, "nothing")
    assert session["phase"] == "ready"
    assert worded(session["message"]).startswith("The comparison was not possible: ")
    assert session["probe"] is None


async def test_unknown_environment_and_change_are_refused(api: Fetch, at_rest: Wait) -> None:
    answer = await compare(api, at_rest, "/usr/bin/python3")
    assert answer["status"] == 400
    assert "available: pandas 2.2, nothing" in answer["message"]
    session = await compare(api, at_rest, "pandas 2.2", rule="no-such")
    assert "'no-such' is not a silent change" in worded(session["message"])
