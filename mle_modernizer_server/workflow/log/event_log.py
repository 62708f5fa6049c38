"""The event log: every event is stored first, then the listener is called with it."""

from __future__ import annotations

from collections.abc import Callable

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import Event
from mle_modernizer_server.workflow.log.store import Check, Store

Listener = Callable[[Session, Event], None]
"""Hears of an event after it is in the log, with the session as it is then."""


class EventLog:
    """Stores events and calls a listener with each."""

    def __init__(self, store: Store, listener: Listener) -> None:
        self.store = store
        self._listener = listener

    def begin(self, event: events.Created, notebook: Notebook) -> Session:
        """Begin a session."""
        session = self.store.create(event, notebook)
        self._listener(session, event)
        return session

    def write(
        self,
        session_id: str,
        event: Event,
        notebook: Notebook | None = None,
        check: Check | None = None,
    ) -> Session:
        """Append an event (and its notebook), unless `check` rejects it."""
        session = self.store.append(session_id, event, notebook, check)
        self._listener(session, event)
        return session

    def session(self, session_id: str) -> Session:
        """Return the current session."""
        return self.store.get(session_id)
