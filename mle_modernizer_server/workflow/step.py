"""Step mode: one run, and a proposal for what it showed; the user decides what comes next."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.workflow import events
from mle_modernizer_server.workflow.iterate import iterate, latest_diagnosis
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.propose import Ask, propose
from mle_modernizer_server.workflow.rooms import Rooms
from mle_modernizer_server.workflow.verdicts import (
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)


async def step(
    journal: Journal, rooms: Rooms, session_id: str, notebook: Notebook, cancel: asyncio.Event
) -> None:
    """Run a notebook and propose a fix, where one is due and the budget allows it.

    Raises:
        Cancelled, ModernizerError: As `iterate` and `propose`.
    """
    await iterate(journal, rooms, session_id, notebook, cancel)
    session = journal.session(session_id)
    latest = session.iterations[-1]
    rested = ending_without_need(latest)
    if rested is None and session.fixes >= session.settings.max_fixes:
        rested = ending_without_budget(latest, session.fixes)
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
    iteration = journal.session(session_id).iterations[-1]
    answer = await propose(journal, rooms, session_id, iteration, ask, cancel)
    if isinstance(answer, Proposal):
        journal.write(session_id, events.Proposed(proposal=answer))
        summary = latest_diagnosis(iteration).summary
        journal.write(
            session_id,
            events.Rested(phase=Phase.REVIEWING, message=f"{summary} Review the fix proposed."),
        )
    else:
        journal.write(session_id, ending_without_fix(iteration, answer))
