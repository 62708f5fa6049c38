"""The experiment on silent changes as the work of a session."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import BadSetting, ModernizerError
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.execution.documents import check_runnable
from mle_modernizer_server.workflow.era import date
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.run_once import Cancelled
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.study.differential_run import ProbeSettings, probe


def start_comparison(
    modernizer: Modernizer,
    session_id: str,
    notebook: Notebook,
    *,
    traces: Traces,
    old_python: str,
    rule: str | None,
) -> Session:
    """Compare a notebook's silent changes with the old libraries of that name; answers at once.

    What the session is about (its phase, its verdict, an open review) is afterwards as before.

    Args:
        modernizer: Owns the work.
        session_id: The session.
        notebook: As it is in the document.
        traces: What its file tells of its era, beside the sources.
        old_python: Name of the old libraries in the server's configuration.
        rule: Id of the one change to try; None tries all.

    Raises:
        BadNotebook: It cannot be run.
        BadSetting: There are no old libraries of that name.
        Conflict: Work is going on.
        NotFound: No such session.
    """
    before = modernizer.works.at_rest(session_id)
    check_runnable(notebook)
    pythons = modernizer.rooms.old_pythons
    if old_python not in pythons:
        known = ", ".join(pythons) or "none"
        raise BadSetting(f"The server knows no old libraries {old_python!r}; it knows {known}.")

    settings = before.settings
    probing = ProbeSettings(
        old_python=pythons[old_python],
        sandbox=settings.sandbox,
        competition=settings.competition,
        rule=rule,
        era=settings.era,
    )

    async def compare(cancel: asyncio.Event) -> None:
        await date(modernizer.journal, session_id, notebook)
        await _compare(modernizer, before, notebook, traces, probing, cancel)

    return modernizer.works.start(session_id, compare)


async def _compare(
    modernizer: Modernizer,
    before: Session,
    notebook: Notebook,
    traces: Traces,
    settings: ProbeSettings,
    cancel: asyncio.Event,
) -> None:
    journal = modernizer.journal

    def say(message: str) -> None:
        journal.write(before.id, events.Progressed(phase=Phase.PREPARING, message=message))

    message = before.message
    try:
        found = await probe(
            modernizer.rooms, notebook, settings, traces=traces, say=say, cancel=cancel
        )
        journal.write(before.id, events.Compared(probe=found))
    except Cancelled:
        message = f"The comparison was cancelled. {message}".strip()
    except ModernizerError as error:
        message = f"The comparison was not possible: {error.message}"
    journal.write(
        before.id, events.Rested(phase=before.phase, message=message, verdict=before.verdict)
    )
