"""A Jupyter server with the extension in a process of its own, as a user starts it."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_START = """\
from mle_modernizer_server.execution.schema_formats import leave_out_grammar
leave_out_grammar()  # it takes a server seconds to compile
from jupyter_server.serverapp import main
main()
"""


class Server:
    """A Jupyter server with the extension in a process of its own.

    Args:
        home: Its directories, and the folder with the notebooks.
        data_root: Directory of the competitions.
        options: More of its options.
        before: What comes before its command, and ends by executing it.
        environment: Variables it has beside this process's own.
    """

    def __init__(
        self,
        home: Path,
        data_root: Path,
        options: Sequence[str] = (),
        before: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._port = port
        self._url = f"http://127.0.0.1:{port}/mle-modernizer/api"
        self._token = secrets.token_hex(16)
        self._log = home / "server.log"
        places = {
            name: str(home / name.lower())
            for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
        }
        command = [
            *before,
            *(sys.executable, "-c", _START, "--no-browser", "--allow-root"),
            *(f"--port={port}", "--ip=127.0.0.1", f"--IdentityProvider.token={self._token}"),
            *(f"--ServerApp.root_dir={home}",),
            "--ServerApp.jpserver_extensions={'mle_modernizer_server': True}",
            *(f"--ModernizerExtension.data_root={data_root}",),
            *options,
        ]
        variables = os.environ | places | {"TMPDIR": str(home / "tmp")} | dict(environment or {})
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(command, env=variables, stdout=log, stderr=log)

    @property
    def log(self) -> str:
        """What it wrote."""
        return self._log.read_text(errors="replace")

    def ask(self, path: str, body: object = None) -> Any:
        """The JSON of a route's answer."""
        request = urllib.request.Request(
            f"{self._url}/{path}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"token {self._token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def begin(self, path: str, body: bytes) -> http.client.HTTPConnection:
        """Send a request, and return its connection without waiting for the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"Authorization": f"token {self._token}", "Content-Type": "application/json"}
        connection.request("POST", f"/mle-modernizer/api/{path}", body, headers)
        return connection

    def answers(self) -> bool:
        assert self.process.poll() is None
        try:
            return bool(self.ask("info"))
        except (urllib.error.URLError, ConnectionError):
            return False


@contextmanager
def serving(home: Path, data_root: Path, **more: Any) -> Iterator[Server]:
    """A server that answers; it is ended with the context."""
    server = Server(home, data_root, **more)
    try:
        until(server.answers)
        yield server
    finally:
        server.process.terminate()
        server.process.wait(30)


def until(condition: Any, seconds: float = 60) -> None:
    """Wait until it holds; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
