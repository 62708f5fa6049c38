"""Work that is cancelled while the rules examine the notebook ends at once."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

from mle_modernizer_server.child_process import check_wanted
from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.fixing.rules.analysis import Analysis
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.workflow import scenes


class EndlessAnalysis(Analysis):
    """Examines a notebook until nobody waits for the answer."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def infer_era(self, *_: object, **__: object) -> Era:
        """Look whether the answer is still wanted, as the other process's client does."""
        self.begun.set()
        try:
            while True:
                check_wanted()
                time.sleep(0.01)
        finally:
            self.ended.set()


def test_cancel_ends_the_examination(tmp_path: Path) -> None:
    analysis = EndlessAnalysis()
    work = scenes.modernizer(tmp_path)
    work = scenes.with_services(work, analysis=analysis)

    async def body(work: Modernizer) -> None:
        session = work.sessions.create("old.ipynb", values.notebook("x = 1"), scenes.settings())
        work.runs.start_fix(session.id, fix_type=FixType.BEFORE_RUN)
        while not analysis.begun.is_set():
            await asyncio.sleep(0.01)
        session = await asyncio.wait_for(work.sessions.cancel(session.id), 5)
        assert session.phase is Phase.CANCELLED
        assert await asyncio.to_thread(analysis.ended.wait, 5)

    scenes.scene(body, work)
