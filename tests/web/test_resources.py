"""A file of the network is fetched by the server when its address is in the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.resources.conftest import running_site
from tests.web.conftest import Fetch, code_notebook


@pytest.fixture
def jp_server_config(jp_server_config: dict[str, Any]) -> dict[str, Any]:
    """As a lab would configure it whose data lie on a server of its own network."""
    jp_server_config["ModernizerExtension"]["fetch_private_addresses"] = True
    return jp_server_config


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


@pytest.mark.thorough
async def test_what_a_run_wanted_is_fetched_with_the_persons_word(
    api: Fetch, at_rest: Any, jp_root_dir: Path
) -> None:
    (jp_root_dir / "a.ipynb").write_text("{}")
    with running_site() as site:
        address = site.at("train.csv")
        notebook = code_notebook(f"import pandas as pd\ntrain = pd.read_csv('{address}')")
        body = {"path": "a.ipynb", "notebook": notebook}
        _, session, _ = await api("sessions", method="POST", body=body)
        run = ("sessions", session["id"], "runs")
        await api(*run, method="POST", body={"notebook": notebook})
        session = await at_rest(session["id"])
        if session["iterations"][0]["execution"]["sandbox"] == "process":
            pytest.skip("LOUD: no sandbox without a network works here")
        assert session["wanted_resources"] == [address]
        assert site.asked == []

        settings = {**session["settings"], "resources": [address]}
        route = ("sessions", session["id"])
        status, session, _ = await api(*route, method="PATCH", body={"settings": settings})
        assert status == 200, session
        await api(*run, method="POST", body={"notebook": notebook})
        session = await at_rest(session["id"])
        assert site.asked == ["/train.csv"]
    assert session["wanted_resources"] == []
    (edit,) = session["iterations"][-1]["reviews"][-1]["proposal"]["edits"]
    assert "pd.read_csv('train.csv')" in edit["new_source"]


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "http://me:key@example.org/a.csv", "http://example.org/"]
)
async def test_what_is_no_files_address_is_refused(api: Fetch, address: str) -> None:
    body = {
        "path": "a.ipynb",
        "notebook": code_notebook("1"),
        "settings": {"resources": [address]},
    }
    status, refusal, _ = await api("sessions", method="POST", body=body)
    assert (status, refusal["code"]) == (400, "bad_setting")
