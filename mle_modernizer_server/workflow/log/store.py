"""The event log in SQLite (WAL), and the notebooks it speaks of.

Several servers of one user may share the file: an event is written under a number that must be
free, and a session is folded on from what lies in the file, never from memory alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from uuid import uuid4

from mle_modernizer_server.domain.errors import ModernizerError, NotFound
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.workflow.fix.exchanges import Exchanges
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log import state as fold
from mle_modernizer_server.workflow.log.events import EVENT, Event, LogEntry

_TABLES = """
CREATE TABLE IF NOT EXISTS events (
    session TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions (
    session TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS sessions_by_path ON sessions (path, created_at);
CREATE TABLE IF NOT EXISTS notebooks (
    session TEXT NOT NULL,
    hash TEXT NOT NULL,
    notebook TEXT NOT NULL,
    PRIMARY KEY (session, hash)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (
    session TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    facts TEXT NOT NULL
) WITHOUT ROWID;
"""
_LAYOUT = 1
"""Version of the tables, kept in `PRAGMA user_version`."""
_EMPTY_STEPS = """
event LIKE '{"kind":"progressed"%' AND json_extract(event, '$.usage') IS NULL
AND NOT coalesce(json_extract(event, '$.waiting'), 0)
"""
"""Steps of work that nothing is left of once it is over."""


class Store:
    """Append-only logs of all sessions.

    Args:
        database: SQLite file; None keeps everything in memory.

    Raises:
        ModernizerError: The file cannot be opened or was written by a newer version.
    """

    def __init__(self, database: Path | None) -> None:
        self.database = database
        self._sessions: dict[str, Session] = {}
        where = ":memory:" if database is None else str(database)
        try:
            if database is not None:
                database.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(where, isolation_level=None, timeout=10)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            (layout,) = self._db.execute("PRAGMA user_version").fetchone()
            if layout > _LAYOUT:
                raise ModernizerError(
                    f"{where} was written by a newer version of MLE Modernizer; update this one, "
                    "or set another database file."
                )
            self._db.executescript(_TABLES)
            self.exchanges = Exchanges(self._db)
            if layout != _LAYOUT:
                self._db.execute(f"PRAGMA user_version={_LAYOUT}")
        except (OSError, sqlite3.Error) as error:
            raise ModernizerError(
                f"The session database {where} cannot be used: {error}"
            ) from error

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def create(self, event: events.Created, notebook: Notebook) -> Session:
        """Begin a session; `notebook` is what `event.notebook_hash` names."""
        session_id = uuid4().hex
        entry = LogEntry(seq=1, at=_now(), event=event)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._keep(session_id, notebook)
            self._db.execute(
                "INSERT INTO sessions VALUES (?, ?, ?)",
                (session_id, event.path, entry.at.isoformat()),
            )
            self._write(session_id, entry)
        self._sessions[session_id] = fold.begin(session_id, entry)
        return self._sessions[session_id]

    def append(self, session_id: str, event: Event, notebook: Notebook | None = None) -> Session:
        """Write one more event (and the notebook it speaks of); the session after it.

        Raises:
            NotFound: There is no such session.
        """
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            session = self.get(session_id)
            entry = LogEntry(seq=session.seq + 1, at=_now(), event=event)
            after = fold.apply(session, entry)
            if notebook is not None:
                self._keep(session_id, notebook)
            self._write(session_id, entry)
        self._sessions[session_id] = after
        return after

    def get(self, session_id: str) -> Session:
        """The session as of the last event in the file.

        Raises:
            NotFound: There is no such session.
        """
        session = self._sessions.get(session_id)
        entries = self.entries(session_id, since=0 if session is None else session.seq)
        if session is None:
            if not entries:
                raise NotFound(f"There is no session {session_id}; it may have been deleted.")
            session, entries = fold.begin(session_id, entries[0]), entries[1:]
        for entry in entries:
            session = fold.apply(session, entry)
        self._sessions[session_id] = session
        return session

    def entries(self, session_id: str, since: int) -> list[LogEntry]:
        """The log after event `since`, in order."""
        rows = self._db.execute(
            "SELECT seq, at, event FROM events WHERE session = ? AND seq > ? ORDER BY seq",
            (session_id, since),
        )
        return [
            LogEntry(seq=seq, at=datetime.fromisoformat(at), event=EVENT.validate_json(event))
            for seq, at, event in rows
        ]

    def sessions(self, path: str | None = None) -> list[Session]:
        """All sessions (of one notebook), newest first."""
        where, values = ("", ()) if path is None else ("WHERE path = ?", (path,))
        rows = self._db.execute(
            f"SELECT session FROM sessions {where} ORDER BY created_at DESC", values
        ).fetchall()
        return [self.get(session_id) for (session_id,) in rows]

    def ends(self, prefix: str = "") -> list[tuple[str, int]]:
        """Id and last event of the sessions whose path begins so, newest first."""
        return self._db.execute(
            "SELECT session, (SELECT MAX(seq) FROM events WHERE events.session = sessions.session)"
            " FROM sessions WHERE substr(path, 1, length(?)) = ? ORDER BY created_at DESC",
            (prefix, prefix),
        ).fetchall()

    def read_back(self, session_id: str) -> Session:
        """The session as of the last event, without the steps of its work, which are most of it.

        For reading many: it is not kept in memory.

        Raises:
            NotFound: There is no such session.
        """
        rows = self._db.execute(
            f"SELECT seq, at, event FROM events WHERE session = ? AND NOT ({_EMPTY_STEPS})"
            " ORDER BY seq",
            (session_id,),
        ).fetchall()
        if not rows:
            raise NotFound(f"There is no session {session_id}; it may have been deleted.")
        entries = [
            LogEntry(seq=seq, at=datetime.fromisoformat(at), event=EVENT.validate_json(event))
            for seq, (_, at, event) in enumerate(rows, start=1)
        ]
        session = fold.begin(session_id, entries[0])
        for entry in entries[1:]:
            session = fold.apply(session, entry)
        (last,) = self._db.execute(
            "SELECT MAX(seq) FROM events WHERE session = ?", (session_id,)
        ).fetchone()
        return session.model_copy(update={"seq": last})

    def kept_facts(self, version: int, session_id: str, seq: int) -> str | None:
        """What was kept of a session for this very last event, or None."""
        row = self._db.execute(
            "SELECT facts FROM facts WHERE session = ? AND seq = ? AND version = ?",
            (session_id, seq, version),
        ).fetchone()
        return None if row is None else str(row[0])

    def keep_facts(self, version: int, facts: Sequence[tuple[str, int, str]]) -> None:
        """Keep what was made of sessions: id, last event, text."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR REPLACE INTO facts SELECT ?, ?, ?, ? "
                "WHERE EXISTS (SELECT 1 FROM sessions WHERE session = ?)",
                [(name, seq, version, text, name) for name, seq, text in facts],
            )

    def notebook(self, session_id: str, digest: str) -> Notebook:
        """A notebook of the session by its hash.

        Raises:
            NotFound: The session has none of that hash.
        """
        row = self._db.execute(
            "SELECT notebook FROM notebooks WHERE session = ? AND hash = ?", (session_id, digest)
        ).fetchone()
        if row is None:
            raise NotFound(f"Session {session_id} has no notebook {digest}.")
        return Notebook.model_validate_json(row[0])

    def keep_notebook(self, session_id: str, notebook: Notebook) -> None:
        """Keep a notebook of a session under its hash."""
        with self._db:
            self._keep(session_id, notebook)

    def delete(self, session_id: str) -> None:
        """Forget a session and all that belongs to it.

        Raises:
            NotFound: There is no such session.
        """
        self.get(session_id)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for table in ("events", "notebooks", "facts", "sessions"):
                self._db.execute(f"DELETE FROM {table} WHERE session = ?", (session_id,))
            self.exchanges.forget(session_id)
        del self._sessions[session_id]

    def _keep(self, session_id: str, notebook: Notebook) -> None:
        self._db.execute(
            "INSERT OR IGNORE INTO notebooks VALUES (?, ?, ?)",
            (session_id, notebook_hash(notebook), notebook.model_dump_json()),
        )

    def _write(self, session_id: str, entry: LogEntry) -> None:
        self._db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?)",
            (session_id, entry.seq, entry.at.isoformat(), EVENT.dump_json(entry.event).decode()),
        )


def _now() -> datetime:
    return datetime.now(timezone.utc)
