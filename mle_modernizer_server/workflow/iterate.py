"""One iteration up to its diagnosis: execution, grading, diagnosis."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.domain.diagnosis import Diagnosis
from mle_modernizer_server.domain.execution import (
    Ending,
    Environment,
    ExecutionEvent,
    ExecutionEventKind,
)
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.session import Iteration, Phase, RunKind
from mle_modernizer_server.execution.runner import RunResult, run_notebook
from mle_modernizer_server.grading.fingerprint import seal
from mle_modernizer_server.grading.grader import grade_run
from mle_modernizer_server.grading.printed_score import with_printed_score
from mle_modernizer_server.workflow import events
from mle_modernizer_server.workflow.best import best
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.rooms import Explain, Rooms


class Cancelled(Exception):
    """The user stopped the work; nothing is wrong."""


async def iterate(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    notebook: Notebook,
    cancel: asyncio.Event,
    kind: RunKind = RunKind.CLEAN,
) -> RunResult:
    """Run, grade and diagnose a notebook as the session's next iteration.

    Raises:
        Cancelled: `cancel` was set; the run has left no process behind.
        ModernizerError: The competition is unknown, the sandbox not available, the disk full.
    """
    digest = notebook_hash(notebook)
    session = journal.write(
        session_id,
        events.RunStarted(notebook_hash=digest, run=kind, message="Preparing the sandbox"),
        notebook,
    )
    settings = session.settings
    competition = (
        None if settings.competition is None else rooms.competitions.get(settings.competition)
    )
    sandbox = await asyncio.to_thread(rooms.choose_sandbox, settings.sandbox)

    def on_event(event: ExecutionEvent) -> None:
        step = _progress(event)
        if step is not None:
            journal.write(session_id, step)

    # A sandbox that does not isolate could let the notebook at the answers.
    root = rooms.competitions.root
    sealed = None if competition is None else await asyncio.to_thread(seal, competition, root)
    slug = None if competition is None else competition.id
    public = None if slug is None else rooms.competitions.public_dir(slug)
    async with sandbox.workspace(slug, public) as workspace:
        result = await run_notebook(
            notebook,
            sandbox=sandbox,
            workspace=workspace,
            competition=slug,
            public=public,
            time_limit=settings.time_limit,
            on_event=on_event,
            cancel=cancel,
        )
        execution = result.execution
        journal.write(session_id, events.Executed(execution=execution))
        if execution.ending is Ending.CANCELLED:
            raise Cancelled
        journal.write(
            session_id, events.Progressed(phase=Phase.GRADING, message="Grading the submission")
        )
        grade = await asyncio.to_thread(
            grade_run,
            workspace.working,
            execution.csv_files,
            competition,
            root,
            target=settings.target_score,
            threshold=settings.threshold,
            measure=settings.distance,
            target_kind=settings.target_kind,
            sealed=sealed,
        )
        outputs = {cell.id: cell.get("outputs", ()) for cell in result.executed.cells}
        grade = with_printed_score(grade, outputs, settings.score_reading)
    diagnosis = _explained(
        diagnose(notebook, execution, grade), execution.environment, rooms.explain
    )
    iterations = journal.session(session_id).iterations
    latest = iterations[-1].model_copy(update={"grade": grade, "diagnosis": diagnosis})
    journal.write(
        session_id,
        events.Diagnosed(
            grade=grade, diagnosis=diagnosis, best=best((*iterations[:-1], latest)).number
        ),
    )
    return result


def latest_diagnosis(iteration: Iteration) -> Diagnosis:
    """The diagnosis of an iteration that was carried through.

    Raises:
        ValueError: It was cut off.
    """
    if iteration.diagnosis is None:
        raise ValueError(f"iteration {iteration.number} was cut off before its diagnosis")
    return iteration.diagnosis


def _progress(event: ExecutionEvent) -> events.Progressed | None:
    """What the log keeps of a run's event; a cell's end is told by the next one's start."""
    kind = event.kind
    if kind in (ExecutionEventKind.PREPARING, ExecutionEventKind.INSTALLING):
        return events.Progressed(
            phase=Phase.PREPARING,
            message=event.message or "Preparing the sandbox",
            cell_id=event.cell_id,
        )
    if kind is ExecutionEventKind.STARTED:
        return events.Progressed(
            phase=Phase.RUNNING,
            message="Running the notebook",
            total=event.total,
            clock_started=True,
        )
    if kind in (ExecutionEventKind.CELL_STARTED, ExecutionEventKind.CELL_ERROR):
        return events.Progressed(
            phase=Phase.RUNNING,
            message=f"Running cell {event.ordinal} of {event.total}",
            cell_id=event.cell_id,
            ordinal=event.ordinal,
            total=event.total,
            error=event.error,
        )
    return None


def _explained(diagnosis: Diagnosis, environment: Environment, explain: Explain) -> Diagnosis:
    findings = []
    for finding in diagnosis.findings:
        known = explain(finding.error, environment)
        if known is not None:
            finding = finding.model_copy(update={"explanation": known[0], "link": known[1]})
        findings.append(finding)
    return diagnosis.model_copy(update={"findings": tuple(findings)})
