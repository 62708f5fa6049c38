"""Events to a session, and what has changed since one of them: pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.session import (
    Iteration,
    Phase,
    Session,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import LogEntry


@dataclass(frozen=True)
class Tracked:
    """A session with the events that changed it last.

    Attributes:
        session: As of its last event.
        fields: By name of a field, the number of the event that changed it last.
        iterations: The same for each of its iterations.
    """

    session: Session
    fields: Mapping[str, int]
    iterations: tuple[int, ...] = ()

    def since(self, seq: int) -> SessionChanges:
        """Return the changes after an event."""
        fields = {name for name, at in self.fields.items() if at > seq}
        return SessionChanges(
            session=self.session,
            fields=frozenset(fields - {"iterations"}),
            iterations=tuple(
                iteration
                for iteration, at in zip(self.session.iterations, self.iterations, strict=True)
                if at > seq
            ),
        )


@dataclass(frozen=True)
class SessionChanges:
    """Changes of a session.

    Attributes:
        session: Its current state.
        fields: Names of its changed fields, except the iterations.
        iterations: The changed or new ones.
    """

    session: Session
    fields: frozenset[str]
    iterations: tuple[Iteration, ...]


def fold(session_id: str, entries: Sequence[LogEntry]) -> Tracked:
    """Return the session of a whole log.

    Raises:
        ValueError: The log does not begin with `created`, or has a gap.
    """
    session = begin(session_id, entries[0])
    tracked = Tracked(session, dict.fromkeys(Session.model_fields, entries[0].seq))
    for entry in entries[1:]:
        tracked = follow(tracked, entry)
    return tracked


def follow(tracked: Tracked, entry: LogEntry) -> Tracked:
    """Return the session after one more event.

    Raises:
        ValueError: The event is not the next one.
    """
    before, after = tracked.session, entry.after(tracked.session)
    changed = {
        name: entry.seq
        for name in Session.model_fields
        if getattr(after, name) is not getattr(before, name)
    }
    stamps = tuple(
        tracked.iterations[place]
        if place < len(before.iterations) and iteration is before.iterations[place]
        else entry.seq
        for place, iteration in enumerate(after.iterations)
    )
    return Tracked(after, {**tracked.fields, **changed}, stamps)


def begin(session_id: str, entry: LogEntry) -> Session:
    """Return the session of its first event.

    Raises:
        ValueError: The log does not begin with `created`.
    """
    if not isinstance(entry.event, events.Created):
        raise ValueError(f"the log of session {session_id} begins with {entry.event.kind}")
    return Session(
        id=session_id,
        path=entry.event.path,
        created_at=entry.at,
        updated_at=entry.at,
        seq=entry.seq,
        phase=Phase.READY,
        settings=entry.event.settings,
        notebook_hash=entry.event.notebook_hash,
        evidence=entry.event.evidence,
        printed_scores=entry.event.printed_scores,
    )
