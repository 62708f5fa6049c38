"""`run_once`: run a notebook, grade and diagnose it. A run is a value; nothing is recorded here.

`run_on_sample` does so with a sample of the data and a short training, ungraded. The only place
that starts a notebook: steps, auto mode, rehearsals and measurements call it, and whoever wants the
run in a session records it (`record.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TypeVar

from nbformat import NotebookNode

from mle_modernizer_server import pools
from mle_modernizer_server.code.file_use import FileUse, file_use
from mle_modernizer_server.code.slices import changed_names, failing_on_the_way
from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorDiagnosis
from mle_modernizer_server.domain.environment import EnvironmentChoice
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.execution import (
    Ending,
    Environment,
    Execution,
    ExecutionEvent,
    ExecutionEventKind,
)
from mle_modernizer_server.domain.grade import Doubt, Grade, ScoreKind
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import Phase
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import Rehearsal
from mle_modernizer_server.execution.notebook_folder.library_data import (
    has_nltk_archive,
    user_caches,
    with_nltk_folders,
)
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside
from mle_modernizer_server.execution.notebook_run import CellValues, NotebookRun, RunResult
from mle_modernizer_server.execution.paused.paused_run import PausedRun, pause_at
from mle_modernizer_server.execution.sampling.cache import LONGEST, scratch_directory
from mle_modernizer_server.execution.sampling.making import Watch
from mle_modernizer_server.execution.sampling.notebook_files import NotebookFiles
from mle_modernizer_server.execution.sandboxes.base import Sandbox
from mle_modernizer_server.grading.csv_table import inside, read_table
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.grading.fingerprint import seal
from mle_modernizer_server.grading.grader import grade_run
from mle_modernizer_server.grading.preexisting_files import old_submissions
from mle_modernizer_server.grading.printed_score import with_printed_score
from mle_modernizer_server.grading.proofs import Predictions, predictions_of
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.grading.validation import meant_columns
from mle_modernizer_server.workflow.environments import interpreter_of
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.paused_runs import Paused
from mle_modernizer_server.workflow.run.environment import carries_out_lines, in_use
from mle_modernizer_server.workflow.run.on_sample import Reduction, diagnose_on_sample
from mle_modernizer_server.workflow.services import Explain, Services
from mle_modernizer_server.workflow.work import Cancelled, Work

OnEvent = Callable[[events.Progressed | events.Executed], object]
"""Called at once with every step of a run, and with its execution when that has ended."""


@dataclass(frozen=True)
class RunRequest:
    """A notebook to run, and how.

    Attributes:
        notebook: The notebook to run.
        settings: Competition, target, time limit and sandbox.
        folder: The notebook's folder; the settings determine its visible files.
        stop_at_error: Stop at the first cell that fails, and pause the kernel for its fix.
        resume: The paused run to resume, transferred to `run_once`; None begins with the first
            cell.
        message: First message.
        environment: The Python and packages of the run; None is the sandbox's own.
        public: A replacement for the competition's public directory.
        predictions: Read the predictions of the graded submission as well.
        values: Record after each cell the values of the variables it binds or changes.
    """

    notebook: Notebook
    settings: SessionSettings
    folder: Path | None = None
    stop_at_error: bool = False
    resume: Paused | None = None
    message: Messages = ()
    environment: EnvironmentChoice | None = None
    public: Path | None = None
    predictions: bool = False
    values: bool = False


@dataclass(frozen=True)
class Run:
    """Result of a run on all data.

    Attributes:
        execution: Outcome of each cell.
        grade: Its score.
        diagnosis: Errors and their fix type.
        executed: The notebook with the outputs of this run.
        paused: The run with its kernel, if it stopped and can be resumed; the caller must end it.
        predictions: Those of the graded submission; None if not requested, or absent.
        values: Comparable values of the variables after each successful cell; None if not
            requested.
    """

    execution: Execution
    grade: Grade
    diagnosis: Diagnosis
    executed: NotebookNode
    paused: Paused | None = None
    predictions: Predictions | None = None
    values: CellValues | None = None


@dataclass(frozen=True)
class SampleRun:
    """Result of a rehearsal: it is not graded.

    Attributes:
        diagnosis: Its errors; a fix is due if one is the notebook's own.
        rehearsal: Its sample and its training.
    """

    diagnosis: ErrorDiagnosis
    rehearsal: Rehearsal


def run_request(
    work: Work,
    notebook: Notebook,
    *,
    stop_at_error: bool = False,
    resume: Paused | None = None,
    message: Messages = (),
) -> RunRequest:
    """Return the request for a run in a session: with its settings, folder and environment."""
    session = work.session
    return RunRequest(
        notebook,
        session.settings,
        work.folder,
        stop_at_error,
        resume,
        message,
        session.environment,
        values=session.own_time is not None,
    )


async def run_once(
    request: RunRequest, services: Services, *, on_event: OnEvent, cancel: asyncio.Event
) -> Run:
    """Run a notebook in a fresh kernel (or resume a paused one), grade and diagnose it.

    Args:
        on_event: Called with every step; must return quickly.
        cancel: Stops it.

    Raises:
        Cancelled: `cancel` was set; the run has left no process behind.
        ModernizerError: The competition is unknown, the sandbox not available, the disk full.
    """
    async with AsyncExitStack() as held:
        ended = await _Launch(request, None, services, on_event, cancel, held).execute()
        graded = request.settings.competition is not None
        step = coded("progress.grading" if graded else "progress.diagnosing")
        on_event(events.Progressed(phase=Phase.GRADING, message=step))
        grade = await _grade(request, ended, services)
        grade, diagnosis = await pools.code.run(
            _diagnosed, request.notebook, ended.execution, grade, services.explain
        )
        predictions: Predictions | None = None
        if request.predictions:
            predictions = await pools.grading.run(
                _predictions, ended.live, grade, ended.competition
            )
        paused = None
        if ended.stopped is not None and not ended.stopped.half.reason:
            paused = Paused(ended.stopped, ended.sealed)
            held.pop_all()  # the caller's now
    values = ended.result.values if request.values else None
    executed = ended.result.executed
    return Run(ended.execution, grade, diagnosis, executed, paused, predictions, values)


async def run_on_sample(
    request: RunRequest,
    reduction: Reduction,
    services: Services,
    *,
    on_event: OnEvent,
    cancel: asyncio.Event,
) -> SampleRun:
    """Run a notebook's reduction in a fresh kernel, and diagnose its errors.

    Args:
        request: The notebook, with its whole training.
        reduction: The notebook with a short training, its data and the time limit.
        on_event: Called with every step; must return quickly.
        cancel: Stops it.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    async with AsyncExitStack() as held:
        ended = await _Launch(request, reduction, services, on_event, cancel, held).execute()
        notebook, execution = request.notebook, ended.execution

        def diagnosed() -> SampleRun:
            diagnosis, rehearsal = diagnose_on_sample(notebook, execution, reduction)
            return SampleRun(
                _explained(diagnosis, notebook, execution.environment, services.explain), rehearsal
            )

        return await pools.files.run(diagnosed)


