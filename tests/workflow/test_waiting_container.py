"""A kernel that waits in a container."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from mle_modernizer_server.execution.sandboxes.docker.isolation import LABEL
from mle_modernizer_server.execution.sandboxes.docker.sandbox import Docker
from tests.engine import containers_of, docker_with
from tests.workflow.scenes import kinds, modernizer, ran, reasons, stopped


@pytest.fixture
def box() -> Iterator[Docker]:
    with docker_with(containers=1, memory=2**30) as sandbox:
        yield sandbox


def test_it_continues_and_frees_its_place_for_another(box: Docker, tmp_path: Path) -> None:
    async def body() -> None:
        work = modernizer(tmp_path, containers=box.settings)
        before = set(containers_of(box, LABEL))
        try:
            session = await stopped(work, "a = 1", "undefined", sandbox="docker")
            session = await ran(work, session.id, "a = 1", "a")
            assert kinds(session)[1:] == [("resumed", "completed"), ("clean", "completed")]

            first = await stopped(work, "a = 1", "undefined", sandbox="docker")
            assert first.waiting is not None
            second = await stopped(work, "a = 1", "a", sandbox="docker")
            assert kinds(second) == [("clean", "completed")]
            assert work.log.get(first.id).waiting is None
            assert "make room" in reasons(work, first.id)[-1]

            third = await stopped(work, "a = 1", "undefined", sandbox="docker")
            assert third.waiting is not None
        finally:
            await work.close()
        assert set(containers_of(box, LABEL)) <= before

    asyncio.run(body())
