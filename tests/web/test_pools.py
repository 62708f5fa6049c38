"""Many heavy requests hold up nothing else, and end with their clients."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from tornado.simple_httpclient import HTTPTimeoutError

from mle_modernizer_server import pools
from mle_modernizer_server.workflow.service.runs import Runs
from tests.web.conftest import Fetch, code_notebook
from tests.web.own_server import Server, serving, until

_LINE = (
    'df{0} = pd.read_csv("../input/train{0}.csv").append(df, ignore_index=True)'
    ".ix[:, np.float({0})]\n"
)


def _heavy(kilobytes: int) -> dict[str, Any]:
    """A notebook that takes a minute of processor time to examine."""
    cells: list[str] = []
    length = 0
    while length < 1000 * kilobytes:
        first = 40 * len(cells)
        lines = (_LINE.format(number) for number in range(first, first + 40))
        cells.append("import pandas as pd\nimport numpy as np\n" + "".join(lines))
        length += len(cells[-1])
    return code_notebook(*cells)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    opened = threading.Event()
    yield opened
    opened.set()


async def test_full_pool_answers_503_with_a_time(
    api: Fetch, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = pools.Pool("test", 1, most_waiting=0)
    monkeypatch.setattr(pools, "code", pool)
    held = asyncio.create_task(pool.run(gate.wait, 30))
    await asyncio.sleep(0)
    ask = {"notebook": code_notebook("x = 1"), "path": ""}
    status, answer, headers = await api("detect", method="POST", body=ask)
    assert status == 503 and headers["Retry-After"] == str(pools.RETRY_AFTER)
    assert answer["code"] == "busy"
    assert answer["message"] == "The server is busy with other requests. Try again in 5 s."
    gate.set()
    await held
    status, _, _ = await api("detect", method="POST", body=ask)
    assert status == 200
    pool.close()


async def test_client_that_leaves_ends_its_request(
    api: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = asyncio.Event()

    async def preflight(*_: object) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    monkeypatch.setattr(Runs, "preflight", preflight)
    ask = {"notebook": code_notebook("x = 1"), "path": "", "settings": {}}
    with pytest.raises(HTTPTimeoutError):
        await api("preflight", method="POST", body=ask, request_timeout=1)
    await asyncio.wait_for(ended.wait(), 5)


@pytest.mark.process
def test_heavy_requests_leave_info_fast(
    tmp_path: Path, data_root: Path, record_property: Any
) -> None:
    (tmp_path / "tmp").mkdir()
    body = json.dumps({"notebook": _heavy(675), "path": "", "settings": {}}).encode()
    with serving(tmp_path, data_root) as server:
        requests = [server.begin("preflight", body) for _ in range(10)]
        seconds = []
        while len(seconds) < 15 or not _examining(server):
            begun = time.monotonic()
            server.ask("info")
            seconds.append(time.monotonic() - begun)
            time.sleep(0.2)
        told = f"info beside ten heavy requests: {', '.join(f'{one:.2f}' for one in seconds)} s"
        record_property("seconds", told)
        assert max(seconds) < 1, told
        for request in requests:
            request.close()
        until(lambda: not _examining(server), 10)


def _examining(server: Server) -> bool:
    """Return whether a process examines a notebook."""
    children = psutil.Process(server.process.pid).children()
    return any("rules.analysis" in " ".join(child.cmdline()) for child in children)
