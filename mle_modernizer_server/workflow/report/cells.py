"""Names of a session's cells in reports and in the terminal."""

from __future__ import annotations

from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.words import CellNames
from mle_modernizer_server.workflow.log.store import Store


def cell_names(session: Session, store: Store, digest: str | None = None) -> CellNames:
    """Return the names of the cells, with the prompts that the file had at the beginning.

    Args:
        store: The log with its notebooks.
        digest: Hash of the version whose cells positions refer to; None means the latest run's.
    """
    current = session.current
    if digest is None:
        digest = session.notebook_hash if current is None else current.notebook_hash
    first = store.notebook(session.id, session.notebook_hash)
    version = first if digest == session.notebook_hash else store.notebook(session.id, digest)
    return CellNames(version, store.saved_outputs(session.id).prompts, (first,))
