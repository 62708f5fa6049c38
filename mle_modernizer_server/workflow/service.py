"""The workflow as web, command line and batch see it: one object that owns all sessions' work."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from mle_modernizer_server.domain.budget import Bound
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import BadSetting, Conflict, ModernizerError
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Mode, Phase, Session, SessionSettings
from mle_modernizer_server.execution.documents import check_runnable
from mle_modernizer_server.workflow.era import NO_TRACES, date, evidence_of
from mle_modernizer_server.workflow.fix.before_run import propose_ahead
from mle_modernizer_server.workflow.fix.by_hand import ask_by_hand
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.modes.auto import modernize
from mle_modernizer_server.workflow.modes.step import propose_next, step
from mle_modernizer_server.workflow.run.resume import continues_no_more
from mle_modernizer_server.workflow.run.run_once import iterate, latest_diagnosis
from mle_modernizer_server.workflow.services import Rooms
from mle_modernizer_server.workflow.verdict.endings import ending_without_need, spent
from mle_modernizer_server.workflow.work import Works


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
        self.works = Works(journal, concurrent_work)

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
        self.works.at_rest(session_id)
        self._check(settings)
        before = self.journal.session(session_id).settings
        session = self.journal.write(session_id, events.SettingsChanged(settings=settings))
        if continues_no_more(before, settings):
            self.rooms.waiting.drop(session_id, "The settings of the run were changed.")
        return session

    def expect(self, competition: str | None) -> None:
        """Make ready for a run that will probably come: somebody looks at such a notebook."""
        with suppress(ModernizerError):  # the run itself will say what is wrong
            public = (
                None if competition is None else self.rooms.competitions.public_dir(competition)
            )
            self.rooms.choose_sandbox(None).warm_up(competition, public)

    def start_run(self, session_id: str, notebook: Notebook, *, fresh: bool = False) -> Session:
        """Run the notebook as it is now; in step mode a fix is proposed, in auto mode all are made.

        Args:
            session_id: Of the session.
            notebook: As the user sees it.
            fresh: Begin with the first cell, also where a run waits that could go on.

        Raises:
            Conflict: Work is going on.
            BadNotebook: The notebook cannot be run.
            BadSetting: A bound on money cannot be kept.
        """
        session = self.works.at_rest(session_id)
        check_runnable(notebook)

        async def run(cancel: asyncio.Event) -> None:
            await date(self.journal, session_id, notebook)
            if session.settings.mode is Mode.STEP:
                await step(self.journal, self.rooms, session_id, notebook, cancel, fresh=fresh)
                return
            await self.rooms.waiting.end(session_id, "The notebook runs from the start.")
            try:
                await modernize(self.journal, self.rooms, session_id, notebook, cancel)
            finally:
                await self.rooms.waiting.end(session_id, "The work came to its end.")

        self._check_price(session.settings, session.settings.fixers)
        return self.works.start(session_id, run)

    def start_check(self, session_id: str, notebook: Notebook) -> Session:
        """Run, grade and diagnose only; nothing is proposed.

        Raises:
            Conflict: Work is going on.
            BadNotebook: The notebook cannot be run.
        """
        session = self.works.at_rest(session_id)
        check_runnable(notebook)

        async def run(cancel: asyncio.Event) -> None:
            await date(self.journal, session_id, notebook)
            await self.rooms.waiting.end(session_id, "The notebook runs from the start.")
            await iterate(self.journal, self.rooms, session_id, notebook, cancel)
            latest = self.journal.session(session_id).iterations[-1]
            summary = latest_diagnosis(latest).summary
            rested = ending_without_need(latest, session.settings.competition)
            self.journal.write(
                session_id, rested or events.Rested(phase=Phase.FINISHED, message=summary)
            )

        return self.works.start(session_id, run)

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
        session = self.works.at_rest(session_id)
        if fix_type is FixType.BEFORE_RUN:
            return self._start_before_run(session, notebook)
        self._check_budget(session, fixers or session.settings.fixers)
        ask = ask_by_hand(
            self.journal,
            session_id,
            fix_type=fix_type,
            scope=scope,
            fixers=fixers,
            notebook=notebook,
        )
        return self.works.start(
            session_id, partial(propose_next, self.journal, self.rooms, session_id, ask)
        )

    def _start_before_run(self, session: Session, notebook: Notebook | None) -> Session:
        if session.iterations:
            raise Conflict("The notebook has run; ask for a fix of what the run showed.")
        base = notebook or self.journal.store.notebook(session.id, session.notebook_hash)
        check_runnable(base)
        job = partial(propose_ahead, self.journal, self.rooms, session.id, base)
        return self.works.start(session.id, job)

    async def cancel(self, session_id: str) -> Session:
        """Stop the work and wait until it has stopped; a kernel that waits is ended, too.

        Raises:
            NotFound: No such session.
        """
        self.journal.session(session_id)
        await self.works.cancel(session_id)
        await self.rooms.waiting.end(session_id, "Cancelled.")
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
        await self.works.finished(session_id)
        return self.journal.session(session_id)

    async def close(self) -> None:
        """Stop all work, marked as interrupted, end the kernels that wait, close the store."""
        await self.works.close()
        await self.rooms.waiting.close()
        self.journal.store.close()

    def _check_budget(self, session: Session, fixers: tuple[FixerName, ...]) -> None:
        """Refuse to ask a model when what it may cost is spent.

        Raises:
            Conflict: It is.
        """
        budget = session.settings.budget
        bound = budget.spent(session.spending)
        if FixerName.LLM in fixers and bound is not None and bound is not Bound.FIXES:
            raise Conflict(spent(bound, budget))
        self._check_price(session.settings, fixers)

    def _check_price(self, settings: SessionSettings, fixers: tuple[FixerName, ...]) -> None:
        """Refuse a bound on money that cannot be kept.

        Raises:
            BadSetting: The price of the model is not known.
        """
        asked = FixerName.LLM in fixers and FixerName.LLM in self.rooms.fixers
        if settings.max_usd is not None and asked and self.rooms.price is None:
            raise BadSetting(
                f"The price of {self.rooms.model!r} is not known, so a limit on its cost cannot "
                "be kept. Set MLE_MODERNIZER_PRICE (input,cached,output in USD per million "
                "tokens) where the server or the command starts, or take the limit away."
            )

    def _check(self, settings: SessionSettings) -> None:
        """Refuse settings that can only fail later."""
        self._check_price(settings, settings.fixers)
        if settings.competition is not None:
            self.rooms.competitions.get(settings.competition)
        if settings.sandbox is not None:
            self.rooms.choose_sandbox(settings.sandbox)