@dataclass(frozen=True)
class _Ended:
    """A run that has ended or stopped, with its kernel.

    Attributes:
        live: The run.
        result: The kernel's result.
        execution: Includes remarks on why it was not, or cannot be, resumed.
        stopped: The cell that waits for a fix; None if it ran to its end.
        competition: The run's competition; None if unknown.
        sealed: Checksum of the competition's answers; None if nothing will be graded.
    """

    live: NotebookRun
    result: RunResult
    execution: Execution
    stopped: PausedRun | None
    competition: Competition | None
    sealed: str | None


@dataclass(frozen=True)
class _Launch:
    """Runs a notebook, or its reduction; `held` closes its kernel and its files."""

    request: RunRequest
    reduction: Reduction | None
    services: Services
    on_event: OnEvent
    cancel: asyncio.Event
    held: AsyncExitStack

    async def execute(self) -> _Ended:
        request, held, cancel = self.request, self.held, self.cancel
        if request.resume is not None:
            held.push_async_callback(request.resume.run.end)
        slug = request.settings.competition
        competition = None if slug is None else self.services.competitions.get(slug)
        if request.resume is None:
            live, sealed, install = await self._prepare(competition)
            notebook = request.notebook if self.reduction is None else self.reduction.notebook
            result = await live.start(notebook, install=install, cancel=cancel)
        else:
            live, sealed = request.resume.run.run, request.resume.sealed
            result = await live.go_on(request.notebook, on_event=self._tell, cancel=cancel)
        owned = held.pop_all()
        held.push_async_callback(owned.aclose)
        stopped = await pause_at(live, owned)
        execution = _with_remarks(result.execution, request, stopped)
        self.on_event(events.Executed(execution=execution))
        if execution.ending is Ending.CANCELLED:
            raise Cancelled
        return _Ended(live, result, execution, stopped, competition, sealed)

    async def _prepare(
        self, competition: Competition | None
    ) -> tuple[NotebookRun, str | None, bool]:
        """Return an unstarted run, the answers' checksum, and whether to execute install lines."""
        request, reduction, services = self.request, self.reduction, self.services
        settings, environment = request.settings, request.environment
        sandbox = await pools.sandboxes.run(services.choose_sandbox, settings.sandbox)
        sealed = None
        if competition is not None and reduction is None:
            # A sandbox that does not isolate could let the notebook at the answers.
            sealed = await pools.files.run(seal, competition, services.competitions.root)
        slug = None if competition is None else competition.id
        public = None if slug is None else services.competitions.public_dir(slug)
        if request.public is not None:
            public = request.public
        if reduction is not None and reduction.data is not None:
            public = reduction.data.kept.public
        beside = _beside(request, services)
        if beside is not None:
            beside = await pools.files.run(self._staged, beside)
        self.held.enter_context(in_use(environment, services))
        workspace = await self.held.enter_async_context(sandbox.workspace(slug, public))
        live = NotebookRun(
            sandbox,
            workspace,
            competition=slug,
            public=public,
            interpreter=interpreter_of(environment, sandbox),
            beside=beside,
            time_limit=settings.time_limit if reduction is None else reduction.time_limit,
            on_event=self._tell,
            stop_at_error=request.stop_at_error,
            wait=services.paused.longest if request.stop_at_error else 0,
            network=_network(settings, sandbox),
            watch=changed_names if request.values else None,
        )
        self.held.push_async_callback(live.end)
        return live, sealed, carries_out_lines(environment, sandbox)

    def _staged(self, beside: Beside) -> Beside:
        """Return the visible files with nltk's data unpacked and, in a rehearsal, sampled.

        Without a place on the disk for them they stay as they are.
        """
        reduction = self.reduction
        sampled = reduction if reduction is not None and reduction.data is None else None
        if sampled is None and not has_nltk_archive(beside.given):
            return beside
        try:
            scratch = self.held.enter_context(scratch_directory())
            beside = replace(beside, given=with_nltk_folders(beside.given, scratch))
        except OSError:
            return beside
        if sampled is not None:
            watch = Watch(LONGEST, self.cancel.is_set)
            sampled.files = NotebookFiles(scratch, sampled.rows, watch)
            beside = replace(beside, reduce=sampled.files.reduce)
        return beside

    def _tell(self, event: ExecutionEvent) -> None:
        step = _progress(event, self.request.message, self.reduction)
        if step is not None:
            self.on_event(step)


