"""Work on a session: its context, the jobs that run in the background, and recovery."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Coroutine
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from mle_modernizer_server import pools
from mle_modernizer_server.domain.errors import (
    Conflict,
    ModernizerError,
    NotFound,
    SandboxUnavailable,
    StoreUnusable,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.execution.sandboxes.slots import SlotQueue
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import Event
from mle_modernizer_server.workflow.log.owner import this_process
from mle_modernizer_server.workflow.log.store import Check, Store
from mle_modernizer_server.workflow.services import Services

_log = logging.getLogger(__name__)


class Cancelled(Exception):
    """The user stopped the work; this is no error.

    Attributes:
        message: Additional message for the user.
    """

    def __init__(self, message: Messages = ()) -> None:
        super().__init__(message)
        self.message = message


class Question(Cancelled):
    """The work needs an answer of the user first; the message asks for it."""


@dataclass(frozen=True)
class Work:
    """The context of all work on one session.

    Attributes:
        session_id: The session.
        services: Competitions, sandboxes, fixers and paused runs.
        log: The log of the session.
        cancel: Set when the user stops the work.
    """

    session_id: str
    services: Services
    log: Store
    cancel: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def session(self) -> Session:
        """Return the current session."""
        return self.log.get(self.session_id)

    @property
    def settings(self) -> SessionSettings:
        """Return the user's settings."""
        return self.session.settings

    @property
    def folder(self) -> Path | None:
        """Return the notebook's folder; None if unknown, or if it was unknown when the session was
        created: its user may have had no right to read it."""
        folder = self.services.notebook_folder(self.session.path)
        return folder if self.created.folder else None

    def write(
        self, event: Event, notebook: Notebook | None = None, check: Check | None = None
    ) -> Session:
        """Append an event (and the notebook it names) to the session's log.

        Args:
            check: Rejects the event by raising; nobody writes between the check and the event.
        """
        return self.log.append(self.session_id, event, notebook, check)

    def progress(self, phase: Phase, message: Messages) -> None:
        """Log a step of the work."""
        self.write(events.Progressed(phase=phase, message=message))

    def stage(
        self, proposal: Proposal, message: Messages, verdict: Verdict | None = None
    ) -> Session:
        """Put a proposal up for review: it is the user's turn."""
        self.write(events.Proposed(proposal=proposal))
        return self.write(events.Rested(phase=Phase.REVIEWING, message=message, verdict=verdict))

    @property
    def created(self) -> events.Created:
        """Return the first event of the session."""
        event = self.log.entries(self.session_id, 0)[0].event
        assert isinstance(event, events.Created)
        return event

    def notebook(self, digest: str) -> Notebook:
        """Return a notebook of the session by its hash.

        Raises:
            NotFound: The session has none of that hash.
        """
        return self.log.notebook(self.session_id, digest)

    def keep(self, notebook: Notebook) -> None:
        """Keep a notebook that events of the session name."""
        self.log.keep_notebook(self.session_id, notebook)

    async def end_pause(self, reason: Messages) -> None:
        """End the session's paused run, if there is one."""
        await self.services.paused.end(self.session_id, reason)


_AGAIN = 2.0
"""Seconds until an end that the log did not take is written again."""

Job = Callable[[Work], Awaitable[None]]
"""Work for a session; raises `Cancelled` when the work's `cancel` is set."""


@dataclass
class _Running:
    """The job of one session."""

    work: Work
    task: asyncio.Task[None] | None = None
    closing: bool = False
    """The server goes down: the end is an interruption, not the user's cancel."""


