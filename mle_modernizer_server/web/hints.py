"""Event hints on Jupyter's bus: that a session changed, without its content."""

from __future__ import annotations

from jupyter_events import EventLogger

from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.web.messages import SessionHint
from mle_modernizer_server.workflow.service import Event, Listener, events

SCHEMA_ID = "urn:mle-modernizer:session:v1"
"""Made known by `extension.py`, from `session_event.yaml`."""


def listener(event_logger: EventLogger) -> Listener:
    """Emit a hint for every event of every session; must be called on the server's loop."""

    def emit(session: Session, event: Event) -> None:
        hint = SessionHint(
            session_id=session.id,
            seq=session.seq,
            phase=session.phase,
            cell_id=event.cell_id if isinstance(event, events.Progressed) else None,
        )
        event_logger.emit(schema_id=SCHEMA_ID, data=hint.model_dump(mode="json", exclude_none=True))

    return emit