def _network(settings: SessionSettings, sandbox: Sandbox) -> bool:
    """Return whether the run has a network.

    Raises:
        BadSetting: The settings request one, and this sandbox has none.
    """
    if settings.network and not sandbox.gives_network:
        raise BadSetting(coded("sandbox.gives-no-network", name=sandbox.name))
    return settings.network


def _beside(request: RunRequest, services: Services) -> Beside | None:
    settings = request.settings
    if request.folder is None:
        return None
    return Beside(
        request.folder,
        settings.files_beside,
        services.competitions.root,
        services.analysis.read_helpers,
        {**services.resources.given(settings.resources), **services.given},
        caches=user_caches() if settings.caches else {},
    )


async def _grade(request: RunRequest, ended: _Ended, services: Services) -> Grade:
    settings, result = request.settings, ended.result
    olds = await pools.files.run(_olds, request, ended, services)
    grade = await pools.grading.run(
        grade_run,
        ended.live.working,
        result.execution.csv_files,
        ended.competition,
        services.competitions.root,
        target=settings.target_score,
        threshold=settings.threshold,
        measure=settings.distance,
        target_kind=settings.target_kind,
        sealed=ended.sealed,
        olds=olds.get(FileUse.READ, {}),
        earlier=olds.get(FileUse.WRITTEN, {}),
    )
    if ended.live.stop is not None:
        return grade  # it printed no score yet
    outputs = {cell.id: cell.get("outputs", ()) for cell in result.executed.cells}
    return with_printed_score(grade, outputs, settings.score_reading)


