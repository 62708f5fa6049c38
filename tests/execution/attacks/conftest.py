"""Attacks are notebooks; each test then asserts what the host still looks like."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.execution.sandboxes.docker.isolation import RUN
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from tests.engine import containers_of, docker_with

MEGABYTE = 2**20


@pytest.fixture(params=["docker", "bubblewrap"])
def closed(request, run_in, workspace: Workspace) -> Iterator[object]:
    """Runs cells, once in each sandbox that isolates."""
    if request.param == "docker":
        with docker_with(memory=1024 * MEGABYTE, disk=2048 * MEGABYTE) as sandbox:
            yield run_in("docker")
            assert containers_of(sandbox, f"{RUN}={workspace.runtime}") == []
    else:
        yield run_in("bubblewrap")


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
