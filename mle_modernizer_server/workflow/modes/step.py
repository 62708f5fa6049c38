"""Step mode: one run, and a proposal for what it showed; the user decides what comes next."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.workflow.fix.propose import Ask, propose
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.run.rehearse import propose_for_rehearsal
from mle_modernizer_server.workflow.run.resume import advance
from mle_modernizer_server.workflow.run.run_once import latest_diagnosis
from mle_modernizer_server.workflow.services import Rooms
from mle_modernizer_server.workflow.verdict.endings import (
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)


async def step(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    notebook: Notebook,
    cancel: asyncio.Event,
    *,
    fresh: bool = False,
) -> None:
    """Run a notebook and propose a fix, where one is due and the budget allows it.

    Where a rehearsal comes first and meets errors that can be mended, it ends with their fix.

    Args:
        journal: Where the session lives.
        rooms: The rooms of the house.
        session_id: Of the session.
        notebook: As it is now.
        cancel: Stops the work.
        fresh: Begin with the first cell, also where a run waits.

    Raises:
        Cancelled, ModernizerError: As `advance` and `propose`.
    """
    waits = journal.session(session_id).waiting is not None and not fresh
    if not waits and await propose_for_rehearsal(journal, rooms, session_id, notebook, cancel):
        return
    await advance(journal, rooms, session_id, notebook, cancel, fresh=fresh)
    session = journal.session(session_id)
    latest = session.iterations[-1]
    settings = session.settings
    rested = ending_without_need(latest, settings.competition)
    bound = settings.budget.spent(session.spending)
    if rested is None and bound is not None:
        rested = ending_without_budget((latest,), settings.competition, bound, settings.budget)
    if rested is not None:
        journal.write(session_id, rested)
        return
    ask = Ask(
        notebook=notebook,
        fix_type=latest_diagnosis(latest).fix_type or FixType.ERROR_REPAIR,
        scope=session.settings.scope,
        fixers=session.settings.fixers,
    )
    await propose_next(journal, rooms, session_id, ask, cancel)


async def propose_next(
    journal: Journal, rooms: Rooms, session_id: str, ask: Ask, cancel: asyncio.Event
) -> None:
    """Put a proposal for the latest iteration up for review, or say why there is none.

    Raises:
        Cancelled, ModernizerError: As `propose`.
    """
    session = journal.session(session_id)
    iteration = session.iterations[-1]
    answer = await propose(journal, rooms, session_id, iteration, ask, cancel)
    if isinstance(answer, Proposal):
        journal.write(session_id, events.Proposed(proposal=answer))
        summary = latest_diagnosis(iteration).summary
        journal.write(
            session_id,
            events.Rested(phase=Phase.REVIEWING, message=f"{summary} Review the fix proposed."),
        )
    else:
        journal.write(
            session_id, ending_without_fix((iteration,), session.settings.competition, answer)
        )
