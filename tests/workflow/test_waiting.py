"""Work that waits for other work says so, and can be cancelled while it waits."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.words import text
from tests import values
from tests.workflow.test_recovery import modernizer


def test_waiting_work_shows_its_position_and_cancels_at_once(
    tmp_path: Path,
) -> None:
    said: dict[str, list[str]] = {}

    async def scene() -> None:
        work = modernizer(
            tmp_path,
            lambda session, event: said.setdefault(session.id, []).append(
                "" if session.progress is None else text(session.progress.message)
            ),
        )
        slow = values.notebook("import time", "time.sleep(60)")
        settings = SessionSettings(sandbox="process")
        ids = [work.sessions.create(f"{number}.ipynb", slow, settings).id for number in range(3)]
        for session_id in ids:
            work.runs.start_run(session_id, slow)
        while work.log.get(ids[0]).phase is not Phase.RUNNING:
            await asyncio.sleep(0.05)
        waiting = "Waiting for 0.ipynb, which is running"
        assert said[ids[1]][-1] == waiting
        assert said[ids[2]][-1] == "Waiting for 0.ipynb, which is running (1 more ahead)"
        progress = work.log.get(ids[2]).progress
        assert progress is not None and progress.waits_for == "0.ipynb"

        begun = time.monotonic()
        assert (await work.sessions.cancel(ids[1])).phase is Phase.CANCELLED
        assert time.monotonic() - begun < 10
        assert work.log.get(ids[0]).phase is Phase.RUNNING
        await asyncio.sleep(0)
        assert said[ids[2]][-1] == waiting
        await work.close()

    asyncio.run(scene())


def test_static_proposal_does_not_wait_for_another_run(tmp_path: Path) -> None:
    async def scene() -> None:
        work = modernizer(tmp_path)
        settings = SessionSettings(sandbox="process")
        slow = values.notebook("import time", "time.sleep(600)")
        old = values.notebook("import numpy as np", "np.float(1)")
        running = work.sessions.create("running.ipynb", slow, settings).id
        proposed = work.sessions.create("proposed.ipynb", old, settings).id
        work.runs.start_run(running, slow)
        while work.log.get(running).phase is not Phase.RUNNING:
            await asyncio.sleep(0.05)
        work.runs.start_fix(proposed, fix_type=FixType.BEFORE_RUN, notebook=old)
        await asyncio.wait_for(work.jobs.finished(proposed), 300)
        assert work.log.get(proposed).phase is Phase.REVIEWING
        assert work.log.get(running).phase is Phase.RUNNING
        await work.close()

    asyncio.run(scene())
