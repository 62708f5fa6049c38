"""Two servers of one user on the same file, at the same moment; and a clock that is set back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from mle_modernizer_server.domain.errors import AlreadyAccepted, Conflict, ModernizerError
from mle_modernizer_server.domain.notebook import notebook_hash
from mle_modernizer_server.domain.session import Decision, EditState, Phase, Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log import store as store_module
from mle_modernizer_server.workflow.log.owner import this_process
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer
from mle_modernizer_server.workflow.work import Cancelled, Work
from tests import values
from tests.workflow.test_recovery import modernizer

ROUNDS = 12
_Answer = TypeVar("_Answer")
EDITS = (values.modification("c0", "x = 1", "x = 2"), values.modification("c1", "y = x", "y = 3"))
HASHES = {edit.id: edit.base_hash or "" for edit in EDITS}


def begun(store: Store) -> Session:
    notebook = values.notebook("x = 1", "y = x")
    digest = notebook_hash(notebook)
    created = events.Created(path="a.ipynb", notebook_hash=digest, settings=SessionSettings())
    return store.create(created, notebook)


def in_review(store: Store) -> Session:
    """A session whose fix of two cells waits for a decision."""
    session = begun(store)
    store.append(session.id, events.RunStarted(notebook_hash=session.notebook_hash, message="go"))
    store.append(session.id, events.Proposed(proposal=values.proposal(*EDITS)))
    return store.append(session.id, events.Rested(phase=Phase.REVIEWING, message="review"))


def at_the_same_time(
    folder: Path, *requests: Callable[[Modernizer], _Answer]
) -> list[_Answer | ModernizerError]:
    """Each request, asked of a server of its own on the same file; refusals as answers."""
    barrier = threading.Barrier(len(requests))

    def asked(request: Callable[[Modernizer], _Answer]) -> _Answer | ModernizerError:
        async def whole() -> _Answer | ModernizerError:
            work = modernizer(folder)
            barrier.wait(60)
            try:
                return request(work)
            except ModernizerError as error:
                return error
            finally:
                barrier.wait(60)  # none goes down before all have answered
                await work.close()

        return asyncio.run(whole())

    with ThreadPoolExecutor(len(requests)) as threads:
        return list(threads.map(asked, requests))


def accepting(session: Session, *edit_ids: str) -> Callable[[Modernizer], Session]:
    decisions = {name: Decision(state=EditState.ACCEPTED) for name in edit_ids}
    return lambda work: work.runs.decide(session.id, "p1", decisions, HASHES)


def test_of_two_who_accept_the_same_change_one_does(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")
    for _ in range(ROUNDS):
        session = in_review(store)
        answers = at_the_same_time(tmp_path, *[accepting(session, *HASHES)] * 2)
        refused = [answer for answer in answers if isinstance(answer, AlreadyAccepted)]
        accepted = [answer for answer in answers if isinstance(answer, Session)]
        assert (len(refused), len(accepted)) == (1, 1)
        kinds = [entry.event.kind for entry in store.entries(session.id, session.seq)]
        assert kinds == ["decided", "rested"]
        assert store.get(session.id) == accepted[0]
        assert store.get(session.id).phase is Phase.READY


def test_both_of_two_acceptances_count_and_the_review_ends_once(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "s.db")
    first, second = HASHES
    for _ in range(ROUNDS):
        session = in_review(store)
        answers = at_the_same_time(tmp_path, accepting(session, first), accepting(session, second))
        assert all(isinstance(answer, Session) for answer in answers)
        now = store.get(session.id)
        assert now.phase is Phase.READY
        review = now.iterations[0].reviews[0]
        assert {review.state(edit) for edit in EDITS} == {EditState.ACCEPTED}
        kinds = [entry.event.kind for entry in store.entries(session.id, session.seq)]
        assert kinds == ["decided", "decided", "rested"]


def test_of_two_servers_one_begins_the_work(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.db")

    async def job(work: Work) -> None:
        await work.cancel.wait()
        raise Cancelled

    for _ in range(ROUNDS):
        session = begun(store)

        def begin(work: Modernizer, session: Session = session) -> Session:
            return work.jobs.start(work.jobs.idle(session.id).id, job)

        answers = at_the_same_time(tmp_path, begin, begin)
        kinds = [entry.event.kind for entry in store.entries(session.id, session.seq)]
        assert kinds.count("work-started") == 1
        assert sum(isinstance(answer, Conflict) for answer in answers) == 1


def test_after_the_clock_is_set_back_the_order_and_the_sums_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 11, 1, 12, tzinfo=timezone.utc)
    monkeypatch.setattr(store_module, "_now", lambda: now)
    store = Store(tmp_path / "s.db")
    old = begun(store)
    store.append(old.id, events.WorkStarted(owner=this_process(), message="go"))
    now += timedelta(minutes=1)
    store.append(old.id, events.RunStarted(notebook_hash=old.notebook_hash, message="go"))
    now -= timedelta(days=30)  # the clock is set back in the middle of a run
    store.append(old.id, events.Progressed(phase=Phase.RUNNING, message="cell 1"))
    now += timedelta(minutes=2)
    rested = store.append(old.id, events.Rested(phase=Phase.FINISHED, message="done"))
    assert rested.worked_seconds == 180.0
    new = begun(store)
    assert new.created_at < old.created_at
    for reader in (store, Store(tmp_path / "s.db")):
        assert [one.id for one in reader.each_session("a.ipynb")] == [new.id, old.id]
        assert [name for name, _ in reader.ends()] == [new.id, old.id]
    assert text(Store(tmp_path / "s.db").get(old.id).message) == "done"


def test_a_server_is_alive_whatever_the_clock_was_set_to(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = this_process()
    assert owner.is_alive
    for back in (3600.0, -3600.0):
        started = psutil.Process.create_time
        with monkeypatch.context() as clock:
            clock.setattr(
                psutil.Process, "create_time", lambda self, by=back, at=started: at(self) - by
            )
            assert owner.is_alive
            assert this_process() == owner


def test_reused_process_number_is_another_process() -> None:
    owner = this_process()
    assert not owner.model_copy(update={"process_started": owner.process_started - 60}).is_alive
    assert not owner.model_copy(update={"boot": "another start of the machine"}).is_alive
