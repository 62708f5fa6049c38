"""The journal of a run that goes on beside others of the same session."""

from __future__ import annotations

from datetime import datetime, timezone

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log import state as fold
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.log.events import Entry, Event
from mle_modernizer_server.workflow.modes.best import best


class Fork(Journal):
    """Keeps what happens in a run until the run has ended; then it goes into the log in one piece.

    A session's log knows one run at a time. Meanwhile the session's progress says how far it is.

    Args:
        journal: Where the session lives.
        session_id: The session.
        name: What the run is called in the progress.
    """

    def __init__(self, journal: Journal, session_id: str, name: str) -> None:
        super().__init__(journal.store, lambda session, event: None)
        self._journal = journal
        self._session = journal.session(session_id)
        self._name = name
        self._kept: list[tuple[Entry, Notebook | None]] = []

    def write(self, session_id: str, event: Event, notebook: Notebook | None = None) -> Session:
        """Keep an event; the session as it is for this run alone."""
        now = datetime.now(timezone.utc)
        entry = Entry(seq=self._session.seq + 1, at=now, event=event)
        self._session = fold.apply(self._session, entry)
        if isinstance(event, events.Progressed):
            shown = events.Progressed(phase=event.phase, message=f"{self._name}: {event.message}")
            self._journal.write(session_id, shown)
        else:
            self._kept.append((entry, notebook))
        return self._session

    def session(self, session_id: str) -> Session:
        """The session as it is for this run alone."""
        return self._session

    def join(self) -> None:
        """Write the run into the session's log."""
        for entry, notebook in self._kept:
            event = entry.event
            if isinstance(event, events.RunStarted):
                event = event.model_copy(update={"began": entry.at})
            elif isinstance(event, events.Diagnosed):
                event = event.model_copy(update={"best": self._best(event)})
            self._journal.write(self._session.id, event, notebook)
        if self._kept:
            # What follows is not about this run: it is over.
            self._journal.write(
                self._session.id,
                events.Progressed(phase=Phase.GRADING, message=f"{self._name}: done"),
            )
        self._kept.clear()

    def _best(self, event: events.Diagnosed) -> int:
        """Number of the best iteration, with those that joined before."""
        iterations = self._journal.session(self._session.id).iterations
        latest = iterations[-1].model_copy(
            update={"grade": event.grade, "diagnosis": event.diagnosis}
        )
        return best((*iterations[:-1], latest)).number
