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
class RunOptions:
    """Options of a run.

    Attributes:
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
        execution: Outcome of each cell.
        diagnosis: Its errors; a fix is due if one is the notebook's own.
        rehearsal: Its sample and its training.
    """

    execution: Execution
    diagnosis: ErrorDiagnosis
    rehearsal: Rehearsal


def run_options(
    work: Work, *, stop_at_error: bool = False, resume: Paused | None = None, message: Messages = ()
) -> RunOptions:
    """Return the run options of a session: its settings, folder and environment."""
    session = work.session
    return RunOptions(
        session.settings,
        work.folder,
        stop_at_error,
        resume,
        message,
        session.environment,
        values=session.own_time is not None,
    )


async def run_once(
    notebook: Notebook,
    options: RunOptions,
    services: Services,
    *,
    on_event: OnEvent,
    cancel: asyncio.Event,
) -> Run:
    """Run a notebook in a fresh kernel (or resume a paused one), grade and diagnose it.

    Args:
        notebook: The notebook to run.
        on_event: Called with every step; must return quickly.
        cancel: Stops it.

    Raises:
        Cancelled: `cancel` was set; the run has left no process behind.
        ModernizerError: The competition is unknown, the sandbox not available, the disk full.
    """
    async with AsyncExitStack() as held:
        ended = await _execute(notebook, options, None, services, on_event, cancel, held)
        live, execution = ended.live, ended.execution
        graded = ended.competition is not None
        step = coded("progress.grading" if graded else "progress.diagnosing")
        on_event(events.Progressed(phase=Phase.GRADING, message=step))
        grade = await _grade(notebook, ended, options, services)
        grade = await pools.code.run(_doubted, notebook, execution, grade)
        diagnosis = await pools.code.run(diagnose, notebook, execution, grade)
        predictions: Predictions | None = None
        if options.predictions:
            predictions = await pools.grading.run(_predictions, live, grade, ended.competition)
        diagnosis = await pools.code.run(
            _explained, diagnosis, notebook, execution.environment, services.explain
        )
        paused = None
        if ended.stopped is not None and not ended.stopped.half.reason:
            paused = Paused(ended.stopped, ended.sealed)
            held.pop_all()  # the caller's now
    values = ended.result.values if options.values else None
    return Run(execution, grade, diagnosis, ended.result.executed, paused, predictions, values)


async def run_on_sample(
    notebook: Notebook,
    options: RunOptions,
    reduction: Reduction,
    services: Services,
    *,
    on_event: OnEvent,
    cancel: asyncio.Event,
) -> SampleRun:
    """Run a notebook's reduction in a fresh kernel, and diagnose its errors.

    Args:
        notebook: The notebook, with its whole training.
        reduction: The notebook with a short training, its data and the time limit.
        on_event: Called with every step; must return quickly.
        cancel: Stops it.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    async with AsyncExitStack() as held:
        ended = await _execute(
            reduction.notebook, options, reduction, services, on_event, cancel, held
        )
        execution = ended.execution
        diagnosis, rehearsal = await pools.files.run(
            diagnose_on_sample, notebook, execution, reduction
        )
        diagnosis = await pools.code.run(
            _explained, diagnosis, notebook, execution.environment, services.explain
        )
    return SampleRun(execution, diagnosis, rehearsal)


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


async def _execute(
    notebook: Notebook,
    options: RunOptions,
    reduction: Reduction | None,
    services: Services,
    on_event: OnEvent,
    cancel: asyncio.Event,
    held: AsyncExitStack,
) -> _Ended:
    """Run a notebook; `held` closes its kernel and its files."""
    if options.resume is not None:
        held.push_async_callback(options.resume.run.end)
    slug = options.settings.competition
    competition = None if slug is None else services.competitions.get(slug)

    def tell(event: ExecutionEvent) -> None:
        step = _progress(event, options, reduction)
        if step is not None:
            on_event(step)

    if options.resume is None:
        live, sealed, install = await _prepare(
            competition, options, reduction, services, tell, cancel, held
        )
        result = await live.start(notebook, install=install, cancel=cancel)
    else:
        live, sealed = options.resume.run.run, options.resume.sealed
        result = await live.go_on(notebook, on_event=tell, cancel=cancel)
    owned = held.pop_all()
    held.push_async_callback(owned.aclose)
    stopped = await pause_at(live, owned)
    execution = _with_remarks(result.execution, options, stopped)
    on_event(events.Executed(execution=execution))
    if execution.ending is Ending.CANCELLED:
        raise Cancelled
    return _Ended(live, result, execution, stopped, competition, sealed)


async def _prepare(
    competition: Competition | None,
    options: RunOptions,
    reduction: Reduction | None,
    services: Services,
    tell: Callable[[ExecutionEvent], None],
    cancel: asyncio.Event,
    held: AsyncExitStack,
) -> tuple[NotebookRun, str | None, bool]:
    """Return an unstarted run, the answers' checksum, and whether install lines are executed."""
    settings = options.settings
    sandbox = await pools.sandboxes.run(services.choose_sandbox, settings.sandbox)
    sealed = None
    if competition is not None and reduction is None:
        # A sandbox that does not isolate could let the notebook at the answers.
        sealed = await pools.files.run(seal, competition, services.competitions.root)
    public = None if competition is None else services.competitions.public_dir(competition.id)
    time_limit = settings.time_limit
    if options.public is not None:
        public = options.public
    if reduction is not None:
        public = public if reduction.data is None else reduction.data.kept.public
        time_limit = reduction.time_limit
    beside = _beside(options, services)
    if beside is not None:
        beside = await pools.files.run(_prepared, beside, reduction, cancel, held)
    slug = None if competition is None else competition.id
    held.enter_context(in_use(options.environment, services))
    workspace = await held.enter_async_context(sandbox.workspace(slug, public))
    live = NotebookRun(
        sandbox,
        workspace,
        competition=slug,
        public=public,
        interpreter=interpreter_of(options.environment, sandbox),
        beside=beside,
        time_limit=time_limit,
        on_event=tell,
        stop_at_error=options.stop_at_error,
        wait=services.paused.longest if options.stop_at_error else 0,
        network=_network(settings, sandbox),
        watch=changed_names if options.values else None,
    )
    held.push_async_callback(live.end)
    return live, sealed, carries_out_lines(options.environment, sandbox)


