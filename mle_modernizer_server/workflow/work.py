"""Work on sessions in the background: in turns, with cancel and a certain end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Protocol

from mle_modernizer_server.domain.errors import Conflict, ModernizerError, SandboxUnavailable
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.execution.sandboxes.slots import SlotQueue
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.owner import this_process
from mle_modernizer_server.workflow.recovery import mark_interrupted
from mle_modernizer_server.workflow.run.run_once import Cancelled

_log = logging.getLogger(__name__)


class Job(Protocol):
    """What is to be done for a session."""

    def __call__(self, cancel: asyncio.Event) -> Awaitable[None]:
        """Do it; raises `Cancelled` when `cancel` is set."""


@dataclass
class _Work:
    """What goes on for one session."""

    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    closing: bool = False
    """The server goes down: the end is an interruption, not the user's cancel."""


class Works:
    """The work of this process.

    Args:
        journal: Where sessions live.
        concurrent: How many sessions may be worked on at once; the others wait in line.
    """

    def __init__(self, journal: Journal, concurrent: int) -> None:
        self._journal = journal
        self._work: dict[str, _Work] = {}
        self._turns = SlotQueue(concurrent)

    def recover(self) -> None:
        """Mark the work that a server which is gone left unfinished."""
        mark_interrupted(self._journal, self._work)

    def at_rest(self, session_id: str) -> Session:
        """The session, where no work goes on for it.

        Raises:
            Conflict: Work is going on.
            NotFound: No such session.
        """
        session = self._journal.session(session_id)
        if session_id in self._work or session.phase.working:
            raise Conflict("Work on this notebook is going on; cancel it or wait for its end.")
        return session

    def start(self, session_id: str, job: Job) -> Session:
        """Start a job for a session that is at rest; answers at once."""
        work = _Work()
        self._work[session_id] = work
        session = self._journal.write(
            session_id, events.WorkStarted(owner=this_process(), message="Starting")
        )
        work.task = asyncio.create_task(self._carry_out(session_id, work, job))
        work.task.add_done_callback(lambda task: self._ended(session_id, task))
        return session

    async def cancel(self, session_id: str) -> None:
        """Stop the work and wait until it has stopped; without work nothing happens."""
        work = self._work.get(session_id)
        if work is not None:
            work.cancel.set()
            await self.finished(session_id)

    async def finished(self, session_id: str) -> None:
        """Wait until no work goes on for the session."""
        work = self._work.get(session_id)
        if work is not None and work.task is not None:
            await asyncio.wait({work.task})

    async def close(self) -> None:
        """Stop all work, marked as interrupted."""
        running = list(self._work.items())
        for _, work in running:
            work.closing = True
            work.cancel.set()
        for session_id, _ in running:
            await self.finished(session_id)

    async def _carry_out(self, session_id: str, work: _Work, job: Job) -> None:
        try:
            turn = self._turns.turn(
                waiting=lambda before: self._say_waiting(session_id, before), cancel=work.cancel
            )
            async with turn as given:
                if not given or work.cancel.is_set():
                    raise Cancelled
                await job(work.cancel)
        except Cancelled:
            if work.closing:
                message = "The server was shut down in the middle of the work; run it again."
                self._rest(session_id, Phase.INTERRUPTED, message)
            else:
                self._rest(session_id, Phase.CANCELLED, "Cancelled. The notebook is as it was.")
        except SandboxUnavailable as error:
            self._rest(session_id, Phase.FAILED, error.message, Verdict.CANNOT_RUN)
        except ModernizerError as error:
            self._rest(session_id, Phase.FAILED, error.message)

    def _say_waiting(self, session_id: str, before: int) -> None:
        message = "Waiting for another notebook's work to end"
        if before:
            message += f" ({before} before you)"
        self._journal.write(
            session_id,
            events.Progressed(phase=Phase.PREPARING, message=message, waiting=True),
        )

    def _ended(self, session_id: str, task: asyncio.Task[None]) -> None:
        """Last stop: a defect of ours must not leave a session at work for ever."""
        del self._work[session_id]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _log.error("Work on session %s broke down", session_id, exc_info=error)
            message = (
                f"Something went wrong inside MLE Modernizer ({error!r}); see the server's log."
            )
            self._rest(session_id, Phase.FAILED, message)

    def _rest(
        self, session_id: str, phase: Phase, message: str, verdict: Verdict | None = None
    ) -> None:
        self._journal.write(
            session_id, events.Rested(phase=phase, message=message, verdict=verdict)
        )
