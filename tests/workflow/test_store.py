from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path
from typing import get_args

import pytest

from mle_modernizer_server.domain.diagnosis import ErrorDiagnosis, Outcome
from mle_modernizer_server.domain.errors import ModernizerError, NotFound
from mle_modernizer_server.domain.execution import ExecutionStatus
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import (
    CellAgreement,
    OutputAgreement,
    OutputMatch,
    ReplacedByFinish,
    notebook_hash,
)
from mle_modernizer_server.domain.session import (
    Decision,
    EditState,
    Phase,
    RehearsalRun,
    RunKind,
    Session,
    Verdict,
)
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import Rehearsal, Sample
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.owner import this_process
from mle_modernizer_server.workflow.log.state import _STORED, _changes
from mle_modernizer_server.workflow.log.store import Store
from tests import values
from tests.refusals import refused


def begun(store: Store, path: str = "a.ipynb") -> Session:
    notebook = values.notebook("x = 1", "y = x")
    created = events.Created(
        path=path, notebook_hash=notebook_hash(notebook), settings=SessionSettings()
    )
    return store.create(created, notebook)


def run_started(store: Store, session: Session) -> Session:
    return store.append(
        session.id, events.RunStarted(notebook_hash=session.notebook_hash, message="go")
    )


def test_another_process_reads_the_same_session_from_the_file(tmp_path: Path) -> None:
    first = Store(tmp_path / "s.db")
    session = begun(first)
    session = run_started(first, session)
    session = first.append(
        session.id,
        events.Progressed(phase=Phase.RUNNING, message="cell", cell_id="c1", ordinal=2, total=2),
    )
    second = Store(tmp_path / "s.db")
    assert second.get(session.id) == session
    assert second.get(session.id).progress is not None


def test_what_finishing_replaced_is_kept_of_the_newest_notebooks() -> None:
    store = Store(None)
    sessions = [begun(store, f"{number}.ipynb") for number in range(22)]
    replaced = ReplacedByFinish(finished_at=datetime.now(timezone.utc), cells=())
    for session in sessions:
        store.keep_replaced(session.id, session.path, replaced)
    kept = [session for session in sessions if store.replaced(session.id) == replaced]
    assert kept == sessions[2:]
    store.delete(sessions[-1].id)
    assert store.replaced(sessions[-1].id) is None


