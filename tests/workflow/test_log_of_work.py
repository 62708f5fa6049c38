"""The log while a process works on a session: written by a thread, read as what changed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from mle_modernizer_server.domain.diagnosis import Diagnosis, Outcome
from mle_modernizer_server.domain.errors import StoreUnusable
from mle_modernizer_server.domain.execution import ExecutionStatus
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.session import Phase, Session
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.owner import Owner, this_process
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.history import all_facts
from mle_modernizer_server.workflow.work import mark_interrupted
from tests.refusals import refused
from tests.workflow.test_store import begun, run_started

DIAGNOSIS = Diagnosis(
    outcome=Outcome.FAILED,
    execution_status=ExecutionStatus.ERROR_FREE,
    output_status=OutputStatus.WITHOUT_CSV,
    findings=(),
    fix_type=None,
    summary="It ran.",
)
GONE = Owner(host=this_process().host, pid=2**22 - 1, process_started=1.0)


def working(store: Store, owner: Owner | None = None) -> Session:
    """A session this process works on, in its first run."""
    session = begun(store)
    store.append(session.id, events.WorkStarted(owner=owner or this_process(), message="go"))
    return run_started(store, session)


def stepped(store: Store, session: Session, number: int) -> Session:
    return store.append(
        session.id, events.Progressed(phase=Phase.RUNNING, message=f"cell {number}")
    )


def test_steps_reach_the_file_in_order_and_completely(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    session = working(store)
    for number in range(200):
        last = stepped(store, session, number)
    rested = store.append(session.id, events.Rested(phase=Phase.READY, message="over"))
    assert rested.seq == last.seq + 1 == 204
    other = Store(tmp_path / "s.db")
    assert other.get(session.id) == rested
    messages = [
        text(entry.event.message)
        for entry in other.entries(session.id, since=3)
        if isinstance(entry.event, events.Progressed)
    ]
    assert messages == [f"cell {number}" for number in range(200)]


def test_what_another_process_writes_meanwhile_is_kept_and_seen(tmp_path: Path) -> None:
    first, second = Store(tmp_path / "s.db"), Store(tmp_path / "s.db")
    session = working(first)
    stepped(first, session, 1)
    first.flush()
    second.append(session.id, events.Unrehearsed(reason="theirs"))
    stepped(first, session, 2)  # has the number that the other process took
    first.flush()
    after = stepped(first, session, 3)
    assert text(after.unrehearsed) == "theirs"
    first.append(session.id, events.Rested(phase=Phase.READY, message="over"))
    assert first.get(session.id) == Store(tmp_path / "s.db").get(session.id)
    kinds = [entry.event.kind for entry in second.entries(session.id, since=3)]
    assert kinds == ["progressed", "unrehearsed", "progressed", "progressed", "rested"]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    session = working(store)
    store.flush()
    with sqlite3.connect(tmp_path / "s.db") as db:
        db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT raise(FAIL, 'disk full'); END"
        )
    stepped(store, session, 1)
    with refused(StoreUnusable, match="disk full"):
        store.append(session.id, events.Rested(phase=Phase.READY, message="over"))
    with sqlite3.connect(tmp_path / "s.db") as db:
        db.execute("DROP TRIGGER full")
    assert store.append(session.id, events.Rested(phase=Phase.READY, message="over")).seq == 4


def test_a_closed_store_says_that_the_server_goes_down(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    session = working(store)
    stepped(store, session, 1)
    store.close()
    store.close()
    for use in (
        lambda: store.get(session.id + "x"),
        lambda: store.each_session(),
        lambda: stepped(store, session, 2),
        lambda: store.append(session.id, events.Rested(phase=Phase.READY, message="over")),
    ):
        with refused(StoreUnusable, match="shutting down"):
            use()
    assert Store(tmp_path / "s.db").get(session.id).seq == 4


def test_only_what_changed_is_answered() -> None:
    store = Store(None)
    session = working(store)
    store.append(
        session.id,
        events.Diagnosed(
            grade=Grade(output_status=OutputStatus.WITHOUT_CSV), diagnosis=DIAGNOSIS, best=1
        ),
    )
    second = run_started(store, session)
    known = second.seq
    stepped(store, session, 1)
    changes = store.changes(session.id, known)
    assert {"phase", "progress", "seq"} <= changes.fields
    assert not changes.fields & {"settings", "era", "best", "path", "iterations"}
    assert changes.iterations == ()
    assert [item.number for item in store.changes(session.id, 1).iterations] == [1, 2]
    assert [item.number for item in store.changes(session.id, known - 1).iterations] == [2]
    assert store.changes(session.id, changes.session.seq).fields == frozenset()


def test_an_iteration_that_the_end_of_work_cut_off_says_so() -> None:
    store = Store(None)
    session = working(store)
    cancelled = store.append(session.id, events.Rested(phase=Phase.CANCELLED, message="Cancelled."))
    assert [item.cut_off for item in cancelled.iterations] == [True]
    again = run_started(store, session)
    assert [item.cut_off for item in again.iterations] == [True, False]


def test_unreadable_session_hides_no_other_and_stops_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    broken, dead = working(store, GONE), working(store, GONE)
    store.close()
    with sqlite3.connect(tmp_path / "s.db") as db:
        db.execute(
            'UPDATE events SET event = \'{"kind": "unheard-of"\' WHERE session = ? AND seq = 3',
            (broken.id,),
        )
    again = Store(tmp_path / "s.db")
    assert set(again.unfinished()) == {broken.id, dead.id}
    mark_interrupted(again, ())
    assert [item.id for item in again.each_session()] == [dead.id]
    assert again.get(dead.id).phase is Phase.INTERRUPTED
    assert again.unfinished() == [broken.id]


def test_finished_session_with_an_unreadable_event_is_unlisted(
    tmp_path: Path,
) -> None:
    with closing(Store(tmp_path / "s.db")) as store:
        broken, whole = (working(store) for _ in range(2))
        for session in (broken, whole):
            store.append(session.id, events.Rested(phase=Phase.FINISHED, message="done"))
    with sqlite3.connect(tmp_path / "s.db") as db:
        db.execute(
            'UPDATE events SET event = \'{"kind": "unheard-of"\' WHERE session = ? AND seq = 3',
            (broken.id,),
        )
    with closing(Store(tmp_path / "s.db")) as store:
        assert [item.id for item in store.each_session()] == [whole.id]
        assert [facts.session for facts in all_facts(store)] == [whole.id]


def test_the_kind_of_an_event_is_a_column_also_in_an_older_file(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    with sqlite3.connect(file) as db:
        db.execute(
            "CREATE TABLE events (session TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL,"
            " event TEXT NOT NULL, PRIMARY KEY (session, seq)) WITHOUT ROWID"
        )
        event = {"kind": "work-started", "owner": GONE.model_dump(), "message": "go"}
        db.execute("INSERT INTO events VALUES ('old', 1, '2026-01-01', ?)", (json.dumps(event),))
        db.execute("PRAGMA user_version=1")
    assert Store(file).unfinished() == ["old"]
    Store(file).close()
    with sqlite3.connect(file) as db:
        assert db.execute("SELECT kind FROM events").fetchall() == [("work-started",)]
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
