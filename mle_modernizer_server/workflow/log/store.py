"""The event log in SQLite (WAL), and its notebooks.

Several servers of one user may share the file: an event is written under a number that must be
free, and a session is updated from the file's content, never from memory alone. While this process
works on a session, though, nobody else does: then a separate thread writes its events, and the
session in memory is the newest.
"""

from __future__ import annotations

import logging
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environment import EnvironmentTime
from mle_modernizer_server.domain.era import KeptRun
from mle_modernizer_server.domain.errors import ModernizerError, NotFound, StoreUnusable
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import (
    Notebook,
    ReplacedByFinish,
    RunOutputs,
    SavedOutputs,
    notebook_hash,
)
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import EVENT, Event, LogEntry
from mle_modernizer_server.workflow.log.exchanges import Exchanges
from mle_modernizer_server.workflow.log.state import SessionChanges, Tracked, fold, follow

_logger = logging.getLogger(__name__)

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
CREATE TABLE IF NOT EXISTS saved_outputs (
    session TEXT PRIMARY KEY,
    outputs TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS run_outputs (
    session TEXT NOT NULL,
    run INTEGER NOT NULL,
    outputs TEXT NOT NULL,
    PRIMARY KEY (session, run)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept_runs (
    session TEXT NOT NULL,
    time TEXT NOT NULL,
    run TEXT NOT NULL,
    PRIMARY KEY (session, time)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS replaced_by_finish (
    session TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    kept_at TEXT NOT NULL,
    state TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (
    session TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    facts TEXT NOT NULL
) WITHOUT ROWID;
"""
_KIND = """
ALTER TABLE events ADD COLUMN kind TEXT
GENERATED ALWAYS AS (CASE WHEN json_valid(event) THEN json_extract(event, '$.kind') END) VIRTUAL;
CREATE INDEX events_by_kind ON events (kind, session, seq);
"""
"""Computed from the event, so it can never be out of step with it."""
_OF_A_SESSION = (
    *("events", "notebooks", "saved_outputs", "run_outputs", "kept_runs"),
    *("replaced_by_finish", "facts", "sessions"),
)
"""The tables that have rows of sessions."""
_MOST_REPLACED = 20
"""Notebooks, the newest, whose content before finishing is stored."""
_LAYOUT = 2
"""Version of the tables, stored in `PRAGMA user_version`."""
_EMPTY_STEPS = """
CASE WHEN kind IS 'progressed' THEN json_extract(event, '$.usage') IS NULL
AND NOT coalesce(json_extract(event, '$.waiting'), 0) ELSE 0 END
"""
"""Steps of work that nothing is left of once it is over. An event that cannot be read is none."""
_UNFINISHED = """
SELECT session FROM events WHERE kind IN (:begun, :ended) GROUP BY session
HAVING max(CASE kind WHEN :begun THEN seq END)
    > coalesce(max(CASE kind WHEN :ended THEN seq END), 0)
"""
_IN_MEMORY = 32
"""Cached sessions, the latest used, in addition to those this process works on."""
_RESERVED = 5_000_000
"""Bytes of a file that keeps room on the disk: more than SQLite's log has before it is moved into
the database (1,000 pages)."""
_STEP = 256
"""Events that are deleted at a time when the disk is full."""
_INSERT = "INSERT INTO events (session, seq, at, event) VALUES (?, ?, ?, ?)"

_Kept = TypeVar("_Kept", bound=Value)
Check = Callable[[Session], None]
"""Inspects a session, and raises if it does not allow the event."""


class Store:
    """Append-only logs of all sessions.

    To be used on one thread; reading that takes long belongs on another store of the same file.

    Args:
        database: SQLite file; None keeps everything in memory.

    Raises:
        StoreUnusable: The file cannot be opened or was written by a newer version.
    """

    def __init__(self, database: Path | None) -> None:
        self.database = database
        self._tracked: dict[str, Tracked] = {}
        self._own: set[str] = set()
        """Sessions this process works on."""
        self._open = True
        where = ":memory:" if database is None else str(database)
        try:
            if database is not None:
                database.parent.mkdir(parents=True, exist_ok=True)
            self._connection = _connected(where)
            (layout,) = self._connection.execute("PRAGMA user_version").fetchone()
            if layout > _LAYOUT:
                raise StoreUnusable(coded("store.newer", where=where))
            self._connection.executescript(_TABLES)
            if layout < _LAYOUT:
                self._update()
            self.exchanges = Exchanges(self._connection)
        except (OSError, sqlite3.Error) as error:
            raise StoreUnusable(coded("store.unusable", where=where, error=str(error))) from error
        self._writer = None if database is None else _Writer(where)
        self._reserve = None if database is None else _Reserve(database)
        if self._reserve is not None:
            self._reserve.fill()

    def close(self) -> None:
        """Write pending events, and close the database."""
        if not self._open:
            return
        self._open = False
        if self._writer is not None:
            self._writer.close()
        self._connection.close()

    def create(self, event: events.Created, notebook: Notebook) -> Session:
        """Begin a session with the notebook of `event.notebook_hash`."""
        session_id = uuid4().hex
        entry = LogEntry(seq=1, at=_now(), event=event)
        with self._transaction() as db:
            _keep(db, session_id, notebook)
            db.execute(
                "INSERT INTO sessions VALUES (?, ?, ?)",
                (session_id, event.path, entry.at.isoformat()),
            )
            _write(db, session_id, entry)
        return self._remember(session_id, fold(session_id, [entry])).session

    def append(
        self,
        session_id: str,
        event: Event,
        notebook: Notebook | None = None,
        check: Check | None = None,
    ) -> Session:
        """Append an event (and its notebook); return the session after it.

        Steps of this process's own work are written a moment later, by another thread.

        Args:
            check: Rejects the event by raising; nobody writes between the check and the event.

        Raises:
            NotFound: No such session.
            StoreUnusable: The file is not writable, or was not for an earlier step; or the
                store was closed.
        """
        if not self._open:
            raise _closed()
        if (
            self._writer is not None
            and session_id in self._own
            and not isinstance(event, events.Rested | events.Decided)
        ):
            entry, after = self._next(session_id, event, check)
            self._writer.put(session_id, entry, notebook)
        else:
            with self._transaction() as db:
                entry, after = self._next(session_id, event, check)
                if notebook is not None:
                    _keep(db, session_id, notebook)
                _write(db, session_id, entry)
        if isinstance(event, events.WorkStarted):
            self._own.add(session_id)
        elif isinstance(event, events.Rested):
            self._own.discard(session_id)
        return self._remember(session_id, after).session

    def _next(self, session_id: str, event: Event, check: Check | None) -> tuple[LogEntry, Tracked]:
        """Return the next entry of a session's log, and the session after it; write nothing."""
        tracked = self._current(session_id)
        if check is not None:
            check(tracked.session)
        entry = LogEntry(seq=tracked.session.seq + 1, at=_now(), event=event)
        return entry, follow(tracked, entry)

    def get(self, session_id: str) -> Session:
        """Return the session as of the last event.

        Raises:
            NotFound: No such session.
        """
        return self._current(session_id).session

    def changes(self, session_id: str, since: int) -> SessionChanges:
        """Return the changes of a session after event `since`.

        Raises:
            NotFound: No such session.
        """
        return self._current(session_id).since(since)

    def entries(self, session_id: str, since: int) -> list[LogEntry]:
        """Return the log after event `since`, in order."""
        self.flush()
        return self._entries(session_id, since)

    def places(
        self, path: str | None = None, before: int | None = None, most: int | None = None
    ) -> list[tuple[int, str]]:
        """Place in the file and id of the sessions (of one notebook), newest first.

        Args:
            path: Of the notebook; None: of all.
            before: Only those older than the one at this place.
            most: Only so many.
        """
        return self._db.execute(
            "SELECT rowid, session FROM sessions WHERE (:path IS NULL OR path = :path)"
            " AND (:before IS NULL OR rowid < :before) ORDER BY rowid DESC LIMIT :most",
            {"path": path, "before": before, "most": -1 if most is None else most},
        ).fetchall()

    def count(self, path: str | None = None) -> int:
        """Return the number of sessions (of one notebook)."""
        (found,) = self._db.execute(
            "SELECT COUNT(*) FROM sessions WHERE (:path IS NULL OR path = :path)", {"path": path}
        ).fetchone()
        return int(found)

    def each_session(self, path: str | None = None) -> Iterator[Session]:
        """Yield the readable sessions (of one notebook), newest first; keep none in memory."""
        return self.readable(self.places(path))

    def readable(self, places: Iterable[tuple[int, str]]) -> Iterator[Session]:
        """Yield the readable sessions.

        Args:
            places: As `places` returns them.
        """
        for _, session_id in places:
            try:
                session = None if session_id in self._own else self.read_back(session_id)
                if session is None or session.phase.working:
                    session = self.get(session_id)
            except (ModernizerError, ValueError, TypeError) as error:
                _logger.warning("Session %s cannot be read: %s", session_id, error)
            else:
                yield session

    def unfinished(self) -> list[str]:
        """Return the ids of the sessions whose work, or kernel's wait, has no end in the log."""
        found: dict[str, None] = {}
        for begun, ended in (("work-started", "rested"), ("wait-began", "wait-ended")):
            rows = self._db.execute(_UNFINISHED, {"begun": begun, "ended": ended})
            found.update(dict.fromkeys(session_id for (session_id,) in rows))
        return list(found)

    def ends(self, prefix: str = "") -> list[tuple[str, int]]:
        """Id and last event of the sessions whose path begins so, newest first."""
        return self._db.execute(
            "SELECT session, (SELECT MAX(seq) FROM events WHERE events.session = sessions.session)"
            " FROM sessions WHERE substr(path, 1, length(?)) = ? ORDER BY rowid DESC",
            (prefix, prefix),
        ).fetchall()

    def read_back(self, session_id: str) -> Session:
        """Return the session as of the last event, without the steps of its work (most events).

        For reading many: it is not cached.

        Raises:
            NotFound: No such session.
        """
        rows = self._db.execute(
            f"SELECT at, event FROM events WHERE session = ? AND NOT ({_EMPTY_STEPS}) ORDER BY seq",
            (session_id,),
        ).fetchall()
        if not rows:
            raise NotFound(coded("session.missing", session_id=session_id))
        entries = _read((seq, at, event) for seq, (at, event) in enumerate(rows, start=1))
        (last,) = self._db.execute(
            "SELECT MAX(seq) FROM events WHERE session = ?", (session_id,)
        ).fetchone()
        return fold(session_id, entries).session.model_copy(update={"seq": last})

    def kept_facts(self, version: int, session_id: str, seq: int) -> str | None:
        """Return the cached facts of a session for exactly this last event, or None."""
        row = self._db.execute(
            "SELECT facts FROM facts WHERE session = ? AND seq = ? AND version = ?",
            (session_id, seq, version),
        ).fetchone()
        return None if row is None else str(row[0])

    def keep_facts(self, version: int, facts: Sequence[tuple[str, int, str]]) -> None:
        """Cache facts of sessions: id, last event, text."""
        with self._transaction() as db:
            db.executemany(
                "INSERT OR REPLACE INTO facts SELECT ?, ?, ?, ? "
                "WHERE EXISTS (SELECT 1 FROM sessions WHERE session = ?)",
                [(name, seq, version, text, name) for name, seq, text in facts],
            )

    def notebook(self, session_id: str, digest: str) -> Notebook:
        """Return a notebook of the session by its hash.

        Raises:
            NotFound: The session has none of that hash.
        """
        self.flush()
        query = "SELECT notebook FROM notebooks WHERE session = ? AND hash = ?"
        found = self._stored(Notebook, query, session_id, digest)
        if found is None:
            raise NotFound(coded("session.no-notebook", session_id=session_id, digest=digest))
        return found

    def keep_notebook(self, session_id: str, notebook: Notebook) -> None:
        """Keep a notebook of a session under its hash."""
        with self._transaction() as db:
            _keep(db, session_id, notebook)

    def keep_saved_outputs(self, session_id: str, saved: SavedOutputs) -> None:
        """Keep the outputs that the notebook's file had when the session began."""
        with self._transaction() as db:
            values = (session_id, saved.model_dump_json())
            db.execute("INSERT OR REPLACE INTO saved_outputs VALUES (?, ?)", values)

    def saved_outputs(self, session_id: str) -> SavedOutputs:
        """Return the outputs in the notebook's file; empty if it had none."""
        query = "SELECT outputs FROM saved_outputs WHERE session = ?"
        return self._stored(SavedOutputs, query, session_id) or SavedOutputs()

    def keep_run_outputs(
        self, session_id: str, run: int, outputs: RunOutputs, needed: Collection[int]
    ) -> None:
        """Store the outputs of a run.

        Args:
            run: Number of the run.
            needed: Runs whose outputs remain; those of all others are deleted.
        """
        with self._transaction() as db:
            values = (session_id, run, outputs.model_dump_json())
            db.execute("INSERT OR REPLACE INTO run_outputs VALUES (?, ?, ?)", values)
            kept = db.execute("SELECT run FROM run_outputs WHERE session = ?", (session_id,))
            old = [(session_id, number) for (number,) in kept.fetchall() if number not in needed]
            db.executemany("DELETE FROM run_outputs WHERE session = ? AND run = ?", old)

    def run_outputs(self, session_id: str, run: int) -> RunOutputs | None:
        """Return the outputs of a run; None if they are not stored."""
        query = "SELECT outputs FROM run_outputs WHERE session = ? AND run = ?"
        return self._stored(RunOutputs, query, session_id, run)

    def keep_run(self, session_id: str, time: EnvironmentTime, run: KeptRun) -> None:
        """Store a run with the libraries of a time; replace an earlier one."""
        with self._transaction() as db:
            values = (session_id, time.value, run.model_dump_json())
            db.execute("INSERT OR REPLACE INTO kept_runs VALUES (?, ?, ?)", values)

    def kept_run(self, session_id: str, time: EnvironmentTime) -> KeptRun | None:
        """Return the latest stored run with the libraries of a time; None if absent."""
        query = "SELECT run FROM kept_runs WHERE session = ? AND time = ?"
        return self._stored(KeptRun, query, session_id, time.value)

    def keep_replaced(self, session_id: str, path: str, replaced: ReplacedByFinish) -> None:
        """Store the content that finishing replaced: the newest per notebook, of few notebooks.

        Args:
            session_id: The session it was finished in.
            path: Path of the notebook.
            replaced: The previous content.
        """
        with self._transaction() as db:
            db.execute("DELETE FROM replaced_by_finish WHERE path = ?", (path,))
            values = (session_id, path, _now().isoformat(), replaced.model_dump_json())
            db.execute("INSERT OR REPLACE INTO replaced_by_finish VALUES (?, ?, ?, ?)", values)
            db.execute(
                "DELETE FROM replaced_by_finish WHERE session NOT IN "
                "(SELECT session FROM replaced_by_finish ORDER BY kept_at DESC LIMIT ?)",
                (_MOST_REPLACED,),
            )

    def replaced(self, session_id: str) -> ReplacedByFinish | None:
        """Return the content that finishing in this session replaced; None if not stored."""
        query = "SELECT state FROM replaced_by_finish WHERE session = ?"
        return self._stored(ReplacedByFinish, query, session_id)

    def _stored(self, kind: type[_Kept], query: str, *key: str | int) -> _Kept | None:
        """Return the value in the first column of a query's only row; None without a row."""
        row = self._db.execute(query, key).fetchone()
        return None if row is None else kind.model_validate_json(row[0])

    def delete(self, session_id: str) -> None:
        """Forget a session and all that belongs to it.

        Raises:
            NotFound: There is no such session.
        """
        self.get(session_id)
        try:
            self._forget(session_id)
        except StoreUnusable:
            if self._reserve is None:
                raise
            self._reserve.release()
            try:
                self._forget_in_steps(session_id)
            finally:
                self._reserve.fill()
        self._tracked.pop(session_id, None)

    def _forget(self, session_id: str) -> None:
        """Delete all rows of a session, all or nothing."""
        with self._transaction() as db:
            for table in _OF_A_SESSION:
                db.execute(f"DELETE FROM {table} WHERE session = ?", (session_id,))
            self.exchanges.forget(session_id)

    def _forget_in_steps(self, session_id: str) -> None:
        """Delete a session with little room on the disk: each step reuses the room of the last one.

        Delete its last events first: after an interruption an earlier state of the session remains.
        Deleted data is not overwritten, which would need as much room again.
        """
        self._db.execute("PRAGMA secure_delete=FAST")
        self._reuse_log()
        for table in ("run_outputs", "saved_outputs", "kept_runs"):
            with self._transaction() as db:
                db.execute(f"DELETE FROM {table} WHERE session = ?", (session_id,))
        step, last = _STEP, self.get(session_id).seq
        while last > 1:
            try:
                with self._transaction() as db:
                    first = max(2, last - step + 1)
                    db.execute(
                        "DELETE FROM events WHERE session = ? AND seq >= ?", (session_id, first)
                    )
            except StoreUnusable:
                if step == 1:
                    raise
                step //= 2
            else:
                last = first - 1
            self._reuse_log()
        self._forget(session_id)
        self._reuse_log()

    def _reuse_log(self) -> None:
        """Move SQLite's log into the database, if the room lasts for it: its file is used again."""
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        if self.database is None or pages * size > self.database.stat().st_size + _RESERVED:
            return
        try:
            self._db.execute("PRAGMA wal_checkpoint(RESTART)")
        except sqlite3.Error as error:
            _logger.warning("The log of %s was not moved: %s", self.database.name, error)

    @property
    def _db(self) -> sqlite3.Connection:
        """Return the connection.

        Raises:
            StoreUnusable: It was closed: the server shuts down.
        """
        if not self._open:
            raise _closed()
        return self._connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Write, all or nothing, after all pending events.

        Raises:
            StoreUnusable: The file is not writable.
        """
        db = self._db
        self.flush()
        try:
            with db:
                db.execute("BEGIN IMMEDIATE")
                yield db
        except sqlite3.Error as error:
            raise StoreUnusable(coded("store.not-writable", error=str(error))) from error

    def flush(self) -> None:
        """Wait until all is written that was put off.

        Raises:
            StoreUnusable: Something could not be, or the store was closed.
        """
        if not self._open:
            raise _closed()
        if self._writer is not None and self._own:
            try:
                self._writer.flush()
            except StoreUnusable:
                self._own.clear()
                self._tracked.clear()  # memory and file differ
                raise

    def _current(self, session_id: str) -> Tracked:
        """Return the session as of the last event in the file, or of this process's own work.

        Raises:
            NotFound: No such session.
        """
        tracked = self._tracked.get(session_id)
        if self._writer is not None and session_id in self._own and tracked is not None:
            if session_id not in self._writer.renumbered:
                return tracked
            self.flush()  # somebody else has written, too
            self._writer.renumbered.discard(session_id)
            tracked = None
        entries = self._entries(session_id, 0 if tracked is None else tracked.session.seq)
        if tracked is None:
            if not entries:
                raise NotFound(coded("session.missing", session_id=session_id))
            tracked = fold(session_id, entries)
        else:
            for entry in entries:
                tracked = follow(tracked, entry)
        return self._remember(session_id, tracked)

    def _remember(self, session_id: str, tracked: Tracked) -> Tracked:
        """Cache a session, and evict the least recently used one."""
        self._tracked.pop(session_id, None)
        self._tracked[session_id] = tracked
        if len(self._tracked) > _IN_MEMORY + len(self._own):
            del self._tracked[next(name for name in self._tracked if name not in self._own)]
        return tracked

    def _entries(self, session_id: str, since: int) -> list[LogEntry]:
        query = "SELECT seq, at, event FROM events WHERE session = ? AND seq > ? ORDER BY seq"
        return _read(self._db.execute(query, (session_id, since)))

    def _update(self) -> None:
        """Bring the tables of an older version up to date."""
        with self._connection as db:
            db.execute("BEGIN IMMEDIATE")
            columns = {row[1] for row in db.execute("PRAGMA table_xinfo(events)")}
            if "kind" not in columns:  # another server may have been faster
                for statement in _KIND.strip().split(";")[:-1]:
                    db.execute(statement)
            db.execute(f"PRAGMA user_version={_LAYOUT}")


class _Reserve:
    """Room on the disk next to a database; several servers may share it."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-reserve")

    def fill(self) -> None:
        """Reserve the room, if there is any, with incompressible data."""
        try:
            if self._path.exists() and self._path.stat().st_size >= _RESERVED:
                return
            self._path.write_bytes(os.urandom(_RESERVED))
        except OSError as error:
            _logger.info("No room is kept for deleting sessions: %s", error)
            self.release()

    def release(self) -> None:
        """Release the room, if it exists and is removable."""
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            _logger.info("The room for deleting sessions cannot be used: %s", error)


class _Writer:
    """Writes events in a thread of its own, in the order they come.

    Attributes:
        renumbered: Sessions that another process wrote to at the same time, so that events got
            other numbers than the session in memory has.
    """

    def __init__(self, where: str) -> None:
        self.renumbered: set[str] = set()
        self._where = where
        self._queue: queue.SimpleQueue[
            tuple[str, LogEntry, Notebook | None] | threading.Event | None
        ] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None

    def put(self, session_id: str, entry: LogEntry, notebook: Notebook | None) -> None:
        """Have an event written soon.

        Raises:
            StoreUnusable: An earlier one could not be.
        """
        self._raise()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="mle-events", daemon=True)
            self._thread.start()
        self._queue.put((session_id, entry, notebook))

    def flush(self) -> None:
        """Wait until all is written.

        Raises:
            StoreUnusable: Something could not be.
        """
        if self._thread is not None:
            done = threading.Event()
            self._queue.put(done)
            done.wait()
        self._raise()

    def close(self) -> None:
        """Write pending events, and end the thread."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _raise(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise StoreUnusable(coded("store.not-writable", error=str(error))) from error

    def _run(self) -> None:
        db = _connected(self._where)
        try:
            while (item := self._queue.get()) is not None:
                if isinstance(item, threading.Event):
                    item.set()
                    continue
                try:
                    self._write(db, *item)
                except (sqlite3.Error, ValueError) as error:
                    self._error = error
        finally:
            db.close()

    def _write(
        self, db: sqlite3.Connection, session_id: str, entry: LogEntry, notebook: Notebook | None
    ) -> None:
        with db:
            db.execute("BEGIN IMMEDIATE")
            (last,) = db.execute(
                "SELECT MAX(seq) FROM events WHERE session = ?", (session_id,)
            ).fetchone()
            if last is None:
                return  # the session was deleted meanwhile
            if entry.seq != last + 1:
                self.renumbered.add(session_id)
                entry = entry.model_copy(update={"seq": last + 1})
            if notebook is not None:
                _keep(db, session_id, notebook)
            _write(db, session_id, entry)


def _connected(where: str) -> sqlite3.Connection:
    db = sqlite3.connect(where, isolation_level=None, timeout=10)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    return db


def _keep(db: sqlite3.Connection, session_id: str, notebook: Notebook) -> None:
    db.execute(
        "INSERT OR IGNORE INTO notebooks VALUES (?, ?, ?)",
        (session_id, notebook_hash(notebook), notebook.model_dump_json()),
    )


def _write(db: sqlite3.Connection, session_id: str, entry: LogEntry) -> None:
    text = EVENT.dump_json(entry.event, round_trip=True).decode()  # no computed fields
    db.execute(_INSERT, (session_id, entry.seq, entry.at.isoformat(), text))


def _read(rows: Iterable[tuple[int, str, str]]) -> list[LogEntry]:
    """Return the entries of rows: number, time and event."""
    return [
        LogEntry(seq=seq, at=datetime.fromisoformat(at), event=EVENT.validate_json(event))
        for seq, at, event in rows
    ]


def _closed() -> StoreUnusable:
    return StoreUnusable(coded("store.closing"))


def _now() -> datetime:
    return datetime.now(timezone.utc)