def test_what_is_computed_is_not_written_and_so_can_be_read(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    session = run_started(store, begun(store))
    agreement = OutputAgreement(
        cells=(CellAgreement(cell_id="c0", ordinal=1, match=OutputMatch.SAME),)
    )
    diagnosed = events.Diagnosed(
        grade=values.grade(0.5),
        diagnosis=values.diagnosis(Outcome.FAILED),
        best=1,
        agreement=agreement,
    )
    store.append(session.id, diagnosed)
    assert store.entries(session.id, since=0)[-1].event == diagnosed
    assert Store(tmp_path / "s.db").get(session.id).iterations[0].agreement == agreement


def test_cached_session_sees_writes_of_another_process(tmp_path: Path) -> None:
    first, second = Store(tmp_path / "s.db"), Store(tmp_path / "s.db")
    session = begun(first)
    second.append(session.id, events.Rested(phase=Phase.FINISHED, message="done"))
    assert text(first.get(session.id).message) == "done"
    after = first.append(session.id, events.Rested(phase=Phase.READY, message="again"))
    assert after.seq == 3
    assert second.get(session.id) == after


def test_log_has_no_gaps_and_is_readable_from_any_event() -> None:
    store = Store(None)
    session = begun(store)
    for number in range(5):
        store.append(session.id, events.Rested(phase=Phase.READY, message=str(number)))
    assert [entry.seq for entry in store.entries(session.id, since=0)] == [1, 2, 3, 4, 5, 6]
    assert [entry.seq for entry in store.entries(session.id, since=4)] == [5, 6]


def test_sessions_of_a_notebook_are_listed_newest_first() -> None:
    store = Store(None)
    old, other, new = begun(store), begun(store, "b.ipynb"), begun(store)
    assert [item.id for item in store.each_session("a.ipynb")] == [new.id, old.id]
    assert {item.id for item in store.each_session()} == {old.id, other.id, new.id}


def test_new_run_marks_undecided_edits_stale_only() -> None:
    store = Store(None)
    session = run_started(store, begun(store))
    edits = (values.modification("c0", "x = 1", "x = 2"), values.modification("c1", "y = x", "y"))
    store.append(session.id, events.Proposed(proposal=values.proposal(*edits)))
    store.append(
        session.id,
        events.Decided(proposal="p1", decisions={"edit-c0": Decision(state=EditState.REJECTED)}),
    )
    session = run_started(store, session)
    review = session.iterations[0].reviews[0]
    assert [review.state(edit) for edit in edits] == [EditState.REJECTED, EditState.STALE]


def test_work_clears_the_verdict_and_its_end_clears_the_progress() -> None:
    store = Store(None)
    session = begun(store)
    store.append(
        session.id, events.Rested(phase=Phase.FINISHED, message="ok", verdict=Verdict.REPRODUCED)
    )
    working = store.append(session.id, events.WorkStarted(owner=this_process(), message="again"))
    assert working.verdict is None and working.progress is not None and working.phase.working
    rested = store.append(session.id, events.Rested(phase=Phase.READY, message="over"))
    assert rested.progress is None and not rested.phase.working


def test_a_deleted_session_is_gone_with_its_notebooks(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    session, kept = begun(store), begun(store)
    store.delete(session.id)
    with pytest.raises(NotFound):
        store.get(session.id)
    with pytest.raises(NotFound):
        store.notebook(session.id, session.notebook_hash)
    assert store.notebook(kept.id, kept.notebook_hash) == values.notebook("x = 1", "y = x")


def test_only_the_sessions_asked_for_last_are_kept_in_memory(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    at_work = begun(store)
    store.append(at_work.id, events.WorkStarted(owner=this_process(), message="go"))
    many = [begun(store, f"{number}.ipynb") for number in range(200)]
    assert len(store._tracked) < 50
    for session in many:
        assert store.get(session.id) == session
    assert len(list(store.each_session())) == 201
    assert len(store._tracked) < 50
    working = store.append(at_work.id, events.Progressed(phase=Phase.RUNNING, message="cell"))
    assert working.phase is Phase.RUNNING
    assert [*store.each_session()][-1] == working == [*Store(tmp_path / "s.db").each_session()][-1]


def test_a_database_of_a_newer_version_is_refused_untouched(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version=99")
    with refused(ModernizerError, match="newer version"):
        Store(file)
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (99,)


def test_a_file_that_is_no_database_is_reported_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    file.write_text("this is not SQLite, it only has the name of it " * 50)
    with refused(ModernizerError, match=r"s\.db cannot be used"):
        Store(file)


def test_a_rehearsal_that_was_stored_with_an_outcome_still_loads(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    store = Store(file)
    session = begun(store)
    store.append(
        session.id,
        events.RunStarted(
            notebook_hash=session.notebook_hash, run=RunKind.REHEARSAL, message=coded("running")
        ),
    )
    diagnosis = ErrorDiagnosis(
        execution_status=ExecutionStatus.ERROR, findings=(), fix_type=None, summary=()
    )
    rehearsal = Rehearsal(rows=20, sample=Sample(), seconds_for_sample=0.1)
    store.append(session.id, events.Rehearsed(rehearsal=rehearsal, diagnosis=diagnosis))
    with closing(sqlite3.connect(file)) as db, db:
        ((seq, stored),) = db.execute("SELECT seq, event FROM events WHERE kind = 'rehearsed'")
        earlier = json.loads(stored)
        earlier["diagnosis"] |= {"outcome": "failed", "output_status": "without-csv"}
        db.execute("UPDATE events SET event = ? WHERE seq = ?", (json.dumps(earlier), seq))
    (iteration,) = Store(file).get(session.id).iterations
    assert isinstance(iteration, RehearsalRun)
    assert iteration.diagnosis == diagnosis and iteration.rehearsal == rehearsal


def test_a_grade_is_taken_of_no_rehearsal() -> None:
    store = Store(None)
    session = begun(store)
    rehearsal = events.RunStarted(
        notebook_hash=session.notebook_hash, run=RunKind.REHEARSAL, message=coded("running")
    )
    store.append(session.id, rehearsal)
    diagnosis = values.diagnosis(Outcome.FAILED)
    with pytest.raises(ValueError, match="on all data"):
        store.append(
            session.id, events.Diagnosed(grade=values.grade(0.5), diagnosis=diagnosis, best=1)
        )


def test_event_of_each_kind_has_its_changes_of_a_session() -> None:
    union, _ = get_args(events.Event)
    for kind in get_args(union):
        if kind in _STORED:
            source, target = _STORED[kind]
            assert source in kind.model_fields and target in Session.model_fields
        else:
            assert _changes.dispatch(kind) is not _changes.dispatch(object), kind
