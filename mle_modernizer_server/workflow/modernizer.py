"""The workflow as web, command line and batch see it: one object that owns all sessions' work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import Conflict, ModernizerError, NotFound, StaleEdit
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, FixerName, Proposal
from mle_modernizer_server.domain.session import (
    Decision,
    EditState,
    Mode,
    Phase,
    Review,
    Session,
    SessionSettings,
)
from mle_modernizer_server.execution.runnable import check_runnable
from mle_modernizer_server.execution.turns import Turns
from mle_modernizer_server.workflow import auto, events
from mle_modernizer_server.workflow.asking import ask_by_hand
from mle_modernizer_server.workflow.before_run import propose_ahead
from mle_modernizer_server.workflow.era import NO_TRACES, date, evidence_of
from mle_modernizer_server.workflow.iterate import Cancelled, iterate, latest_diagnosis
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.owner import this_process
from mle_modernizer_server.workflow.propose import Ask, propose
from mle_modernizer_server.workflow.recovery import mark_interrupted
from mle_modernizer_server.workflow.rooms import Rooms
from mle_modernizer_server.workflow.verdicts import (
    ending_of_review,
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)

_log = logging.getLogger(__name__)


class _Job(Protocol):
    def __call__(self, cancel: asyncio.Event) -> Awaitable[None]: ...


@dataclass
class _Work:
    """What goes on for one session."""

    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    closing: bool = False
    """The server goes down: the end is an interruption, not the user's cancel."""