class JobRunner:
    """Runs the jobs of this process, one per session.

    Args:
        log: The log of the sessions.
        concurrent: Maximum number of queued jobs at once; the others wait for a place.
    """

    def __init__(self, services: Services, log: Store, concurrent: int) -> None:
        self._services = services
        self._log = log
        self._running: dict[str, _Running] = {}
        self._turns = SlotQueue(concurrent)
        self._with_place: list[Work] = []  # the longest at work first
        self._closing = False

    def recover(self) -> None:
        """Mark the unfinished work of an exited server."""
        mark_interrupted(self._log, self._running)

    def idle(self, session_id: str) -> Session:
        """Return the session if no job runs for it.

        Raises:
            Conflict: A job runs.
            NotFound: No such session.
        """
        session = self._log.get(session_id)
        self.check_idle(session)
        return session

    def check_idle(self, session: Session) -> None:
        """Check that no job runs for the session, here or in another server.

        Raises:
            Conflict: One does.
        """
        if session.id in self._running or session.phase.working:
            raise Conflict(coded("conflict.at-work"))

    def start(self, session_id: str, job: Job, *, queued: bool = True) -> Session:
        """Start a job for an idle session; returns at once.

        Args:
            job: Its work.
            queued: Whether it must wait for a place; False for a job that runs no notebook.

        Raises:
            Conflict: Another server was faster.
        """
        running = _Running(Work(session_id, self._services, self._log))
        session = running.work.write(
            events.WorkStarted(owner=this_process(), message=coded("progress.starting")),
            check=self.check_idle,
        )
        self._running[session_id] = running  # after the event: if it fails, no job
        running.task = asyncio.create_task(self._carry_out(running, job, queued))
        running.task.add_done_callback(lambda task: self._ended(running.work, task))
        return session

    async def cancel(self, session_id: str) -> None:
        """Stop a session's job and wait until it has stopped; do nothing if there is none."""
        running = self._running.get(session_id)
        if running is not None:
            running.work.cancel.set()
            await self.finished(session_id)

    async def finished(self, session_id: str) -> None:
        """Wait until no job runs for the session."""
        running = self._running.get(session_id)
        if running is not None and running.task is not None:
            await asyncio.wait({running.task})

    async def close(self) -> None:
        """Stop all jobs, marked as interrupted."""
        self._closing = True
        jobs = list(self._running.items())
        for _, running in jobs:
            running.closing = True
            running.work.cancel.set()
        for session_id, _ in jobs:
            await self.finished(session_id)

    async def _carry_out(self, running: _Running, job: Job, queued: bool) -> None:
        pools.wait_if_full()  # even if the request that started it must not wait
        work = running.work
        try:
            async with self._place(work) if queued else nullcontext():
                if work.cancel.is_set():
                    raise Cancelled
                await job(work)
        except Cancelled as error:
            if running.closing:
                _interrupt(work.log, work.session, coded("ended.server-shut-down"))
            elif isinstance(error, Question):
                _end(work, Phase.READY, error.message)
            elif _has_review(work.session):
                message = coded("run.cancelled") + error.message + coded("ended.review")
                _end(work, Phase.REVIEWING, message)
            else:
                _end(work, Phase.CANCELLED, coded("ended.cancelled") + error.message)
        except SandboxUnavailable as error:
            _end(work, Phase.FAILED, error.message, Verdict.CANNOT_RUN)
        except ModernizerError as error:
            if _has_review(work.session):
                _end(work, Phase.REVIEWING, error.message + coded("ended.review"))
            else:
                _end(work, Phase.FAILED, error.message)

    @asynccontextmanager
    async def _place(self, work: Work) -> AsyncIterator[None]:
        """Hold a place in the queue; wait for it first, and say for whom.

        Raises:
            Cancelled: `cancel` was set before there was a place.
        """
        turn = self._turns.turn(
            waiting=lambda before: _say_waiting(work, before, self._with_place[0].session.path),
            cancel=work.cancel,
        )
        async with turn as given:
            if not given:
                raise Cancelled
            self._with_place.append(work)
            try:
                yield
            finally:
                self._with_place.remove(work)

    def _ended(self, work: Work, task: asyncio.Task[None]) -> None:
        """Last stop: a defect of ours must not leave a session at work for ever."""
        del self._running[work.session_id]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("Work on session %s broke down", work.session_id, exc_info=error)
            known = error.message if isinstance(error, ModernizerError) else None
            self._end_late(work, known or coded("ended.defect", error=repr(error)[:1000]))

    def _end_late(self, work: Work, message: Messages) -> None:
        """Write the end of a job, again and again while the log takes none (a full disk)."""
        if self._closing:
            return  # the next start of the server marks it
        try:
            session = self._log.get(work.session_id)
            if session.phase.working and work.session_id not in self._running:
                _end(work, Phase.FAILED, message)
        except NotFound:
            return
        except StoreUnusable as unwritten:
            _log.error("The end of work on %s is not in the log: %s", work.session_id, unwritten)
            asyncio.get_running_loop().call_later(_AGAIN, self._end_late, work, message)


