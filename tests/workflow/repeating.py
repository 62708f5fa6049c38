"""Notebooks whose score is known for every run, and the work on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mle_modernizer_server.domain.grade import ScoreKind, ScoreReading
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.workflow.service import Modernizer
from tests import values
from tests.workflow.test_recovery import modernizer


def scores_in_turn(folder: Path, scores: Sequence[float | str]) -> Notebook:
    """A notebook that returns the next of these scores in every run; a text is its last line."""
    log = folder / "runs.txt"
    last = [score if isinstance(score, str) else repr(score) for score in scores]
    return values.notebook(
        "from pathlib import Path\n"
        f"log = Path({str(log)!r})\n"
        "count = len(log.read_text()) if log.exists() else 0\n"
        "_ = log.write_text('x' * (count + 1))",
        f"eval({last!r}[min(count, {len(last) - 1})])",
    )


def printed(target: float | None, **more: Any) -> SessionSettings:
    """Settings for a score that a cell returns."""
    given: dict[str, Any] = {
        "target_score": target,
        "target_kind": ScoreKind.PRINTED,
        "score_reading": ScoreReading(),
        "sandbox": "process",
        **more,
    }
    return SessionSettings(**given)


def worked(
    folder: Path,
    notebook: Notebook,
    settings: SessionSettings,
    *starts: Callable[[Modernizer, str], Session],
    work: Modernizer | None = None,
    beside: Path | None = None,
) -> Session:
    """The session after one piece of work after the other, each waited for.

    Args:
        folder: Where the server keeps its own.
        notebook: What is run.
        settings: Of the session.
        starts: Begin a piece of work each.
        work: The server, where there is one already.
        beside: The notebook's folder; without one it has none.
    """

    async def scene() -> Session:
        at_work = work or modernizer(folder)
        session = at_work.sessions.create("old.ipynb", notebook, settings, folder=beside)
        for start in starts:
            start(at_work, session.id)
            session = await at_work.sessions.finished(session.id)
        await at_work.close()
        return session

    return asyncio.run(scene())
