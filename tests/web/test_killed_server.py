"""A real server that works with containers, killed in mid-run; and the next one."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mle_modernizer_server.execution.sandboxes.docker.isolation import LABEL, OWNER
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from tests.engine import IMAGE, docker_with
from tests.values import worded
from tests.web.conftest import code_notebook


class Server:
    """A Jupyter server with the extension in a process of its own."""

    def __init__(self, home: Path, data_root: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self._url = f"http://127.0.0.1:{port}/mle-modernizer/api"
        self._token = secrets.token_hex(16)
        places = {
            name: str(home / name.lower())
            for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
        }
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"),
                *(f"--port={port}", "--ip=127.0.0.1", f"--IdentityProvider.token={self._token}"),
                *(f"--ServerApp.root_dir={home}",),
                "--ServerApp.jpserver_extensions={'mle_modernizer_server': True}",
                *(f"--ModernizerExtension.data_root={data_root}",),
                *(f"--DockerSandbox.image={IMAGE}", "--DockerSandbox.memory=1g"),
            ],
            env=os.environ | places | {"TMPDIR": str(home / "tmp")},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, path: str, body: object = None) -> Any:
        """The JSON of a route's answer."""
        request = urllib.request.Request(
            f"{self._url}/{path}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"token {self._token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def answers(self) -> bool:
        assert self.process.poll() is None
        try:
            return bool(self.ask("info"))
        except (urllib.error.URLError, ConnectionError):
            return False


@contextmanager
def serving(home: Path, data_root: Path) -> Iterator[Server]:
    server = Server(home, data_root)
    try:
        until(server.answers)
        yield server
    finally:
        server.process.terminate()
        server.process.wait(30)


def until(condition: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def owned_by(box: Docker, pid: int) -> list[str]:
    """Ids of the containers, also ended ones, that belong to the server of that process."""
    found = box.engine.api.containers(all=True, filters={"label": LABEL})
    return [item["Id"] for item in found if item["Labels"][OWNER].split()[0] == str(pid)]


@pytest.fixture
def box() -> Iterator[Docker]:
    with docker_with() as sandbox:
        yield sandbox


@pytest.fixture
def others(box: Docker) -> Iterator[list[str]]:
    """Containers that are none of this user's servers': they stay."""
    started = [
        box.engine.api.create_container(IMAGE, ["sleep", "600"], labels=labels)["Id"]
        for labels in ({}, {LABEL: "another-host 0", OWNER: "1 0.0"}, {"maintainer": "me"})
    ]
    for identity in started:
        box.engine.api.start(identity)
    yield started
    for identity in started:
        box.engine.api.remove_container(identity, force=True)


def test_the_next_server_clears_up_and_says_what_happened(
    box: Docker, others: list[str], data_root: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    (home / "tmp").mkdir(parents=True)
    notebook = code_notebook("import time", "time.sleep(654)")

    with serving(home, data_root) as first:
        settings = {"sandbox": "docker", "fixers": []}
        session = first.ask(
            "sessions", {"path": "old.ipynb", "notebook": notebook, "settings": settings}
        )
        address = f"sessions/{session['id']}"
        first.ask(f"{address}/runs", {"notebook": notebook})
        until(lambda: (first.ask(address)["progress"] or {}).get("ordinal") == 2)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
        orphans = owned_by(box, first.process.pid)
        assert orphans
        assert list((home / "tmp").glob("mlem-*"))

    with serving(home, data_root) as second:
        told = second.ask(address)
        assert told["phase"] == "interrupted"
        assert "went down" in worded(told["message"]) and "removed" in worded(told["message"])
        until(lambda: owned_by(box, first.process.pid) == [])
        for identity in others:
            assert box.engine.api.inspect_container(identity)["State"]["Running"]

        # And it can be run again.
        quick = code_notebook("print('again')")
        second.ask(f"{address}/runs", {"notebook": quick})
        until(lambda: second.ask(address)["phase"] == "finished")
        own = second.process.pid
    assert owned_by(box, own) == []
    until(lambda: list((home / "tmp").glob("mlem-*")) == [], seconds=10)
