"""What auto mode reached before the user cancelled it is not thrown away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.domain.verification import NoiseWish
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.workflow.repeating import printed
from tests.workflow.scenes import modernizer, scene

OLD = "import numpy as np\nrows = np.float(1)"


def slow_from(folder: Path, run: int) -> str:
    """A cell that takes minutes from the run of that number on."""
    return (
        "import time\nfrom pathlib import Path\n"
        f"log = Path({str(folder / 'runs.txt')!r})\n"
        "count = len(log.read_text()) if log.exists() else 0\n"
        "_ = log.write_text('x' * (count + 1))\n"
        f"time.sleep(600 if count + 1 >= {run} else 0)"
    )


async def cancelled(work: Modernizer, folder: Path, slow: int) -> Session:
    """A session whose auto mode was cancelled in its first slow run."""
    notebook = values.notebook(OLD, slow_from(folder, slow), "0.5")
    settings = printed(
        0.9, mode=Mode.AUTO, fixers=(FixerName.RULES,), measure_noise=NoiseWish.ALWAYS
    )
    session = work.sessions.create("old.ipynb", notebook, settings)
    work.runs.start_run(session.id, notebook)
    log = folder / "runs.txt"
    while not log.exists() or len(log.read_text()) < slow:
        assert work.sessions.get(session.id).phase.working
        await asyncio.sleep(0.05)
    return await work.sessions.cancel(session.id)


def test_the_fix_that_helped_is_put_up_for_review(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await cancelled(work, tmp_path, slow=3)  # the third is an experiment's
        assert session.phase is Phase.REVIEWING and session.verdict is None
        assert text(session.message).startswith("Cancelled.")
        review = session.iterations[-1].reviews[-1]
        assert review.final and review.open
        assert [edit.cell_id for edit in review.proposal.edits] == ["c0"]

    scene(body, modernizer(tmp_path))


@pytest.mark.thorough
def test_where_nothing_was_reached_there_is_nothing_to_review(tmp_path: Path) -> None:
    async def body(work: Modernizer) -> None:
        session = await cancelled(work, tmp_path, slow=2)
        assert session.phase is Phase.CANCELLED
        assert not any(review.final for review in session.all_reviews)
        assert [item.cut_off for item in session.iterations] == [False, True]

    scene(body, modernizer(tmp_path))
