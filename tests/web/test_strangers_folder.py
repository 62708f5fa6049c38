"""Looking for environments in a stranger's folder starts nothing of it."""

from __future__ import annotations

from pathlib import Path

from tests.strangers_folder import StrangersFolder
from tests.web.conftest import Fetch, code_notebook


async def test_linked_interpreter_is_not_started_by_a_request(
    api: Fetch, jp_root_dir: Path, tmp_path: Path
) -> None:
    folder = StrangersFolder(jp_root_dir / "repository", tmp_path / "ran")
    folder.program("tools/python3")
    folder.environment()
    notebook = code_notebook("print(1)")
    asked = {"notebook": notebook, "path": "repository/nb.ipynb"}
    status, report, _ = await api("environments", method="POST", body=asked)
    assert status == 200
    (beside,) = [item for item in report["found"] if item["origin"] == "beside"]
    assert (beside["name"], beside["trouble"]) == (".venv", "not-listed")
    body = asked | {"settings": {"environment": ".venv"}}
    status, _, _ = await api("preflight", method="POST", body=body)
    assert status == 400
    assert not folder.mark.exists()