class Modernizer:
    """All sessions of this process.

    Args:
        journal: Where sessions live.
        rooms: The rooms of the house.
        concurrent_work: How many sessions may be worked on at once; the others wait in line.
    """

    def __init__(self, journal: Journal, rooms: Rooms, *, concurrent_work: int = 1) -> None:
        self.journal = journal
        self.rooms = rooms
        self._work: dict[str, _Work] = {}
        self._turns = Turns(concurrent_work)

    def recover(self) -> None:
        """Mark the work that a server which is gone left unfinished."""
        mark_interrupted(self.journal, self._work)

    def create(
        self,
        path: str,
        notebook: Notebook,
        settings: SessionSettings,
        traces: Traces = NO_TRACES,
    ) -> Session:
        """A new session; a competition that is not named is looked for in the notebook's paths.

        Args:
            path: Of the notebook.
            notebook: Its sources.
            settings: What the user chose.
            traces: What its file tells of its era, beside the sources.

        Raises:
            BadNotebook: It cannot be run here (empty, another language).
            UnknownCompetition, BadCompetition: The competition named cannot be used.
        """
        check_runnable(notebook)
        if settings.competition is None:
            found, _ = self.rooms.competitions.detect(notebook)
            settings = settings.model_copy(update={"competition": found})
        self._check(settings)
        event = events.Created(
            path=path,
            notebook_hash=notebook_hash(notebook),
            settings=settings,
            evidence=evidence_of(traces),
        )
        return self.journal.begin(event, notebook)

    def change_settings(self, session_id: str, settings: SessionSettings) -> Session:
        """New settings for what comes next.

        Raises:
            Conflict: Work is going on.
        """
        self.at_rest(session_id)
        self._check(settings)
        return self.journal.write(session_id, events.SettingsChanged(settings=settings))

    def expect(self, competition: str | None) -> None:
        """Make ready for a run that will probably come: somebody looks at such a notebook."""
        with suppress(ModernizerError):  # the run itself will say what is wrong
            public = (
                None if competition is None else self.rooms.competitions.public_dir(competition)
            )
            self.rooms.choose_sandbox(None).warm_up(competition, public)

    def start_run(self, session_id: str, notebook: Notebook) -> Session:
        """Run the notebook as it is now; in step mode a fix is proposed, in auto mode all are made.

        Raises:
            Conflict: Work is going on.
            BadNotebook: The notebook cannot be run.
        """
        session = self.at_rest(session_id)
        check_runnable(notebook)

        async def run(cancel: asyncio.Event) -> None:
            await date(self.journal, session_id, notebook)
            if session.settings.mode is Mode.AUTO:
                await auto.modernize(self.journal, self.rooms, session_id, notebook, cancel)
            else:
                await self._step(session_id, notebook, cancel)

        return self._start(session_id, run)

    def start_check(self, session_id: str, notebook: Notebook) -> Session:
        """Run, grade and diagnose only; nothing is proposed.

        Raises:
            Conflict: Work is going on.
            BadNotebook: The notebook cannot be run.
        """
        self.at_rest(session_id)
        check_runnable(notebook)

        async def run(cancel: asyncio.Event) -> None:
            await date(self.journal, session_id, notebook)
            await iterate(self.journal, self.rooms, session_id, notebook, cancel)
            latest = self.journal.session(session_id).iterations[-1]
            summary = latest_diagnosis(latest).summary
            rested = ending_without_need(latest)
            self.journal.write(
                session_id, rested or events.Rested(phase=Phase.FINISHED, message=summary)
            )

        return self._start(session_id, run)

    def start_fix(
        self,
        session_id: str,
        *,
        fix_type: FixType | None = None,
        scope: FixScope | None = None,
        fixers: tuple[FixerName, ...] | None = None,
        notebook: Notebook | None = None,
    ) -> Session:
        """Ask for another proposal, with what the user chose by hand.

        Raises:
            Conflict: Work is going on, or nothing has run yet (and the fix type is not the one
                for that), or something has (and it is).
        """
        session = self.at_rest(session_id)
        if fix_type is FixType.BEFORE_RUN:
            return self._start_before_run(session, notebook)
        ask = ask_by_hand(
            self.journal,
            session_id,
            fix_type=fix_type,
            scope=scope,
            fixers=fixers,
            notebook=notebook,
        )
        return self._start(session_id, lambda cancel: self._propose(session_id, ask, cancel))

    def _start_before_run(self, session: Session, notebook: Notebook | None) -> Session:
        if session.iterations:
            raise Conflict("The notebook has run; ask for a fix of what the run showed.")
        base = notebook or self.journal.store.notebook(session.id, session.notebook_hash)
        check_runnable(base)
        job = partial(propose_ahead, self.journal, self.rooms, session.id, base)
        return self._start(session.id, job)

    def decide(
        self,
        session_id: str,
        proposal_id: str,
        decisions: Mapping[str, Decision],
        source_hashes: Mapping[str, str],
    ) -> Session:
        """Record what became of edits; all or nothing.

        Args:
            session_id: The session.
            proposal_id: The proposal under review.
            decisions: By edit id.
            source_hashes: By edit id, the cell's source hash in the document right now; needed
                for an accepted modification or deletion.

        Raises:
            NotFound: No such proposal or edit.
            StaleEdit: An accepted edit was made for another state of its cell.
        """
        session = self.journal.session(session_id)
        review = _review(session, proposal_id)
        edits = {edit.id: edit for edit in review.proposal.edits}
        for edit_id, decision in decisions.items():
            if edit_id not in edits:
                raise NotFound(f"Proposal {proposal_id} has no edit {edit_id}.")
            if decision.state is EditState.ACCEPTED:
                _check_fresh(edits[edit_id], source_hashes.get(edit_id))
        session = self.journal.write(
            session_id, events.Decided(proposal=proposal_id, decisions=dict(decisions))
        )
        if session.phase is Phase.REVIEWING and not _review(session, proposal_id).open:
            rested = ending_of_review(session, _review(session, proposal_id))
            session = self.journal.write(session_id, rested)
        return session

    async def cancel(self, session_id: str) -> Session:
        """Stop the work and wait until it has stopped; without work nothing happens.

        Raises:
            NotFound: No such session.
        """
        self.journal.session(session_id)
        work = self._work.get(session_id)
        if work is not None:
            work.cancel.set()
            await self.finished(session_id)
        return self.journal.session(session_id)

    async def delete(self, session_id: str) -> None:
        """Forget a session; its work is cancelled first.

        Raises:
            NotFound: No such session.
        """
        await self.cancel(session_id)
        self.journal.store.delete(session_id)

    async def finished(self, session_id: str) -> Session:
        """Wait until no work goes on for the session."""
        work = self._work.get(session_id)
        if work is not None and work.task is not None:
            await asyncio.wait({work.task})
        return self.journal.session(session_id)

    async def close(self) -> None:
        """Stop all work, marked as interrupted, and close the store."""
        running = list(self._work.items())
        for _, work in running:
            work.closing = True
            work.cancel.set()
        for session_id, _ in running:
            await self.finished(session_id)
        self.journal.store.close()

    async def _step(self, session_id: str, notebook: Notebook, cancel: asyncio.Event) -> None:
        await iterate(self.journal, self.rooms, session_id, notebook, cancel)
        session = self.journal.session(session_id)
        latest = session.iterations[-1]
        rested = ending_without_need(latest)
        if rested is None and session.fixes >= session.settings.max_fixes:
            rested = ending_without_budget(latest, session.fixes)
        if rested is not None:
            self.journal.write(session_id, rested)
            return
        ask = Ask(
            notebook=notebook,
            fix_type=latest_diagnosis(latest).fix_type or FixType.ERROR_REPAIR,
            scope=session.settings.scope,
            fixers=session.settings.fixers,
        )
        await self._propose(session_id, ask, cancel)

    async def _propose(self, session_id: str, ask: Ask, cancel: asyncio.Event) -> None:
        iteration = self.journal.session(session_id).iterations[-1]
        answer = await propose(self.journal, self.rooms, session_id, iteration, ask, cancel)
        if isinstance(answer, Proposal):
            self.journal.write(session_id, events.Proposed(proposal=answer))
            summary = latest_diagnosis(iteration).summary
            self._rest(session_id, Phase.REVIEWING, f"{summary} Review the fix proposed.")
        else:
            self.journal.write(session_id, ending_without_fix(iteration, answer))

    def _start(self, session_id: str, job: _Job) -> Session:
        work = _Work()
        self._work[session_id] = work
        session = self.journal.write(
            session_id, events.WorkStarted(owner=this_process(), message="Starting")
        )
        work.task = asyncio.create_task(self._carry_out(session_id, work, job))
        work.task.add_done_callback(lambda task: self._ended(session_id, task))
        return session

    async def _carry_out(self, session_id: str, work: _Work, job: _Job) -> None:
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
        except ModernizerError as error:
            self._rest(session_id, Phase.FAILED, error.message)

    def _say_waiting(self, session_id: str, before: int) -> None:
        message = "Waiting for another notebook's work to end"
        if before:
            message += f" ({before} before you)"
        self.journal.write(session_id, events.Progressed(phase=Phase.PREPARING, message=message))

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

    def _rest(self, session_id: str, phase: Phase, message: str) -> Session:
        return self.journal.write(session_id, events.Rested(phase=phase, message=message))

    def at_rest(self, session_id: str) -> Session:
        """The session, where no work goes on for it; raises Conflict otherwise."""
        session = self.journal.session(session_id)
        if session_id in self._work or session.phase.working:
            raise Conflict("Work on this notebook is going on; cancel it or wait for its end.")
        return session

    def _check(self, settings: SessionSettings) -> None:
        """Refuse settings that can only fail later."""
        if settings.competition is not None:
            self.rooms.competitions.get(settings.competition)
        if settings.sandbox is not None:
            self.rooms.choose_sandbox(settings.sandbox)


def _review(session: Session, proposal_id: str) -> Review:
    for review in session.all_reviews:
        if review.proposal.id == proposal_id:
            return review
    raise NotFound(f"Session {session.id} has no proposal {proposal_id}.")


def _check_fresh(edit: CellEdit, digest: str | None) -> None:
    if edit.kind is not EditKind.INSERT and digest != edit.base_hash:
        raise StaleEdit(
            "The cell was changed after the fix was proposed; ask for the fix again.",
            cell_id=edit.cell_id,
        )