def _olds(request: RunRequest, ended: _Ended, services: Services) -> dict[FileUse, dict[str, Path]]:
    """Return apparent submissions that existed before the run, by their use in the code."""
    competition, execution = ended.competition, ended.result.execution
    if competition is None or not execution.csv_files:
        return {}
    beside: dict[str, Path] = {}
    if request.folder is not None:
        shown = {file.path: request.folder / file.path for file in execution.files_beside}
        beside = {
            name: path for name, path in shown.items() if path.suffix == ".csv" and path.is_file()
        }
    public = request.public or services.competitions.public_dir(competition.id)
    found: dict[FileUse, dict[str, Path]] = {}
    for name, path in old_submissions(competition, public, beside).items():
        use = file_use(request.notebook, execution, PurePosixPath(name).name)
        found.setdefault(use, {})[name] = path
    return found


def _diagnosed(
    notebook: Notebook, execution: Execution, grade: Grade, explain: Explain
) -> tuple[Grade, Diagnosis]:
    """Return the grade, in doubt if it should be, and the diagnosis with known causes."""
    grade = _doubted(notebook, execution, grade)
    diagnosis = diagnose(notebook, execution, grade)
    return grade, _explained(diagnosis, notebook, execution.environment, explain)


def _doubted(notebook: Notebook, execution: Execution, grade: Grade) -> Grade:
    """Return the grade, in doubt if the submission depends on cells that failed."""
    if grade.score_kind is not ScoreKind.GRADED or grade.submission is None:
        return grade
    cells = failing_on_the_way(notebook, execution, grade.submission)
    if not cells:
        return grade
    doubt = (grade.doubt or Doubt()).model_copy(update={"cells": cells})
    return with_deviation(grade.model_copy(update={"doubt": doubt}))


def _predictions(
    live: NotebookRun, grade: Grade, competition: Competition | None
) -> Predictions | None:
    """Return the predictions of the graded submission; None if absent or unreadable."""
    if competition is None or grade.submission is None:
        return None
    try:
        file = inside(live.working, grade.submission)
        table = read_table(file, rename=partial(meant_columns, competition=competition))
    except InvalidSubmission:
        return None
    return predictions_of(table, competition.id_columns, competition.target_columns)


def _with_remarks(
    execution: Execution, request: RunRequest, stopped: PausedRun | None
) -> Execution:
    """Add remarks on why a paused run was not resumed, or this one cannot be."""
    remarks, message = execution.remarks, execution.message
    if request.message and request.stop_at_error:  # why the paused run could not be resumed
        remarks = request.message + remarks
    if stopped is not None and stopped.half.reason:
        message += coded("run.not-resumable", reason=stopped.half.reason)
    return execution.model_copy(update={"remarks": remarks, "message": message})


def _progress(
    event: ExecutionEvent, first: Messages, reduction: Reduction | None
) -> events.Progressed | None:
    """Convert a run's event to progress; None if the next event reports it anyway."""
    kind, rehearsing = event.kind, reduction is not None
    prepares = kind in (ExecutionEventKind.PREPARING, ExecutionEventKind.INSTALLING)
    starts = kind is ExecutionEventKind.STARTED
    if prepares:
        message = first + (event.message or coded("progress.sandbox"))
    elif starts:
        message = coded("progress.rehearsing" if rehearsing else "progress.running")
    elif kind in (ExecutionEventKind.CELL_STARTED, ExecutionEventKind.CELL_ERROR):
        code = "progress.rehearsing-cell" if rehearsing else "progress.running-cell"
        message = coded(code, cell=event.ordinal or 0, of=event.total or 0)
    else:
        return None
    return events.Progressed(
        phase=Phase.PREPARING if prepares else Phase.RUNNING,
        message=message,
        clock_started=starts,
        clock_shows=event.seconds if starts else 0.0,
        cell_id=event.cell_id,
        ordinal=None if prepares else event.ordinal,
        total=None if prepares else event.total,
        error=event.error,
        time_limit=None if reduction is None else reduction.time_limit,
    )


_AnyDiagnosis = TypeVar("_AnyDiagnosis", bound=ErrorDiagnosis)


def _explained(
    diagnosis: _AnyDiagnosis, notebook: Notebook, environment: Environment, explain: Explain
) -> _AnyDiagnosis:
    """Return the diagnosis with explanations of its errors."""
    findings = []
    for finding in diagnosis.findings:
        known = explain(finding.error, environment, notebook)
        if known is not None:
            finding = finding.model_copy(update={"explanation": known[0], "link": known[1]})
        findings.append(finding)
    return diagnosis.model_copy(update={"findings": tuple(findings)})
