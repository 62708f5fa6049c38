"""The tools for agents inside a server, over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.mcp.test_tools import write_notebook
from tests.web.conftest import Fetch

ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def message(method: str, **parameters: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}


async def test_server_answers_an_agent(api: Fetch, jp_root_dir: Path) -> None:
    write_notebook(jp_root_dir / "old.ipynb", "import numpy as np\nnp.float(1)")
    status, found, _ = await api(
        "agents",
        method="POST",
        body=message("tools/list"),
        headers=dict(ACCEPT),
        request_timeout=120,
    )
    assert status == 200
    assert "run_sealed" in {tool["name"] for tool in found["result"]["tools"]}
    call = message("tools/call", name="what_will_break", arguments={"notebook": "old.ipynb"})
    status, found, _ = await api(
        "agents", method="POST", body=call, headers=dict(ACCEPT), request_timeout=120
    )
    assert status == 200
    forecast = json.loads(found["result"]["content"][0]["text"])
    assert [one["rule"] for one in forecast["breakages"]] == ["numpy-builtin-aliases"]


async def test_bad_message_of_an_agent_is_an_error(api: Fetch) -> None:
    status, found, _ = await api(
        "agents", method="POST", body={"x": 1}, headers=dict(ACCEPT), request_timeout=120
    )
    assert status == 400
    assert "error" in found
