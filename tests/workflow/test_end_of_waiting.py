"""A kernel that waits comes to its certain end, whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.wiring import clear_leftovers
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.thoroughness import HERE
from tests.workflow.scenes import (
    KERNEL,
    command_of,
    kinds,
    modernizer,
    ran,
    reasons,
    scene,
    settings,
    stopped,
)

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def test_timeout_dead_kernel_and_cancel_end_the_wait(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        work.services.paused.limit = 1.0
        session = await stopped(work, "a = 1", "undefined")
        while work.log.get(session.id).waiting is not None:
            await asyncio.sleep(0.1)
        assert "maximum time" in reasons(work, session.id)[-1]

        work.services.paused.limit = 600.0
        session = await stopped(work, KERNEL, "undefined")
        for child in psutil.Process().children(recursive=True):
            if "ipykernel" in " ".join(command_of(child)):
                child.kill()
        session = await ran(work, session.id, KERNEL, "1")
        assert kinds(session) == [("clean", "stopped"), ("clean", "completed")]

        session = await stopped(work, KERNEL, "undefined")
        assert (await work.sessions.cancel(session.id)).waiting is None

        session = await stopped(work, KERNEL, "undefined")
        work.sessions.change_settings(session.id, settings(sandbox="bubblewrap"))
        while work.log.get(session.id).waiting is not None:
            await asyncio.sleep(0.05)

        session = await stopped(work, KERNEL, "undefined")
        await work.sessions.delete(session.id)

        first = await stopped(work, KERNEL, "undefined")
        second = await stopped(work, KERNEL, "undefined")
        assert work.log.get(first.id).waiting is None
        assert "make room" in reasons(work, first.id)[-1]
        assert second.waiting is not None  # and closing ends it

    scene(body, modernizer(tmp_path))


def test_a_cancelled_resumed_run_leaves_nothing(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await stopped(work, KERNEL, "undefined")
        work.runs.start_run(session.id, values.notebook(KERNEL, "import time\ntime.sleep(60)"))
        while work.log.get(session.id).phase is not Phase.RUNNING:
            await asyncio.sleep(0.05)
        session = await work.sessions.cancel(session.id)
        assert session.phase is Phase.CANCELLED and session.waiting is None

    scene(body, modernizer(tmp_path))


_SERVER = """
import asyncio, sys
from pathlib import Path
from tests.workflow.scenes import modernizer, stopped

async def main():
    work = modernizer(Path(sys.argv[1]))
    session = await stopped(work, "waits_here = 1", "undefined", sandbox=sys.argv[2])
    print(session.id, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("sandbox", HERE)
def test_a_server_killed_while_a_kernel_waits_leaves_nothing(tmp_path: Path, sandbox: str) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(tmp_path), sandbox],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "t")},
    )
    assert server.stdout is not None
    session_id = server.stdout.readline().strip()
    children = psutil.Process(server.pid).children(recursive=True)
    assert children
    os.kill(server.pid, signal.SIGKILL)
    server.wait()
    server.stdout.close()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []

    clear_leftovers()
    work = modernizer(tmp_path)
    assert work.log.get(session_id).waiting is not None
    work.recover()
    assert work.log.get(session_id).waiting is None
    assert "stopped unexpectedly" in reasons(work, session_id)[-1]
    asyncio.run(work.close())
