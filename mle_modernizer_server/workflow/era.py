"""The era of a session's notebook, inferred once while its sources are unchanged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mle_modernizer_server import pools
from mle_modernizer_server.domain.era import Era, Traces
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.fixing.rules.era.era import combine, with_choice
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.work import Work, unless_cancelled

NO_TRACES = Traces()
"""For a notebook of which nothing but the sources is known."""


async def date(work: Work, notebook: Notebook) -> None:
    """Infer the era of a session's notebook and log it, unless that is done already.

    Raises:
        Cancelled: The user stopped the work.
    """
    session = work.session
    if session.era is None:
        question = pools.analysis.run(
            work.services.analysis.infer_era,
            notebook,
            session.evidence,
            seconds=session.settings.rules_seconds,
        )
        era = await unless_cancelled(work.cancel, question)
        work.write(events.Dated(era=era))


@asynccontextmanager
async def dating(work: Work, notebook: Notebook) -> AsyncIterator[None]:
    """Run `date` in the background; log its result when the context exits.

    Raises:
        ModernizerError: As `date`, when the context exits.
    """
    task = asyncio.create_task(date(work, notebook))
    try:
        yield
    except BaseException:
        await asyncio.gather(task, return_exceptions=True)
        raise
    await task


def era_of(session: Session) -> Era:
    """Return the era of a session, including the user's statement if any."""
    found = session.era or combine(session.evidence, ())
    return with_choice(found, session.settings.era)
