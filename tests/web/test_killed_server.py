"""A real server that works with containers, killed in mid-run; and the next one."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.execution.sandboxes.docker.isolation import LABEL, OWNER
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from tests.engine import IMAGE, docker_with
from tests.values import worded
from tests.web.conftest import code_notebook
from tests.web.own_server import serving, until

CONTAINERS = (f"--DockerSandbox.image={IMAGE}", "--DockerSandbox.memory=1g")


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

    with serving(home, data_root, options=CONTAINERS) as first:
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

    with serving(home, data_root, options=CONTAINERS) as second:
        told = second.ask(address)
        assert told["phase"] == "interrupted"
        assert all(
            words in worded(told["message"]) for words in ("stopped unexpectedly", "cleaned up")
        )
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