def _network(settings: SessionSettings, sandbox: Sandbox) -> bool:
    """Return whether the run has a network.

    Raises:
        BadSetting: The settings request one, and this sandbox has none.
    """
    if settings.network and not sandbox.gives_network:
        raise BadSetting(coded("sandbox.gives-no-network", name=sandbox.name))
    return settings.network


def _beside(options: RunOptions, services: Services) -> Beside | None:
    if options.folder is None:
        return None
    return Beside(
        options.folder,
        options.settings.files_beside,
        services.competitions.root,
        services.analysis.read_helpers,
        {**services.resources.given(options.settings.resources), **services.given},
        caches=user_caches() if options.settings.caches else {},
    )


def _prepared(
    beside: Beside, reduction: Reduction | None, cancel: asyncio.Event, held: AsyncExitStack
) -> Beside:
    """Return the visible files with nltk's data unpacked and, in a rehearsal, sampled.

    Without a place on the disk for them they stay as they are.
    """
    sampled = reduction if reduction is not None and reduction.data is None else None
    if sampled is None and not has_nltk_archive(beside.given):
        return beside
    try:
        scratch = held.enter_context(scratch_directory())
        beside = replace(beside, given=with_nltk_folders(beside.given, scratch))
    except OSError:
        return beside
    if sampled is not None:
        sampled.files = NotebookFiles(scratch, sampled.rows, Watch(LONGEST, cancel.is_set))
        beside = replace(beside, reduce=sampled.files.reduce)
    return beside


async def _grade(
    notebook: Notebook, ended: _Ended, options: RunOptions, services: Services
) -> Grade:
    settings, competition, result = options.settings, ended.competition, ended.result
    olds = await pools.files.run(_olds, notebook, ended, options, services)
    grade = await pools.grading.run(
        grade_run,
        ended.live.working,
        result.execution.csv_files,
        competition,
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


def _olds(
    notebook: Notebook, ended: _Ended, options: RunOptions, services: Services
) -> dict[FileUse, dict[str, Path]]:
    """Return apparent submissions that existed before the run, by their use in the code."""
    competition, execution = ended.competition, ended.result.execution
    if competition is None or not execution.csv_files:
        return {}
    beside: dict[str, Path] = {}
    if options.folder is not None:
        shown = {file.path: options.folder / file.path for file in execution.files_beside}
        beside = {
            name: path for name, path in shown.items() if path.suffix == ".csv" and path.is_file()
        }
    public = options.public or services.competitions.public_dir(competition.id)
    found: dict[FileUse, dict[str, Path]] = {}
    for name, path in old_submissions(competition, public, beside).items():
        use = file_use(notebook, execution, PurePosixPath(name).name)
        found.setdefault(use, {})[name] = path
    return found


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
    execution: Execution, options: RunOptions, stopped: PausedRun | None
) -> Execution:
    """Add remarks on why a paused run was not resumed, or this one cannot be."""
    remarks, message = execution.remarks, execution.message
    if options.message and options.stop_at_error:  # why the paused run could not be resumed
        remarks = options.message + remarks
    if stopped is not None and stopped.half.reason:
        message += coded("run.not-resumable", reason=stopped.half.reason)
    return execution.model_copy(update={"remarks": remarks, "message": message})


def _progress(
    event: ExecutionEvent, options: RunOptions, reduction: Reduction | None
) -> events.Progressed | None:
    """Convert a run's event to progress; None if the next event reports it anyway."""
    kind = event.kind
    time_limit = None if reduction is None else reduction.time_limit
    rehearsing = reduction is not None
    if kind in (ExecutionEventKind.PREPARING, ExecutionEventKind.INSTALLING):
        return events.Progressed(
            phase=Phase.PREPARING,
            message=options.message + (event.message or coded("progress.sandbox")),
            cell_id=event.cell_id,
            time_limit=time_limit,
        )
    if kind is ExecutionEventKind.STARTED:
        return events.Progressed(
            phase=Phase.RUNNING,
            message=coded("progress.rehearsing" if rehearsing else "progress.running"),
            total=event.total,
            clock_started=True,
            clock_shows=event.seconds,
            time_limit=time_limit,
        )
    if kind in (ExecutionEventKind.CELL_STARTED, ExecutionEventKind.CELL_ERROR):
        code = "progress.rehearsing-cell" if rehearsing else "progress.running-cell"
        return events.Progressed(
            phase=Phase.RUNNING,
            message=coded(code, cell=event.ordinal or 0, of=event.total or 0),
            cell_id=event.cell_id,
            ordinal=event.ordinal,
            total=event.total,
            error=event.error,
            time_limit=time_limit,
        )
    return None


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
