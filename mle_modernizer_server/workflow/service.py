"""The workflow as the server and the command line see it: one object, all public operations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Generic, TypeVar

from mle_modernizer_server import pools
from mle_modernizer_server.diagnosis.saved_outputs import printed_scores
from mle_modernizer_server.domain.budget import Bound, Budget
from mle_modernizer_server.domain.claim_reading import ClaimsQuestion
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.environments import EnvironmentReport
from mle_modernizer_server.domain.era import Era, Traces
from mle_modernizer_server.domain.errors import (
    BadInput,
    BadNotebook,
    BadSetting,
    Conflict,
    ModernizerError,
    NotFound,
)
from mle_modernizer_server.domain.estimate import Estimate
from mle_modernizer_server.domain.exchange import Exchange, ExchangeSummary, PromptPreview
from mle_modernizer_server.domain.finish import FinishedRun, ReplacedByFinish
from mle_modernizer_server.domain.improvement import Block, RoleChoice
from mle_modernizer_server.domain.learned import LearnedRule, LearnedRules
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.own_competition import (
    CompetitionGuess,
    LookAtData,
    MakeCompetition,
)
from mle_modernizer_server.domain.paper import PagePicture
from mle_modernizer_server.domain.paper_reading import PaperReading
from mle_modernizer_server.domain.preflight import Preflight
from mle_modernizer_server.domain.probe import Probe
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.domain.reproduction import Experiment, ReproductionCheck
from mle_modernizer_server.domain.saved_outputs import SavedOutputs
from mle_modernizer_server.domain.session import (
    Decision,
    Mode,
    Phase,
    Session,
    SessionSettings,
)
from mle_modernizer_server.domain.statistics import SessionStatistics, Statistics
from mle_modernizer_server.domain.verification import MOST_RUNS, VerificationKind
from mle_modernizer_server.domain.writing import Writing, WritingEstimate
from mle_modernizer_server.execution.documents import (
    check_runnable,
    notebook_from_json,
    saved_outputs,
)
from mle_modernizer_server.execution.notebook_content import parse_notebook
from mle_modernizer_server.execution.notebook_file import NotebookFile, write_file
from mle_modernizer_server.execution.sampling.cache import remove_orphans
from mle_modernizer_server.fixing.fixer import NoFix
from mle_modernizer_server.fixing.integrity import sound_part
from mle_modernizer_server.fixing.rules.knowledge import all_rules, rules_folder, use_rules
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.papers.read import page_picture, read_paper
from mle_modernizer_server.reproducing.checklist import checklist_of
from mle_modernizer_server.reproducing.cited_works import with_sources
from mle_modernizer_server.reproducing.claims.find import claims_of
from mle_modernizer_server.reproducing.lineage import lineage_of
from mle_modernizer_server.workflow import competition as own_competition
from mle_modernizer_server.workflow.competition import KERNEL_METADATA, Detected, detect
from mle_modernizer_server.workflow.decisions import decide, type_score
from mle_modernizer_server.workflow.environments import NotebookPlace, remove_kernel
from mle_modernizer_server.workflow.era import NO_TRACES, date, dating, era_of, evidence_of
from mle_modernizer_server.workflow.fix.before_run import (
    Ahead,
    look_ahead,
    mend_ahead,
    propose_ahead,
    settings_for,
)
from mle_modernizer_server.workflow.fix.by_hand import ask_by_hand, preview_prompt, propose_version
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import EventLog, Listener
from mle_modernizer_server.workflow.log.events import Event, LogEntry
from mle_modernizer_server.workflow.log.state import SessionChanges
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.modes.auto import modernize
from mle_modernizer_server.workflow.modes.step import propose_next, step
from mle_modernizer_server.workflow.report.estimate import NEWEST, estimate
from mle_modernizer_server.workflow.report.finish import finished_run, finishing_run
from mle_modernizer_server.workflow.report.history import all_facts, beside, facts_of
from mle_modernizer_server.workflow.report.html_report import report_html
from mle_modernizer_server.workflow.report.report import report_json, report_markdown
from mle_modernizer_server.workflow.report.reproduction_report import (
    aligned_text,
    outcome_text,
    remark_texts,
    reproduction_html,
)
from mle_modernizer_server.workflow.report.statistics import statistics
from mle_modernizer_server.workflow.run.environment import (
    add_missing,
    note_missing,
    settle_environment,
)
from mle_modernizer_server.workflow.run.record import record_run
from mle_modernizer_server.workflow.run.resources import fetch_resources, note_wanted
from mle_modernizer_server.workflow.run.resume import resumes_no_more
from mle_modernizer_server.workflow.run.run_once import run_options
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.study.cause import is_comparable, seek_cause
from mle_modernizer_server.workflow.study.completion import complete, question_for, with_kept
from mle_modernizer_server.workflow.study.differential_run import ProbeSettings, compare, probe
from mle_modernizer_server.workflow.study.learn import lessons_of
from mle_modernizer_server.workflow.study.own_time import backport, compare_today, find_target
from mle_modernizer_server.workflow.study.prove import (
    UNFINISHED,
    prove,
    to_prove,
    verdict_after_proof,
)
from mle_modernizer_server.workflow.study.repeat import studied, studying
from mle_modernizer_server.workflow.study.reproduce import ReproductionSettings, check
from mle_modernizer_server.workflow.study.reproduction import (
    begin_writing,
    draft,
    experiment_in,
    reproduction_file,
    write_beside,
)
from mle_modernizer_server.workflow.study.seed_variance import measure_noise, verdict_after_noise
from mle_modernizer_server.workflow.study.verification import (
    begin,
    verdict_after_verifying,
    verify,
)
from mle_modernizer_server.workflow.study.versions import (
    DEFAULT_FOLD_SETTINGS,
    FoldSettings,
    Version,
)
from mle_modernizer_server.workflow.study.write import (
    Review,
    WritingSettings,
    check_model,
    estimate_writing,
    write,
)
from mle_modernizer_server.workflow.study.write_session import (
    Source,
    check_writable,
    source_of,
    write_notebook,
)
from mle_modernizer_server.workflow.verdict.endings import ending_of_check, spent
from mle_modernizer_server.workflow.verdict.own_time import message_on, message_on_contrast
from mle_modernizer_server.workflow.verdict.proven import as_proven, outcome_of, proven_summary
from mle_modernizer_server.workflow.work import Cancelled, JobRunner, Work

if TYPE_CHECKING:
    from mle_modernizer_server.improving.draft import DraftTask

__all__ = [
    "KERNEL_METADATA",
    "Ahead",
    "Cancelled",
    "Detected",
    "Event",
    "FoldSettings",
    "Listener",
    "LogEntry",
    "Modernizer",
    "NoFix",
    "ProbeSettings",
    "ReproductionSettings",
    "SessionChanges",
    "Version",
    "WritingSettings",
    "aligned_text",
    "era_of",
    "events",
    "outcome_text",
    "remark_texts",
    "reproduction_file",
    "reproduction_html",
    "settings_for",
    "statistics",
    "stored_report",
    "stored_statistics",
]

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


REPORTS: dict[str, Callable[[Session, Store], str]] = {
    "html": report_html,
    "json": report_json,
    "markdown": report_markdown,
}
"""Writers of the report formats by name."""


def blocks_of(notebook: Notebook, roles: Sequence[RoleChoice] = ()) -> tuple[Block, ...]:
    """Return the blocks as `improve.blocks_of` does."""
    from mle_modernizer_server.workflow.study import improve

    return improve.blocks_of(notebook, roles)


def draft_notebook(competitions: Competitions, slug: str) -> tuple[DraftTask, Notebook]:
    """Draft a notebook as `improve.draft_notebook` does.

    Raises:
        BadInput: No notebook can be drafted for such a task; the message has the reason.
        ModernizerError: The competition is not usable.
    """
    from mle_modernizer_server.workflow.study import improve

    return improve.draft_notebook(competitions, slug)


class Modernizer:
    """All operations for clients, for all sessions of this process.

    Args:
        log: The log of the sessions.
        services: Competitions, sandboxes, fixers.
        concurrent_work: Sessions with work at once; the others wait in a queue.
    """

    def __init__(self, log: EventLog, services: Services, *, concurrent_work: int = 1) -> None:
        self.log = log
        self.services = services
        self.jobs = JobRunner(services, log, concurrent_work)
        self._reading = asyncio.Lock()
        self.problems: Messages = ()
        """Failures at the start of the process, a sentence each."""

    # Sessions

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
            path: Of the notebook.
            notebook: Its sources.
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
        self._check(settings)
        event = events.Created(
            path=path,
            notebook_hash=notebook_hash(notebook),
            settings=settings,
            evidence=evidence_of(traces),
            folder="" if folder is None else str(folder.absolute()),
            traces=traces.model_copy(update={"outputs": ""}),
            printed_scores=() if saved is None else printed_scores(saved.pairs),
        )
        session = self.log.begin(event, notebook)
        if saved is not None and any(cell.outputs for cell in saved.cells):
            self.log.store.keep_saved_outputs(session.id, saved)
        return session

    def _with_competition(
        self, settings: SessionSettings, notebook: Notebook, folder: Path | None
    ) -> SessionSettings:
        if settings.competition is not None:
            return settings
        found, _ = self.find_competition(notebook, folder)
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
            path: Of the notebook.
            file: Its file, which the changes were made for.
            settings: Settings for its later runs.
            proposal: The changes.
            folder: The notebook's folder.

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
        self.log.write(session.id, events.Proposed(proposal=sound))
        message = coded("next.review-elsewhere")
        return self.log.write(session.id, events.Rested(phase=Phase.REVIEWING, message=message))

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

    async def sessions(
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

    def session(self, session_id: str) -> Session:
        """Return the current session.

        Raises:
            NotFound: No such session.
        """
        return self.log.session(session_id)

    def changes(self, session_id: str, since: int) -> SessionChanges:
        """Return the changes of the session after event `since`.

        Raises:
            NotFound: No such session.
        """
        return self.log.store.changes(session_id, since)

    async def entries(self, session_id: str, since: int = 0) -> list[LogEntry]:
        """Return the session's log after event `since`.

        Raises:
            NotFound: No such session.
        """
        self.log.session(session_id)
        return await beside(self.log.store, lambda store: store.entries(session_id, since))

    def notebook(self, session_id: str, digest: str) -> Notebook:
        """Return a notebook of the session by its hash.

        Raises:
            NotFound: It does not exist.
        """
        return self.log.store.notebook(session_id, digest)

    def change_settings(self, session_id: str, settings: SessionSettings) -> Session:
        """Change the settings of later work.

        Raises:
            Conflict: Work is running.
        """
        self.jobs.idle(session_id)
        self._check(settings)
        before = self.log.session(session_id).settings
        session = self.log.write(
            session_id, events.SettingsChanged(settings=settings), check=self.jobs.check_idle
        )
        if resumes_no_more(before, settings):
            self.services.paused.drop(session_id, coded("pause.settings-changed"))
        return session

    async def delete(self, session_id: str) -> None:
        """Forget a session; its work is cancelled first.

        Raises:
            NotFound: No such session.
        """
        await self.cancel(session_id)
        self.log.store.delete(session_id)

    # Work

    def start_run(self, session_id: str, notebook: Notebook, *, fresh: bool = False) -> Session:
        """Run the current notebook; then propose a fix in step mode, or apply all in auto mode.

        Args:
            session_id: The session.
            notebook: The user's current version.
            fresh: Begin with the first cell, even if a paused run could be resumed.

        Raises:
            Conflict: Work is running.
            BadNotebook: The notebook cannot run.
            BadSetting: A limit of money is not enforceable.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)

        async def run(work: Work) -> None:
            await date(work, notebook)
            await settle_environment(work, notebook)
            await fetch_resources(work)
            if session.settings.mode is Mode.STEP:
                await step(work, notebook, fresh=fresh)
                return
            await work.end_pause(coded("pause.from-start"))
            try:
                await modernize(work, notebook)
            finally:
                await work.end_pause(coded("pause.work-ended"))

        self._check_price(session.settings, session.settings.fixers)
        return self.jobs.start(session_id, run)

    def start_check(self, session_id: str, notebook: Notebook) -> Session:
        """Run, grade and diagnose only; propose nothing.

        Raises:
            Conflict: Work is running.
            BadNotebook: The notebook cannot run.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)

        async def run(work: Work) -> None:
            async with dating(work, notebook):  # nothing of the run needs to wait for its era
                await work.end_pause(coded("pause.from-start"))
                await settle_environment(work, notebook)
                await fetch_resources(work)
                latest = await record_run(work, notebook, run_options(work))
                while await add_missing(work, notebook):
                    latest = await record_run(work, notebook, run_options(work))
            await note_missing(work, notebook)
            await note_wanted(work, notebook)
            rested = ending_of_check(latest, session.settings.competition)
            work.write(as_proven(work.session, latest, rested))

        return self.jobs.start(session_id, run)

    def start_fix(
        self,
        session_id: str,
        *,
        fix_type: FixType | None = None,
        scope: FixScope | None = None,
        fixers: tuple[FixerName, ...] | None = None,
        notebook: Notebook | None = None,
    ) -> Session:
        """Request another proposal, with the user's choices.

        Raises:
            Conflict: Work is running, or nothing has run yet (and the fix type requires a run), or
                something has (and the fix type must precede it).
        """
        session = self.jobs.idle(session_id)
        if fix_type is FixType.BEFORE_RUN:
            return self._start_before_run(session, notebook)
        self._check_budget(session, fixers or session.settings.fixers)
        ask = ask_by_hand(
            self._work(session_id),
            fix_type=fix_type,
            scope=scope,
            fixers=fixers,
            notebook=notebook,
        )
        return self.jobs.start(session_id, partial(propose_next, ask=ask), queued=False)

    def _start_before_run(self, session: Session, notebook: Notebook | None) -> Session:
        if session.iterations:
            raise Conflict(coded("conflict.has-run"))
        base = notebook or self.notebook(session.id, session.notebook_hash)
        check_runnable(base)
        return self.jobs.start(session.id, partial(propose_ahead, notebook=base), queued=False)

    def decide(
        self,
        session_id: str,
        proposal_id: str,
        decisions: Mapping[str, Decision],
        source_hashes: Mapping[str, str],
    ) -> Session:
        """Record decisions on edits, all or nothing.

        Args:
            session_id: The session.
            proposal_id: The proposal under review.
            decisions: By edit id.
            source_hashes: By edit id, the current hash of the cell's source in the document;
                required for an accepted modification or deletion.

        Raises:
            NotFound: No such session, proposal or edit.
            StaleEdit: An accepted edit was made for another state of its cell.
            NeedsYes: An accepted edit changes the experiment, and nobody confirmed that.
        """
        return decide(self._work(session_id), proposal_id, decisions, source_hashes)

    def type_score(self, session_id: str, score: float) -> Session:
        """Set an external score for the latest run, and diagnose it again.

        Raises:
            NotFound: No such session.
            Conflict: Work is running, nothing has run to its end, or the run has a score that was
                graded or printed.
        """
        self.jobs.idle(session_id)
        return type_score(self._work(session_id), score)

    async def cancel(self, session_id: str) -> Session:
        """Stop the work and wait until it has stopped; a paused kernel is ended, too.

        Raises:
            NotFound: No such session.
        """
        self.log.session(session_id)
        await self.jobs.cancel(session_id)
        await self.services.paused.end(session_id, coded("pause.cancelled"))
        return self.log.session(session_id)

    async def finished(self, session_id: str) -> Session:
        """Wait until the session is idle."""
        await self.jobs.finished(session_id)
        return self.log.session(session_id)

    # Studies: repeated runs that decide no fix

    def start_verification(
        self,
        session_id: str,
        kind: VerificationKind = VerificationKind.STRICT,
        runs: int = MOST_RUNS,
        notebook: Notebook | None = None,
    ) -> Session:
        """Run a notebook repeatedly until the answer is certain, each time in a fresh kernel.

        Args:
            session_id: The session.
            kind: Quick is one run.
            runs: Maximum number of runs of a strict one.
            notebook: The notebook to run; None: the best iteration's, or the session's own before
                any run.

        Raises:
            Conflict: Work is running, or a strict verification has fewer than two runs.
            BadNotebook: The notebook cannot run.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        asked = 1 if kind is VerificationKind.QUICK else runs
        if kind is VerificationKind.STRICT and asked < 2:
            raise Conflict(coded("conflict.two-runs"))
        if notebook is None:
            digest = studied(session).notebook_hash if session.iterations else session.notebook_hash
            notebook = self.notebook(session_id, digest)
        check_runnable(notebook)
        chosen, begun = notebook, begin(session, kind, asked, notebook)

        async def job(work: Work) -> None:
            async def study() -> Messages:
                return (await verify(work, begun, chosen)).message

            await studying(work, session, study, verdict=verdict_after_verifying)

        return self.jobs.start(session_id, job)

    def start_noise(self, session_id: str, runs: int | None = None) -> Session:
        """Measure the random variation of the score of the best iteration's notebook.

        Args:
            session_id: The session.
            runs: Number of further runs; None: as in the settings.

        Raises:
            Conflict: Work is running, or there is no score to compare with a target.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        iteration = studied(session)
        asked = runs or session.settings.noise_runs
        if not is_comparable(iteration):
            raise Conflict(coded("conflict.nothing-to-measure"))

        async def job(work: Work) -> None:
            async def study() -> Messages:
                return (await measure_noise(work, iteration, asked)).message

            await studying(work, session, study, verdict=verdict_after_noise)

        return self.jobs.start(session_id, job)

    def start_proof(self, session_id: str) -> Session:
        """Show by experiment whether a result comes from a trained model.

        It is the best iteration's, or the latest one's if that one waits for its proof.

        Raises:
            Conflict: Work is running, or nothing has run to its end yet.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        iteration = to_prove(session)

        async def job(work: Work) -> None:
            async def study() -> Messages:
                notebook = work.notebook(iteration.notebook_hash)
                proofs = await prove(work, notebook, iteration)
                standing = proven_summary(session, iteration, proofs)
                return standing + outcome_of(proofs)

            await studying(
                work,
                session,
                study,
                cancelled=coded("run.cancelled") + UNFINISHED,
                verdict=verdict_after_proof,
            )

        return self.jobs.start(session_id, job)

    def start_improvement(
        self,
        session_id: str,
        candidates: Sequence[Version] | None = None,
        settings: FoldSettings = DEFAULT_FOLD_SETTINGS,
    ) -> Session:
        """Compare versions of the session's notebook with it on validation folds.

        Args:
            session_id: The session.
            candidates: Versions to compare with the best iteration's notebook, or with the
                session's own before any run; None has the candidates written by codemods.
            settings: Settings of the folds.

        Raises:
            BadInput: There is nothing to compare, no competition, or one of them cannot run.
            Conflict: Work is running.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        if candidates is not None and not candidates:
            raise BadInput(coded("compare.no-version"))
        if session.settings.competition is None:
            raise BadInput(coded("folds.no-competition"))
        baseline = self._baseline(session)
        for version in candidates or ():
            check_runnable(version.notebook)

        async def job(work: Work) -> None:
            async def study() -> Messages:
                from mle_modernizer_server.workflow.study.improve import improve

                found = await improve(work, Version("Baseline", baseline), candidates, settings)
                best = found.best()
                if not found.candidates and not found.ablations:
                    return coded("folds.no-candidate")
                if found.is_weak:
                    return coded("folds.weak")
                if best is None:
                    return coded("folds.none-better")
                return coded("folds.better", version=best.name)

            await studying(work, session, study)

        return self.jobs.start(session_id, job)

    def _baseline(self, session: Session) -> Notebook:
        """Return the best iteration's notebook, or the session's own before any run."""
        digest = studied(session).notebook_hash if session.iterations else session.notebook_hash
        return self.notebook(session.id, digest)

    async def blocks(self, session_id: str) -> tuple[Block, ...]:
        """Return the parts of the notebook to improve, and the role of each; run nothing.

        Raises:
            NotFound: No such session.
        """
        baseline = self._baseline(self.session(session_id))
        return await pools.code.run(blocks_of, baseline)

    def propose_version(self, session_id: str, digest: str) -> Session:
        """Propose a version that was better on validation folds for review; run nothing.

        All of its changes are accepted or rejected together.

        Args:
            session_id: The session.
            digest: Hash of the version's notebook.

        Raises:
            NotFound: No such session, or no such version was better (with a single hold-out set:
                scored better).
            Conflict: Work is running, or another proposal waits for review.
        """
        return propose_version(self._work(self.jobs.idle(session_id).id), digest)

    def start_target(self, session_id: str) -> Session:
        """Find a target: run the session's notebook, unchanged, in the libraries of its own time.

        Raises:
            Conflict: Work is running.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        notebook = self.notebook(session_id, session.notebook_hash)
        has_target = session.settings.target_score is not None

        async def job(work: Work) -> None:
            async def study() -> Messages:
                await date(work, notebook)
                found = await find_target(work, notebook)
                return message_on(found, taken=found.score is not None and not has_target)

            phase = None if session.iterations else Phase.READY
            await studying(work, session, study, cancelled=coded("run.cancelled"), phase=phase)

        return self.jobs.start(session_id, job)

    def start_contrast(self, session_id: str, notebook: Notebook | None) -> Session:
        """Compare today's outputs with those of the original library versions.

        Args:
            session_id: The session, whose own notebook runs with its original libraries.
            notebook: Its current version; its cells retain the ids of their originals. None: that
                of the best iteration.

        Raises:
            Conflict: Work is running, or there is no notebook argument and no completed run.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        today = notebook or self.notebook(session_id, studied(session).notebook_hash)

        async def job(work: Work) -> None:
            async def study() -> Messages:
                await date(work, work.notebook(session.notebook_hash))
                await compare_today(work, today)
                return message_on_contrast(work.session)

            phase = None if session.iterations else Phase.READY
            await studying(work, session, study, cancelled=coded("contrast.cancelled"), phase=phase)

        return self.jobs.start(session_id, job)

    def start_backport(self, session_id: str) -> Session:
        """Add a kernel with the original libraries to Jupyter's menu, for the unchanged notebook.

        Raises:
            Conflict: Work is running.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)

        async def job(work: Work) -> None:
            async def study() -> Messages:
                await date(work, work.notebook(session.notebook_hash))
                return await backport(work, _place(work))

            phase = None if session.iterations else Phase.READY
            await studying(work, session, study, cancelled=coded("run.cancelled"), phase=phase)

        return self.jobs.start(session_id, job, queued=False)

    def remove_backport(self, session_id: str) -> Session:
        """Take the notebook's kernel out of Jupyter's menu; its environment stays.

        Raises:
            Conflict: Work is running.
            NotFound: No such session, or no kernel of it.
        """
        work = self._work(self.jobs.idle(session_id).id)
        remove_kernel(_place(work))
        work.write(events.Backported(backport=None))
        return work.session

    def backport_lock(self, session_id: str) -> str:
        """Return the lock file (`pylock.toml`, PEP 751) of the notebook's original libraries.

        Raises:
            Conflict: No kernel was added to the menu.
            NotFound: No such session, or its environment was removed.
            EnvironmentUnavailable: The environment fails its integrity check.
        """
        session = self.log.session(session_id)
        environments = self.services.environments
        if session.backport is None or environments is None:
            raise Conflict(coded("conflict.no-backport"))
        return environments.lock_of(session.backport)

    def start_cause(self, session_id: str) -> Session:
        """Look for the cause of the best iteration's distance from the target, on request.

        Raises:
            Conflict: Work is running, or there is no score to compare with a target.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        iteration = studied(session)
        if not is_comparable(iteration):
            raise Conflict(coded("conflict.nothing-to-look-for"))

        async def job(work: Work) -> None:
            async def study() -> Messages:
                return (await seek_cause(work, iteration)).message

            await studying(work, session, study)

        return self.jobs.start(session_id, job)

    def start_comparison(
        self,
        session_id: str,
        notebook: Notebook,
        *,
        traces: Traces,
        old_python: str,
        rule: str | None,
    ) -> Session:
        """Compare a notebook's silent changes with old libraries; retain the session's state.

        Args:
            session_id: The session.
            notebook: Its current version in the document.
            traces: Evidence of its era in its file, beyond the sources.
            old_python: Name of the old libraries in the server's configuration.
            rule: Id of the one change to try; None tries all.

        Raises:
            BadNotebook: It cannot run.
            BadSetting: No old libraries have that name.
            Conflict: Work is running.
            NotFound: No such session.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)
        pythons = self.services.old_pythons
        if old_python not in pythons:
            known = ", ".join(pythons) or "none"
            raise BadSetting(
                coded("own-time.unknown-libraries", old_python=repr(old_python), known=known)
            )
        settings = ProbeSettings(
            old_python=pythons[old_python],
            sandbox=session.settings.sandbox,
            competition=session.settings.competition,
            rule=rule,
            era=session.settings.era,
        )

        async def job(work: Work) -> None:
            await compare(work, session, notebook, traces, settings)

        return self.jobs.start(session_id, job)

    # Stateless queries (no session, nothing stored)

    def expect(self, competition: str | None) -> None:
        """Make ready for a run that will probably come: somebody looks at such a notebook."""
        with suppress(ModernizerError):  # the run itself will report the problem
            competitions = self.services.competitions
            public = None if competition is None else competitions.public_dir(competition)
            self.services.choose_sandbox(None).warm_up(competition, public)

    def find_competition(
        self, notebook: Notebook, folder: Path | None
    ) -> tuple[str | None, Messages]:
        """Return a notebook's competition, from its paths or neighbouring data, and the reason.

        Args:
            notebook: The sources.
            folder: The notebook's folder; None if unsaved.
        """
        return own_competition.find_competition(self.services.competitions, notebook, folder)

    def detect(
        self,
        notebook: Notebook,
        *,
        title: str,
        kernel_metadata: bytes | None,
        folder: Path | None = None,
    ) -> Detected:
        """Detect the notebook's competition and the scores in its text.

        Args:
            notebook: The sources.
            title: Its file name without the suffix.
            kernel_metadata: Content of Kaggle's `kernel-metadata.json` in its folder, if it exists.
            folder: The notebook's folder; None if unsaved.
        """
        return detect(
            self.services.competitions,
            notebook,
            title=title,
            kernel_metadata=kernel_metadata,
            folder=folder,
        )

    def draft(self, slug: str) -> tuple[str, Notebook]:
        """Return a competition's title and a first notebook for it; run nothing.

        Raises:
            BadInput: No notebook can be drafted for such a task; the message has the reason.
            ModernizerError: The competition is not usable.
        """
        task, notebook = draft_notebook(self.services.competitions, slug)
        return task.title, notebook

    def look_at_data(self, root: Path, ask: LookAtData) -> CompetitionGuess:
        """Infer a competition from labelled data below `root`.

        Raises:
            BadCompetition: None.
        """
        return own_competition.guess(root, ask)

    def make_competition(self, root: Path, request: MakeCompetition) -> Competition:
        """Make a competition of labelled data below `root`.

        Raises:
            Conflict: There is such a competition already.
            BadCompetition: The data or the request does not allow it.
        """
        return own_competition.make(root, self.services.competitions, request)

    async def preflight(self, ahead: Ahead) -> Preflight:
        """Predict the failures of a notebook and their reasons; run nothing.

        Raises:
            BadInput: No environment has the name in the settings.
            SandboxUnavailable: The sandbox is not usable, or cannot list its packages.
        """
        return await look_ahead(self.services, ahead)

    async def environments(
        self, notebook: Notebook, folder: Path | None, traces: Traces
    ) -> EnvironmentReport:
        """Return a notebook's requirements, this machine's environments, and the default choice.

        Raises:
            Conflict: Notebooks run only in the sandbox's own Python.
        """
        environments = self.services.environments
        if environments is None:
            raise Conflict(coded("conflict.sandbox-python"))
        place = NotebookPlace(notebook, folder, traces)
        return await pools.packages.run(environments.report, place)

    async def fix_before_run(self, ahead: Ahead, era: Era) -> Proposal | NoFix:
        """Return one patch for all failures fixable before the first run.

        Raises:
            BadInput: No environment has the name in the settings.
            SandboxUnavailable: The sandbox is not usable, or cannot list its packages.
        """
        return await mend_ahead(self.services, ahead, era)

    async def rules_to_keep(self, session_id: str) -> LearnedRules:
        """Return the rules learned from a session's fixes by a model, and those already stored.

        Raises:
            NotFound: There is no such session.
        """
        rules, folder = await self.learned_rules(session_id), rules_folder()
        kept = {rule.id for rule in all_rules()}
        return LearnedRules(
            rules=rules,
            kept=tuple(rule.id for rule in rules if rule.id in kept),
            folder=folder is not None,
        )

    async def keep_rule(self, session_id: str, rule_id: str) -> LearnedRules:
        """Put a rule that a session's fix taught into the folder with rules of one's own.

        It is in use from now on.

        Raises:
            NotFound: There is no such session, or it teaches no such rule.
            Conflict: The server has no such folder.
            BadInput: The file cannot be written.
        """
        rules, folder = await self.learned_rules(session_id), rules_folder()
        rule = next((rule for rule in rules if rule.id == rule_id), None)
        if rule is None:
            raise NotFound(coded("not-found.learned-rule"))
        if folder is None:
            raise Conflict(coded("conflict.no-rules-folder"))
        place, content = folder / f"{rule.id}.yaml", rule.content.encode()

        def keep() -> None:
            write_file(place, content)
            use_rules(folder)
            self.services.analysis.forget()

        await pools.analysis.run(keep)
        return await self.rules_to_keep(session_id)

    async def learned_rules(self, session_id: str) -> tuple[LearnedRule, ...]:
        """Return the rules learned from a session's fixes by a model: those after which it ran.

        Raises:
            NotFound: There is no such session.
        """
        session = self.session(session_id)
        lessons = tuple(lessons_of(session, partial(self.notebook, session_id)))
        found: dict[str, LearnedRule] = {}
        for lesson in lessons:
            for rule in await pools.analysis.run(self.services.analysis.learn, lesson):
                found.setdefault(rule.id, rule)
        return tuple(found.values())

    async def probe(
        self,
        notebook: Notebook,
        settings: ProbeSettings,
        *,
        traces: Traces,
        say: Callable[[Messages], None],
        cancel: asyncio.Event,
    ) -> Probe:
        """Try a notebook's silent changes with old libraries and with today's.

        Raises:
            Cancelled, ModernizerError: As `study.differential_run.probe`.
        """
        return await probe(self.services, notebook, settings, traces=traces, say=say, cancel=cancel)

    # Papers

    async def read_paper(self, path: Path, *, fetch_cited: bool = False) -> PaperReading:
        """Return a paper with its claims and the checklist of its method; one at a time.

        Args:
            path: Its file. Cited works are searched in its folder and among the installed packages.
            fetch_cited: The user agreed to fetch the missing ones from arXiv.

        Raises:
            BadPaper: It is not a paper, or is not readable.
            ResourceUnavailable: A cited work is unavailable.
        """
        by_rules = await self._read_by_rules(path, fetch_cited=fetch_cited)
        return await pools.files.run(with_kept, by_rules, path)

    async def page_picture(self, path: Path, page: int, mark: str = "") -> PagePicture:
        """Return a page of a PDF as a picture, to confirm extracted claims; one at a time.

        Args:
            path: The paper's file.
            page: Counted from 1.
            mark: Text to mark on it.

        Raises:
            BadPaper: It is not a readable PDF, or has no such page.
        """
        async with self._reading:
            return await pools.grading.run(page_picture, path, page, mark)

    async def _read_by_rules(self, path: Path, *, fetch_cited: bool = False) -> PaperReading:
        """Read a paper as `read_paper`, without a model's claims."""
        resources = self.services.resources
        kept = resources.fetch if fetch_cited else resources.file
        async with self._reading:
            paper = await pools.grading.run(read_paper, path)
            claims = await pools.code.run(claims_of, paper)
            checklist = await pools.code.run(checklist_of, paper)
            lineage = await pools.code.run(lineage_of, paper, checklist)
            lineage = await pools.files.run(with_sources, lineage, paper.references, path, kept)
        return PaperReading(paper=paper, claims=claims, checklist=checklist, lineage=lineage)

    async def claims_question(self, paper: Path) -> ClaimsQuestion:
        """Return the prompt for a paper's claims and its cost; send nothing.

        Raises:
            Conflict: No model is configured.
            BadPaper: It is not a paper, or is not readable.
        """
        reading = await self.read_paper(paper)
        return await pools.code.run(question_for, self.services, reading)

    async def complete_claims(
        self, paper: Path, budget: Budget, say: Callable[[str], None] = lambda said: None
    ) -> PaperReading:
        """Ask a model to complete the claims of a paper; store them in the paper's folder.

        Args:
            paper: Its file.
            budget: Of tokens and money.
            say: Called with progress messages for the user.

        Returns:
            The paper with its claims, and the validation of the model's claims.

        Raises:
            ModernizerError: As `study.completion.complete`.
            BadPaper: It is not a paper, or is not readable.
        """
        by_rules = await self._read_by_rules(paper)
        known = await pools.files.run(with_kept, by_rules, paper)
        await complete(self.services, known, paper, budget, say)
        return await pools.files.run(with_kept, by_rules, paper)

    async def draft_reproduction(self, paper: Path, chosen: tuple[str, ...]) -> bytes:
        """Return the file of a runnable notebook that reproduces a paper's claims.

        Args:
            paper: Its file.
            chosen: Ids or numbers of the claims; empty: those of the best table.

        Raises:
            BadPaper: It is not a paper, or is not readable.
            BadInput: There is no such claim, or none at all.
        """
        return await draft(await self.read_paper(paper), paper, chosen)

    async def make_reproduction(self, paper: Path, chosen: tuple[str, ...]) -> Path:
        """Write that notebook next to the paper under an unused name; return its path.

        Raises:
            BadPaper, BadInput: As `draft_reproduction`; or the folder is not writable.
            Conflict: Every suitable name is taken.
        """
        content = await self.draft_reproduction(paper, chosen)
        return await pools.files.run(write_beside, paper, content)

    async def begin_writing(
        self, paper: Path, chosen: tuple[str, ...]
    ) -> tuple[PaperReading, Writing, WritingEstimate]:
        """Return a model's input for writing the notebook of a paper, and the probable cost.

        Raises:
            Conflict: No model is configured.
            BadPaper, BadInput: As `draft_reproduction`.
        """
        reading = await self.read_paper(paper)
        begun = await pools.code.run(begin_writing, reading, paper, chosen)
        return reading, begun, estimate_writing(self.services, reading, begun.experiment)

    async def write_reproduction(
        self,
        reading: PaperReading,
        begun: Writing,
        settings: WritingSettings,
        *,
        review: Review | None,
        keep: Callable[[Writing], object],
        say: Callable[[Messages], None],
        cancel: asyncio.Event,
    ) -> Writing:
        """Have a model write the notebook of a paper, stage by stage.

        Raises:
            Cancelled, ModernizerError: As `study.write.write`.
        """
        return await write(
            self.services,
            reading,
            begun,
            settings,
            review=review,
            keep=keep,
            say=say,
            cancel=cancel,
        )

    async def writing_estimate(self, session_id: str) -> WritingEstimate:
        """Return the probable cost of a model writing the session's notebook; send nothing.

        Raises:
            Conflict: No model is configured.
            BadInput: The notebook's file is not readable, or does not mention a paper.
            BadPaper: The paper is not readable.
            NotFound: No such session, or the paper is not in the notebook's folder.
        """
        check_model(self.services)
        source = await self._source(session_id)
        reading = await self.read_paper(source.paper)
        return await pools.code.run(estimate_writing, self.services, reading, source.experiment)

    async def start_writing(self, session_id: str, notebook: Notebook, rounds: int) -> Session:
        """Have a model write the session's notebook of a paper's experiment, stage by stage.

        Args:
            session_id: The session, whose file has the experiment in its metadata.
            notebook: The user's current version.
            rounds: Maximum number of questions in one stage.

        Raises:
            BadNotebook: It cannot run.
            Conflict: Work is running, no model is configured, the budget is spent, a proposal waits
                for review, or a section of the notebook was removed.
            BadInput, NotFound: As `writing_estimate`.
        """
        session = self.jobs.idle(session_id)
        check_runnable(notebook)
        check_writable(self._work(session_id), notebook)
        self._check_budget(session, (FixerName.LLM,))
        source = await self._source(session_id)
        return self.jobs.start(
            session_id,
            partial(
                write_notebook,
                source=source,
                notebook=notebook,
                rounds=rounds,
                read=self.read_paper,
            ),
        )

    async def _source(self, session_id: str) -> Source:
        """Return the experiment that the session's notebook must reproduce."""
        work = self._work(session_id)
        return await pools.files.run(source_of, work.folder, work.session.path)

    async def check_reproduction(
        self,
        notebook: Notebook,
        experiment: Experiment,
        settings: ReproductionSettings,
        *,
        say: Callable[[str], None],
        cancel: asyncio.Event,
    ) -> ReproductionCheck:
        """Run a notebook clean and compare its results with a paper's claims.

        Raises:
            Cancelled, ModernizerError: As `study.reproduce.check`.
        """
        return await check(self.services, notebook, experiment, settings, say=say, cancel=cancel)

    @staticmethod
    def experiment_in(content: bytes, name: str) -> Experiment:
        """Return the experiment to reproduce from a notebook's file.

        Raises:
            BadInput: It has none, or an unusable one.
        """
        return experiment_in(content, name)

    # Model calls, cost, statistics

    async def preview_prompt(
        self,
        session_id: str,
        *,
        fix_type: FixType | None = None,
        scope: FixScope | None = None,
        notebook: Notebook | None = None,
    ) -> PromptPreview:
        """Return the prompt for a fix of the latest run; send nothing.

        Raises:
            NotFound: No such session.
            Conflict: Nothing has run, no fix is due, or no model writes such a fix.
        """
        return await preview_prompt(
            self._work(session_id), fix_type=fix_type, scope=scope, notebook=notebook
        )

    def exchanges(self, session_id: str) -> tuple[ExchangeSummary, ...]:
        """Return the model requests of a session, oldest first.

        Raises:
            NotFound: No such session.
        """
        self.log.session(session_id)
        return self.log.store.exchanges.summaries(session_id)

    def exchange(self, session_id: str, proposal_id: str) -> Exchange:
        """Return the model requests for one proposal.

        Raises:
            NotFound: No such session or exchange.
        """
        self.log.session(session_id)
        return self.log.store.exchanges.get(session_id, proposal_id)

    async def estimate(
        self, notebook: Notebook, settings: SessionSettings, history: Path | None = None
    ) -> Estimate:
        """Return the probable cost of an auto run.

        Args:
            notebook: The notebook to run.
            settings: Settings of the session.
            history: File of past sessions as a basis; None: this process's own.

        Raises:
            Conflict: No model would be used.
            ModernizerError: The file is not usable.
        """

        def work(store: Store) -> Estimate:
            return estimate(self.services, notebook, settings, all_facts(store, most=NEWEST))

        if history is None:
            return await beside(self.log.store, work)
        with closing(Store(history)) as store:
            return work(store)

    async def statistics(self, prefix: str = "") -> Statistics:
        """Return the statistics of the sessions whose path begins with a prefix."""
        return await beside(self.log.store, lambda store: statistics(all_facts(store, prefix)))

    async def session_statistics(self, session_id: str) -> SessionStatistics:
        """Return the statistics of one session.

        Raises:
            NotFound: No such session.
        """
        return await beside(self.log.store, partial(_of_one, session_id=session_id))

    def finish(self, session_id: str, run: int | None = None, *, version: str) -> FinishedRun:
        """Return everything that finishing puts into the notebook: outputs and their origin.

        Args:
            session_id: The session.
            run: Number of the run with the outputs; None selects the best one.
            version: Of this program.

        Raises:
            NotFound: No such session.
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
        """Store the content that finishing the notebook replaces, so that it can be restored later.

        Raises:
            NotFound: No such session.
        """
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

    def report(self, session_id: str, form: str = "json") -> str:
        """Return the report of a session, in one of the `REPORTS` formats.

        Raises:
            NotFound: No such session.
        """
        return REPORTS[form](self.log.session(session_id), self.log.store)

    # The process

    def recover(self) -> None:
        """Finish sessions whose process has exited, and remove their temporary data."""
        self.jobs.recover()
        remove_orphans()

    async def close(self) -> None:
        """Stop all work, marked as interrupted, end the paused kernels, close the store."""
        await self.jobs.close()
        await self.services.paused.close()
        self.log.store.close()

    def _work(self, session_id: str) -> Work:
        """Return the context for an operation that is not a job.

        Raises:
            NotFound: No such session.
        """
        self.log.session(session_id)
        return Work(session_id, self.services, self.log)

    def _check_budget(self, session: Session, fixers: tuple[FixerName, ...]) -> None:
        """Refuse to call a model if its possible cost exceeds the budget.

        Raises:
            Conflict: It does.
        """
        budget = session.settings.budget
        bound = budget.spent(session.spending)
        if FixerName.LLM in fixers and bound is not None and bound is not Bound.FIXES:
            raise Conflict(spent(bound, budget))
        self._check_price(session.settings, fixers)

    def _check_price(self, settings: SessionSettings, fixers: tuple[FixerName, ...]) -> None:
        """Refuse a limit of money that is not enforceable.

        Raises:
            BadSetting: The price of the model is unknown.
        """
        asked = FixerName.LLM in fixers and FixerName.LLM in self.services.fixers
        if settings.max_usd is not None and asked and self.services.price is None:
            raise BadSetting(coded("budget.price-unknown", model=repr(self.services.model)))

    def _check(self, settings: SessionSettings) -> None:
        """Refuse settings that can only fail later."""
        self._check_price(settings, settings.fixers)
        if settings.competition is not None:
            self.services.competitions.get(settings.competition)
        if settings.sandbox is not None:
            self.services.choose_sandbox(settings.sandbox)


def stored_report(database: Path, session: str, form: str) -> str:
    """Return the report of a session in a server's file, in one of the `REPORTS` formats.

    Args:
        database: The file.
        session: Its id, or the path of a notebook for its latest session.
        form: Name of the format.

    Raises:
        ModernizerError: The file is not usable.
        NotFound: There is no such session.
    """
    with closing(Store(database)) as store:
        newest = next(store.each_session(session), None)
        found = newest or store.read_back(session)
        return REPORTS[form](found, store)


def stored_statistics(
    database: Path, *, prefix: str = "", session_id: str | None = None
) -> Statistics | SessionStatistics:
    """Return the statistics of the sessions in a server's file, or of one of them.

    Args:
        database: The file.
        prefix: Of the notebooks' paths.
        session_id: Only this one.

    Raises:
        ModernizerError: The file is not usable.
        NotFound: There is no such session.
    """
    with closing(Store(database)) as store:
        if session_id is None:
            return statistics(all_facts(store, prefix))
        return _of_one(store, session_id)


def _place(work: Work) -> str:
    """Return the path of the session's notebook, as far as it is known."""
    path = work.session.path
    return path if work.folder is None else str(work.folder / PurePath(path).name)


def _of_one(store: Store, session_id: str) -> SessionStatistics:
    facts = facts_of(store, session_id)
    return SessionStatistics(facts=facts, statistics=statistics([facts]))
