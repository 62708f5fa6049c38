"""Latency from an error to a client: a real Jupyter server, its event bus and REST interface."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.web.hints import SCHEMA_ID

_START_LIMIT = 60.0


def error_to_client(notebook: Notebook, sandbox: str) -> list[float]:
    """Measure the seconds from `raise` in a cell until a client has the error.

    The client receives the hint on the event bus, reads the session, and finds the error in it, as
    the panel does before it can show a traceback.

    Args:
        notebook: Its failing cells raise errors whose message is the time of raising.
        sandbox: Its sandbox.
    """
    with tempfile.TemporaryDirectory() as directory, _server(Path(directory)) as (address, token):
        return asyncio.run(_listen(address, token, notebook, sandbox))


async def _listen(address: str, token: str, notebook: Notebook, sandbox: str) -> list[float]:
    http = AsyncHTTPClient()
    headers = {"Authorization": f"token {token}", "Content-Type": "application/json"}

    async def ask(path: str, body: object = None) -> dict[str, object]:
        request = HTTPRequest(
            f"{address}/mle-modernizer/api/{path}",
            method="GET" if body is None else "POST",
            headers=headers,
            body=None if body is None else json.dumps(body),
        )
        answer: dict[str, object] = json.loads((await http.fetch(request)).body)
        return answer

    await _until_it_answers(ask)
    bus: WebSocketClientConnection = await websocket_connect(
        HTTPRequest(
            address.replace("http", "ws", 1) + "/api/events/subscribe",
            headers={"Authorization": f"token {token}"},
        )
    )
    sources = notebook.model_dump(mode="json")
    settings = {"sandbox": sandbox, "fixers": []}
    session = await ask(
        "sessions", {"path": "failing.ipynb", "notebook": sources, "settings": settings}
    )
    await ask(f"sessions/{session['id']}/runs", {"notebook": sources})
    latencies: list[float] = []
    while True:
        message = await bus.read_message()
        if message is None:
            raise RuntimeError("the event bus closed before the run ended")
        hint = json.loads(message)
        if hint.get("schema_id") != SCHEMA_ID:
            continue
        session = await ask(f"sessions/{session['id']}")
        arrived = time.time()
        progress = session["progress"]
        errors = progress["errors"] if isinstance(progress, dict) else []
        latencies += [arrived - float(error["evalue"]) for error in errors[len(latencies) :]]
        if session["phase"] in ("finished", "failed"):
            bus.close()
            return latencies


async def _until_it_answers(ask: Callable[[str], Awaitable[object]]) -> None:
    end = time.monotonic() + _START_LIMIT
    while True:
        try:
            await ask("info")
            return
        except (OSError, HTTPClientError):
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.2)


@contextmanager
def _server(directory: Path) -> Iterator[tuple[str, str]]:
    """Start a Jupyter server with the extension; yield its address and token."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_hex(16)
    places = {
        name: str(directory / name.lower())
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    command = [
        *(sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"),
        *(f"--port={port}", "--ip=127.0.0.1", f"--IdentityProvider.token={token}"),
        *(f"--ServerApp.root_dir={directory}",),
        "--ServerApp.jpserver_extensions={'mle_modernizer_server': True}",
    ]
    process = subprocess.Popen(
        command, env=os.environ | places, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield f"http://127.0.0.1:{port}", token
    finally:
        process.terminate()
        process.wait()