def _has_review(session: Session) -> bool:
    """Return whether an aborted session's results so far are staged for review."""
    return any(review.final and review.open for review in session.all_reviews)


def _say_waiting(work: Work, before: int, notebook: str) -> None:
    message = coded("progress.next-in-line", notebook=notebook)
    if before:
        message = coded("progress.in-line", notebook=notebook, count=before)
    work.write(
        events.Progressed(phase=Phase.PREPARING, message=message, waiting=True, waits_for=notebook)
    )


def _end(work: Work, phase: Phase, message: Messages, verdict: Verdict | None = None) -> None:
    work.write(events.Rested(phase=phase, message=message, verdict=verdict))


def mark_interrupted(log: Store, at_work: Container[str]) -> None:
    """Finish sessions whose process has exited.

    Args:
        log: The log of the sessions.
        at_work: Ids of those this process works on.
    """
    for session_id in log.unfinished():
        try:
            session = log.get(session_id)
            _end_pause(log, session)
            _end_work(log, session, at_work)
        except (ModernizerError, ValueError, TypeError) as error:
            _log.warning("Session %s cannot be read: %s", session_id, error)


def _end_work(log: Store, session: Session, at_work: Container[str]) -> None:
    """Work ended with its server."""
    if not session.phase.working or session.id in at_work:
        return
    if not _is_owner_alive(log, session, events.WorkStarted):
        _interrupt(log, session, coded("ended.server-went-down"))


def _is_owner_alive(
    log: Store, session: Session, kind: type[events.WorkStarted | events.WaitBegan]
) -> bool:
    """Return whether the process that wrote the latest event of a kind still runs."""
    found = (entry.event for entry in reversed(log.entries(session.id, since=0)))
    return next((event.owner.is_alive for event in found if isinstance(event, kind)), False)


def _interrupt(log: Store, session: Session, message: Messages) -> None:
    """End work whose server has exited; a staged review waits for the user."""
    phase = Phase.INTERRUPTED
    if _has_review(session):
        phase, message = Phase.REVIEWING, message + coded("ended.review")
    log.append(session.id, events.Rested(phase=phase, message=message))


def _end_pause(log: Store, session: Session) -> None:
    """Record that a paused kernel ended with its server."""
    if session.waiting is None:
        return
    if not _is_owner_alive(log, session, events.WaitBegan):
        reason = coded("pause.server-went-down")
        log.append(session.id, events.WaitEnded(reason=reason))


@asynccontextmanager
async def stop_of_thread(cancel: asyncio.Event) -> AsyncIterator[threading.Event]:
    """Yield an event that stops work in a thread: set with `cancel`, and when the context exits."""
    stop = threading.Event()

    async def relay() -> None:
        await cancel.wait()
        stop.set()

    task = asyncio.create_task(relay())
    try:
        yield stop
    finally:
        stop.set()
        task.cancel()


_T = TypeVar("_T")


async def unless_cancelled(cancel: asyncio.Event, question: Coroutine[Any, Any, _T]) -> _T:
    """Await a question; a cancel ends it at once, and closes its connection.

    Raises:
        Cancelled: `cancel` was set.
        ModernizerError: As the question.
    """
    asking = asyncio.ensure_future(question)
    stopping = asyncio.ensure_future(cancel.wait())
    try:
        await asyncio.wait({asking, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            raise Cancelled
        return asking.result()
    finally:
        for task in (asking, stopping):
            task.cancel()
        await asyncio.gather(asking, stopping, return_exceptions=True)
