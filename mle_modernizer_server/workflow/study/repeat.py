"""Clean runs that measure something and are no iterations of the session."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.session import Iteration, Phase, Session, Verdict
from mle_modernizer_server.domain.verification import RepeatedRun
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.run.run_once import Cancelled, iterate, latest_diagnosis
from mle_modernizer_server.workflow.services import Rooms


async def measure(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    notebook: Notebook,
    cancel: asyncio.Event,
    label: str,
) -> Iteration:
    """Run, grade and diagnose a notebook once, in a fresh kernel, apart from the iterations.

    It is an iteration of a session that is kept nowhere; the real one hears only how it goes on.

    Args:
        journal: Where sessions live.
        rooms: The rooms of the house.
        session_id: Whose settings hold.
        notebook: What to run.
        cancel: Ends the run.
        label: What the progress begins with: `Run 3 of 10`.

    Raises:
        Cancelled, ModernizerError: As `iterate`.
    """
    session = journal.session(session_id)

    def tell(_: Session, event: events.Event) -> None:
        if isinstance(event, events.Progressed):
            message = f"{label}: {event.message[:1].lower()}{event.message[1:]}"
            update = {"message": message, "label": label, "error": None}
            journal.write(session_id, event.model_copy(update=update))

    apart = Journal(Store(None), tell)
    try:
        created = events.Created(
            path=session.path,
            notebook_hash=notebook_hash(notebook),
            settings=session.settings,
            environment=session.environment,
        )
        made = apart.begin(created, notebook)
        await iterate(apart, rooms, made.id, notebook, cancel)
        return apart.session(made.id).iterations[-1]
    finally:
        apart.store.close()


def repeated(number: int, run: Iteration, *, reseeded: bool = False) -> RepeatedRun:
    """What is kept of a measuring run.

    Raises:
        ValueError: It was cut off.
    """
    diagnosis = latest_diagnosis(run)
    if run.grade is None or run.execution is None:
        raise ValueError("the run was cut off")
    missing = "" if run.grade.score is not None else run.grade.reason or diagnosis.summary
    return RepeatedRun(
        number=number,
        outcome=diagnosis.outcome,
        score=run.grade.score,
        within_threshold=run.grade.within_threshold,
        seconds=run.execution.seconds,
        reseeded=reseeded,
        reason=missing,
    )


def measured(session: Session) -> Iteration:
    """The iteration a session's measurements are about: its best one.

    Raises:
        Conflict: Nothing has run to its end yet.
    """
    if session.best is None:
        raise Conflict("Nothing has run to its end yet; run the notebook first.")
    return session.iterations[session.best - 1]


async def at_rest_after(
    journal: Journal,
    before: Session,
    work: Callable[[], Awaitable[str]],
    verdict: Callable[[Session], Verdict | None] = lambda session: session.verdict,
) -> None:
    """Measure, then put the session back to where it was: a measurement decides no fix.

    Args:
        journal: Where sessions live.
        before: The session as it was at rest.
        work: Measures, and gives the sentence to end with.
        verdict: The verdict to end with, of the session as the measurement left it but for its
            phase and verdict, which are those from before.

    Raises:
        ModernizerError: As `measure`. A cancel is no error: what was measured is kept.
    """
    try:
        message = await work()
    except Cancelled:
        message = "Cancelled; what was measured so far is kept."
    now = journal.session(before.id).model_copy(update={"verdict": before.verdict})
    phase = before.phase if before.iterations else Phase.FINISHED
    journal.write(before.id, events.Rested(phase=phase, message=message, verdict=verdict(now)))
