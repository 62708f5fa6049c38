"""After a crash: work that a server which is gone left unfinished is marked so."""

from __future__ import annotations

from collections.abc import Container

from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.owner import is_alive


def mark_interrupted(journal: Journal, at_work: Container[str]) -> None:
    """Put sessions to rest that nobody works on any more.

    Args:
        journal: Where sessions live.
        at_work: Ids of those this process works on.
    """
    for session in journal.store.sessions():
        _end_wait(journal, session)
        if not session.phase.working or session.id in at_work:
            continue
        owners = [
            entry.event.owner
            for entry in journal.store.entries(session.id, since=0)
            if isinstance(entry.event, events.WorkStarted)
        ]
        if not owners or not is_alive(owners[-1]):
            journal.write(
                session.id,
                events.Rested(
                    phase=Phase.INTERRUPTED,
                    message="The server went down in the middle of the work, and what it had "
                    "started is removed; run it again.",
                ),
            )


def _end_wait(journal: Journal, session: Session) -> None:
    """A kernel that waited ended with its server."""
    if session.waiting is None:
        return
    owners = [
        entry.event.owner
        for entry in journal.store.entries(session.id, since=0)
        if isinstance(entry.event, events.WaitBegan)
    ]
    if not is_alive(owners[-1]):
        reason = "The server went down while the kernel waited."
        journal.write(session.id, events.WaitEnded(reason=reason))
