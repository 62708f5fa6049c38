"""Attacks are notebooks; each test then asserts what the host still looks like."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from mle_modernizer_server.execution.sandboxes.docker.isolation import RUN
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from tests.engine import containers_of, docker_with
from tests.execution.conftest import Runner

MEGABYTE = 2**20


@contextmanager
def _closed(name: str, run_in: Callable[[str], Runner], workspace: Workspace) -> Iterator[Runner]:
    if name == "docker":
        with docker_with(memory=1024 * MEGABYTE, disk=2048 * MEGABYTE) as sandbox:
            yield run_in(name)
            assert containers_of(sandbox, f"{RUN}={workspace.runtime}") == []
    else:
        yield run_in(name)


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.thorough)])
def closed(request, run_in, workspace: Workspace) -> Iterator[Runner]:
    """Runs cells in bubblewrap, and in `make test-all` in a container: both close in alike."""
    with _closed(request.param, run_in, workspace) as runner:
        yield runner


@pytest.fixture(params=["bubblewrap", "docker"])
def closed_in_each(request, run_in, workspace: Workspace) -> Iterator[Runner]:
    """Runs cells, once in each sandbox that isolates: each has a way of its own to close in."""
    with _closed(request.param, run_in, workspace) as runner:
        yield runner


@pytest.fixture
def narrow(run_in, workspace: Workspace) -> Iterator[object]:
    """Runs cells in a container with little of everything."""
    little = {"memory": 256 * MEGABYTE, "disk": 64 * MEGABYTE, "pids": 128, "cpus": 1.0}
    with docker_with(**little) as sandbox:
        yield run_in("docker")
        assert containers_of(sandbox, f"{RUN}={workspace.runtime}") == []


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A secret of the host that everybody may read."""
    path = tmp_path / f"canary-{tmp_path.name}"
    path.write_text("a secret of the host")
    path.chmod(0o644)
    return path


@pytest.fixture
def memory_grown() -> Iterator[Callable[[], int]]:
    """Highest growth of this process's memory in bytes, from the start of the test on."""
    process = psutil.Process()
    before = process.memory_info().rss
    seen = [before]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.05):
            seen.append(process.memory_info().rss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield lambda: max(seen) - before
    over.set()
    watcher.join()
