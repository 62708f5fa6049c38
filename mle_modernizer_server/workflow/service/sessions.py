"""Sessions: created, listed, changed, finished, reported, removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from mle_modernizer_server import pools
from mle_modernizer_server.diagnosis.saved_outputs import printed_scores
from mle_modernizer_server.domain.era import Traces
from mle_modernizer_server.domain.errors import BadInput, BadNotebook, Conflict, NotFound
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import Exchange, ExchangeSummary
from mle_modernizer_server.domain.notebook import (
    FinishedRun,
    Notebook,
    ReplacedByFinish,
    SavedOutputs,
    notebook_hash,
)
from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.statistics import SessionStatistics, Statistics
from mle_modernizer_server.execution.documents import (
    check_runnable,
    notebook_from_json,
    saved_outputs,
)
from mle_modernizer_server.execution.notebook_content import parse_notebook
from mle_modernizer_server.execution.notebook_file import NotebookFile
from mle_modernizer_server.fixing.integrity import sound_part
from mle_modernizer_server.fixing.rules.era.evidence import of_traces
from mle_modernizer_server.words import CellNames
from mle_modernizer_server.workflow import competition as own_competition
from mle_modernizer_server.workflow.era import NO_TRACES
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.events import LogEntry
from mle_modernizer_server.workflow.log.state import SessionChanges
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.report.finish import finished_run, finishing_run
from mle_modernizer_server.workflow.report.history import all_facts, beside
from mle_modernizer_server.workflow.report.report import cell_names
from mle_modernizer_server.workflow.report.statistics import statistics
from mle_modernizer_server.workflow.report.stored import REPORTS, session_facts
from mle_modernizer_server.workflow.run.resume import resumes_no_more
from mle_modernizer_server.workflow.service.base import Service

_Line = TypeVar("_Line")


_SESSIONS_IN_A_PAGE = 100
"""Sessions that are listed at once: each is read from its log."""


@dataclass(frozen=True)
class SessionPage(Generic[_Line]):
    """A page of sessions, newest first.

    Attributes:
        lines: One for each readable session.
        total: Number of sessions on all pages.
        older: Place of the last one of this page; None if none is older.
    """

    lines: tuple[_Line, ...]
    total: int
    older: int | None


class Sessions(Service):
    """Sessions: created, listed, changed, finished, reported, removed."""

    def create(
        self,
        path: str,
        notebook: Notebook,
        settings: SessionSettings,
        traces: Traces = NO_TRACES,
        folder: Path | None = None,
        saved: SavedOutputs | None = None,
        *,
        look: bool = True,
    ) -> Session:
        """Create a session; infer a missing competition from the notebook's paths.

        Args:
            settings: The user's choices.
            traces: Evidence of its era in its file, beyond the sources.
            folder: The notebook's folder; None if unsaved, so that it has no neighbouring files.
            saved: The outputs in its file, for comparison with later runs.
            look: Whether to detect the competition; otherwise `with_competition` has done so.

        Raises:
            BadNotebook: It cannot run here (empty, another language).
            UnknownCompetition, BadCompetition: The competition in the settings is not usable.
        """
        check_runnable(notebook)
        if look:
            settings = self._with_competition(settings, notebook, folder)
        self.check_settings(settings)
        event = events.Created(
            path=path,
            notebook_hash=notebook_hash(notebook),
            settings=settings,
            evidence=of_traces(traces),
            folder="" if folder is None else str(folder.absolute()),
            traces=traces.model_copy(update={"outputs": ""}),
            printed_scores=() if saved is None else printed_scores(saved.pairs),
        )
        session = self.log.begin(event, notebook)
        if saved is not None and (saved.prompts or any(cell.outputs for cell in saved.cells)):
            self.log.store.keep_saved_outputs(session.id, saved)
        return session

    def _with_competition(
        self, settings: SessionSettings, notebook: Notebook, folder: Path | None
    ) -> SessionSettings:
        if settings.competition is not None:
            return settings
        competitions = self.services.competitions
        found, _ = own_competition.find_competition(competitions, notebook, folder)
        return settings.model_copy(update={"competition": found})

    async def with_competition(
        self, settings: SessionSettings, notebook: Notebook, folder: Path | None
    ) -> SessionSettings:
        """Return settings with the notebook's competition if they name none; reads in a thread."""
        return await pools.code.run(self._with_competition, settings, notebook, folder)

    async def review_elsewhere(
        self,
        path: str,
        file: NotebookFile,
        settings: SessionSettings,
        proposal: Proposal,
        folder: Path | None = None,
    ) -> Session:
        """Create a session with changes from elsewhere in review; run nothing.

        The changes are validated again. If the notebook's latest session has them already, return
        that session.

        Args:
            file: Its file, which the changes were made for.
            settings: Settings for its later runs.

        Raises:
            BadInput: The changes are invalid: the message has the reason.
            BadNotebook, UnknownCompetition, BadCompetition: As `create`.
        """
        digest = notebook_hash(file.notebook)
        for latest in self.log.store.readable(self.log.store.places(path, None, 1)):
            known = any(review.proposal.id == proposal.id for review in latest.all_reviews)
            if known and latest.notebook_hash == digest:
                return latest
        sound = await pools.code.run(sound_part, proposal, file.notebook)
        if sound.blockers:
            raise BadInput(coded("fix.refused", findings=sound.blockers))
        session = self.create(path, file.notebook, settings, file.traces, folder, file.saved)
        return self.work(session.id).stage(sound, coded("next.review-elsewhere"))

    @staticmethod
    def read_saved_outputs(document: str, notebook: Notebook) -> SavedOutputs:
        """Return the outputs in a notebook's file; none if it cannot be read as a notebook.

        Args:
            document: The file's text, of the Jupyter notebook format 3 or 4.
            notebook: The sources of the relevant cells.
        """
        try:
            node, _ = notebook_from_json(parse_notebook(document, "The document"))
        except BadNotebook:
            return SavedOutputs()  # the sources came another way: no outputs to compare
        return saved_outputs(node, notebook)

    async def page(
        self, path: str | None, line: Callable[[Session], _Line], before: int | None = None
    ) -> SessionPage[_Line]:
        """Return a line for each of the next readable sessions (of one notebook), newest first.

        Args:
            path: Path of the notebook; None: all sessions.
            line: Extracts the line from a session. Whole sessions are not kept in memory.
            before: Only those older than the one at this place.
        """

        def read(store: Store) -> SessionPage[_Line]:
            places = store.places(path, before, _SESSIONS_IN_A_PAGE + 1)
            shown = places[:_SESSIONS_IN_A_PAGE]
            return SessionPage(
                lines=tuple(line(each) for each in store.readable(shown)),
                total=store.count(path),
                older=shown[-1][0] if len(places) > len(shown) else None,
            )

        return await beside(self.log.store, read)

    def get(self, session_id: str) -> Session:
        """Return the current session."""
        return self.log.session(session_id)

    def changes(self, session_id: str, since: int) -> SessionChanges:
        """Return the changes of the session after event `since`."""
        return self.log.store.changes(session_id, since)

    async def entries(self, session_id: str, since: int = 0) -> list[LogEntry]:
        """Return the session's log after event `since`."""
        self.log.session(session_id)
        return await beside(self.log.store, lambda store: store.entries(session_id, since))

    def change_settings(self, session_id: str, settings: SessionSettings) -> Session:
        """Change the settings of later work."""
        self.jobs.idle(session_id)
        self.check_settings(settings)
        before = self.log.session(session_id).settings
        session = self.log.write(
            session_id, events.SettingsChanged(settings=settings), check=self.jobs.check_idle
        )
        if resumes_no_more(before, settings):
            self.services.paused.drop(session_id, coded("pause.settings-changed"))
        return session

    async def delete(self, session_id: str) -> None:
        """Forget a session; its work is cancelled first."""
        await self.cancel(session_id)
        self.log.store.delete(session_id)

    async def cancel(self, session_id: str) -> Session:
        """Stop the work and wait until it has stopped; a paused kernel is ended, too."""
        self.log.session(session_id)
        await self.jobs.cancel(session_id)
        await self.services.paused.end(session_id, coded("pause.cancelled"))
        return self.log.session(session_id)

    async def finished(self, session_id: str) -> Session:
        """Wait until the session is idle."""
        await self.jobs.finished(session_id)
        return self.log.session(session_id)

    def finish(self, session_id: str, run: int | None = None, *, version: str) -> FinishedRun:
        """Return everything that finishing puts into the notebook: outputs and their origin.

        Args:
            run: Number of the run with the outputs; None selects the best one.

        Raises:
            Conflict: No such run, one of a part of the notebook, or one without stored outputs.
        """
        session = self.log.session(session_id)
        iteration = finishing_run(session, run)
        outputs = self.log.store.run_outputs(session_id, iteration.number)
        if outputs is None:
            raise Conflict(coded("finish.outputs-gone", number=iteration.number))
        notebook = self.notebook(session_id, iteration.notebook_hash)
        return finished_run(session, iteration, notebook, outputs, version)

    def keep_replaced(self, session_id: str, replaced: ReplacedByFinish) -> None:
        """Store the content that finishing the notebook replaces, so that it can be restored."""
        session = self.log.session(session_id)
        self.log.store.keep_replaced(session_id, session.path, replaced)

    def replaced(self, session_id: str) -> ReplacedByFinish:
        """Return the content that finishing the notebook in this session replaced.

        Raises:
            NotFound: No such session, or the content is not stored (any more).
        """
        self.log.session(session_id)
        found = self.log.store.replaced(session_id)
        if found is None:
            raise NotFound(coded("finish.replaced-gone"))
        return found

    def cell_names(self, session_id: str) -> CellNames:
        """Return the names of the cells for messages about the session's latest run."""
        return cell_names(self.get(session_id), self.log.store)

    def report(self, session_id: str, form: str = "json") -> str:
        """Return the report of a session, in one of the `REPORTS` formats."""
        return REPORTS[form](self.log.session(session_id), self.log.store)

    def exchanges(self, session_id: str) -> tuple[ExchangeSummary, ...]:
        """Return the model requests of a session, oldest first."""
        self.log.session(session_id)
        return self.log.store.exchanges.summaries(session_id)

    def exchange(self, session_id: str, proposal_id: str) -> Exchange:
        """Return the model requests for one proposal.

        Raises:
            NotFound: No such session or exchange.
        """
        self.log.session(session_id)
        return self.log.store.exchanges.get(session_id, proposal_id)

    async def statistics(self, prefix: str = "") -> Statistics:
        """Return the statistics of the sessions whose path begins with a prefix."""
        return await beside(self.log.store, lambda store: statistics(all_facts(store, prefix)))

    async def session_statistics(self, session_id: str) -> SessionStatistics:
        """Return the statistics of one session."""
        return await beside(self.log.store, partial(session_facts, session_id=session_id))
