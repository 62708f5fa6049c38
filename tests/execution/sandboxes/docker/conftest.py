"""The Docker sandbox with the real engine."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from tests.engine import docker_with
from tests.execution.conftest import Runner

GIGABYTE = 2**30


@pytest.fixture
def box() -> Iterator[Docker]:
    """The sandbox, with limits a small machine has."""
    with docker_with(memory=GIGABYTE, disk=GIGABYTE, pip_network="host", cpus=1.0) as sandbox:
        yield sandbox


@pytest.fixture
def run(box: Docker, workspace: Workspace, public: Path) -> Runner:
    """Runs cells in a container."""
    return Runner(box, workspace, public)


@pytest.fixture
def image_with(tmp_path: Path) -> Iterator[Callable[[str, str], str]]:
    """Makes an image from lines of a Dockerfile; it is removed at the end."""
    made: list[str] = []

    def build(name: str, lines: str) -> str:
        tag = f"mle-modernizer-test/{name}:{tmp_path.name.lower()}"
        subprocess.run(
            ["docker", "build", "-q", "-t", tag, "-"],
            input=lines.encode(),
            check=True,
            capture_output=True,
        )
        made.append(tag)
        return tag

    yield build
    for tag in made:
        subprocess.run(["docker", "rmi", "-f", tag], check=True, capture_output=True)
