"""Cell scope: a run stops at its first failing cell and goes on from there after the fix."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.origin import Origin
from mle_modernizer_server.domain.session import Iteration, RunKind, SessionSettings
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.run.environment import add_missing
from mle_modernizer_server.workflow.run.paused_runs import Held
from mle_modernizer_server.workflow.run.run_once import Manner, iterate, latest_diagnosis
from mle_modernizer_server.workflow.services import Rooms
from mle_modernizer_server.workflow.verdict.endings import ending_without_need

DECIDES = "A clean run decides."
"""What is said when the notebook has come to its end in a kernel that had waited."""


async def advance(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    notebook: Notebook,
    cancel: asyncio.Event,
    *,
    fresh: bool = False,
    origin: Origin | None = None,
) -> None:
    """Run a notebook as the session's next iteration, on from where a run waits if it can be.

    In file scope this is a clean run. In cell scope it stops at the first cell that fails, and
    its kernel waits. Where a run that was continued comes to the end without an error, a clean
    run of the whole notebook follows at once as an iteration of its own: it decides.

    Args:
        journal: Where the session lives.
        rooms: The rooms of the house.
        session_id: Of the session.
        notebook: As it is now.
        cancel: Stops the work.
        fresh: Begin with the first cell, also where a run waits.
        origin: The proposal that made the notebook, in auto mode.

    Raises:
        Cancelled, ModernizerError: As `iterate`.
    """
    settings = journal.session(session_id).settings
    if not stops(rooms, settings):
        await rooms.waiting.end(session_id, "The notebook runs from the start.")
        await iterate(journal, rooms, session_id, notebook, cancel, origin=origin)
        while await add_missing(journal, rooms, session_id, notebook, cancel):
            await iterate(journal, rooms, session_id, notebook, cancel, origin=origin)
        return
    waiting, reason = await _to_go_on(rooms, session_id, notebook, fresh=fresh)
    if waiting is None:
        manner = Manner(stop_at_error=True, message=reason)
        await iterate(journal, rooms, session_id, notebook, cancel, origin=origin, manner=manner)
        return
    manner = Manner(stop_at_error=True, waiting=waiting)
    await iterate(journal, rooms, session_id, notebook, cancel, RunKind.RESUMED, origin, manner)
    latest = journal.session(session_id).iterations[-1]
    if latest.execution is not None and latest.execution.ending is Ending.COMPLETED:
        manner = Manner(message=DECIDES)
        await iterate(journal, rooms, session_id, notebook, cancel, origin=origin, manner=manner)


async def settle(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    base: Iteration,
    rested: events.Rested,
    cancel: asyncio.Event,
) -> events.Rested:
    """At the end of auto mode: see to it that a clean run of the whole notebook has decided.

    Where the work ends at a cell that nobody can mend, the notebook is run to its end once.

    Args:
        journal: Where the session lives.
        rooms: The rooms of the house.
        session_id: Of the session.
        base: The iteration the work has come to.
        rested: How it would end.
        cancel: Stops the work.

    Returns:
        How it ends.

    Raises:
        Cancelled, ModernizerError: As `iterate`.
    """
    await rooms.waiting.end(session_id, "The notebook is run as a whole.")
    if base.whole:
        return rested
    notebook = journal.store.notebook(session_id, base.notebook_hash)
    manner = Manner(message=DECIDES)
    await iterate(journal, rooms, session_id, notebook, cancel, origin=base.origin, manner=manner)
    latest = journal.session(session_id).iterations[-1]
    settings = journal.session(session_id).settings
    needless = ending_without_need(latest, settings.competition)
    if needless is not None:
        return needless
    rest = rested.message.removeprefix(latest_diagnosis(base).summary)
    message = f"{latest_diagnosis(latest).summary}{rest}"
    return rested.model_copy(update={"message": message})


def stops(rooms: Rooms, settings: SessionSettings) -> bool:
    """Whether runs of these settings stop at the first cell that fails."""
    return settings.scope is FixScope.CELL and rooms.waiting.most > 0


def continues_no_more(before: SessionSettings, after: SessionSettings) -> bool:
    """Whether a run that waits cannot go on under changed settings."""
    return after.scope is not FixScope.CELL or any(
        getattr(before, name) != getattr(after, name)
        for name in ("competition", "sandbox", "time_limit", "environment")
    )


async def _to_go_on(
    rooms: Rooms, session_id: str, notebook: Notebook, *, fresh: bool
) -> tuple[Held | None, str]:
    """The run to go on with; or None, and why not where a run has waited."""
    if fresh:
        await rooms.waiting.end(session_id, "The notebook runs from the start.")
        return None, ""
    waiting = await rooms.waiting.take(session_id)
    if waiting is None:
        return None, ""
    reason = waiting.run.refusal(notebook)
    if not reason and not await waiting.run.answers():
        reason = "The kernel ended while it waited, so the notebook runs from the start."
    if not reason:
        return waiting, ""
    await waiting.run.end()
    return None, reason
