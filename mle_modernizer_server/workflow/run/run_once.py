"""One iteration up to its diagnosis: execution, grading, diagnosis."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass

from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.domain.diagnosis import Diagnosis
from mle_modernizer_server.domain.execution import (
    Ending,
    Environment,
    Execution,
    ExecutionEvent,
    ExecutionEventKind,
)
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.origin import Origin
from mle_modernizer_server.domain.session import Iteration, Phase, RunKind
from mle_modernizer_server.execution.notebook_run import NotebookRun, RunResult
from mle_modernizer_server.execution.paused.paused_run import PausedRun, pause_at
from mle_modernizer_server.grading.fingerprint import seal
from mle_modernizer_server.grading.grader import grade_run
from mle_modernizer_server.grading.printed_score import with_printed_score
from mle_modernizer_server.workflow.fix.difference import changed_lines
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.event_log import Journal
from mle_modernizer_server.workflow.modes.best import best
from mle_modernizer_server.workflow.run.agreement import agreeing
from mle_modernizer_server.workflow.run.paused_runs import Held
from mle_modernizer_server.workflow.services import Explain, Rooms


class Cancelled(Exception):
    """The user stopped the work; nothing is wrong."""


@dataclass(frozen=True)
class Manner:
    """How a run goes where it is not simply from the first cell to the last.

    Attributes:
        stop_at_error: Stop at the first cell that fails, and let the kernel wait there.
        waiting: The run to go on with, taken from the registry; None begins with the first cell.
        message: What to say first, a sentence.
    """

    stop_at_error: bool = False
    waiting: Held | None = None
    message: str = ""


PLAINLY = Manner()


async def iterate(
    journal: Journal,
    rooms: Rooms,
    session_id: str,
    notebook: Notebook,
    cancel: asyncio.Event,
    kind: RunKind = RunKind.CLEAN,
    origin: Origin | None = None,
    manner: Manner = PLAINLY,
) -> RunResult:
    """Run, grade and diagnose a notebook as the session's next iteration.

    Args:
        journal: Where it is written down.
        rooms: The rooms of the house.
        session_id: The session.
        notebook: What runs.
        cancel: Stops it.
        kind: What the run can decide.
        origin: The proposal that made the notebook, in auto mode.
        manner: How it goes where it is not simply from the first cell to the last.

    Raises:
        Cancelled: `cancel` was set; the run has left no process behind.
        ModernizerError: The competition is unknown, the sandbox not available, the disk full.
    """
    waiting = manner.waiting
    async with AsyncExitStack() as held:
        if waiting is not None:
            held.push_async_callback(waiting.run.end)
        message = manner.message or "Preparing the sandbox"
        if waiting is not None:
            message = f"Going on from cell {waiting.run.stop.ordinal}"
        began = journal.session(session_id).notebook_hash
        original = journal.store.notebook(session_id, began)
        session = journal.write(
            session_id,
            events.RunStarted(
                notebook_hash=notebook_hash(notebook),
                run=kind,
                message=message,
                origin=origin,
                changed_lines=changed_lines(original, notebook),
            ),
            notebook,
        )
        settings = session.settings
        competition = (
            None if settings.competition is None else rooms.competitions.get(settings.competition)
        )

        def on_event(event: ExecutionEvent) -> None:
            step = told(event, manner.message)
            if step is not None:
                journal.write(session_id, step)

        root = rooms.competitions.root
        if waiting is None:
            sandbox = await asyncio.to_thread(rooms.choose_sandbox, settings.sandbox)
            # A sandbox that does not isolate could let the notebook at the answers.
            sealed = (
                None if competition is None else await asyncio.to_thread(seal, competition, root)
            )
            slug = None if competition is None else competition.id
            public = None if slug is None else rooms.competitions.public_dir(slug)
            workspace = await held.enter_async_context(sandbox.workspace(slug, public))
            run = NotebookRun(
                sandbox,
                workspace,
                competition=slug,
                public=public,
                time_limit=settings.time_limit,
                on_event=on_event,
                stop_at_error=manner.stop_at_error,
                wait=rooms.waiting.longest if manner.stop_at_error else 0,
            )
            held.push_async_callback(run.end)
            result = await run.start(notebook, cancel=cancel)
        else:
            run, sealed = waiting.run.run, waiting.sealed
            result = await run.go_on(notebook, on_event=on_event, cancel=cancel)
        owned = held.pop_all()
        held.push_async_callback(owned.aclose)
        stopped = await pause_at(run, owned)
        execution = _told(result.execution, manner, stopped)
        journal.write(session_id, events.Executed(execution=execution))
        if execution.ending is Ending.CANCELLED:
            raise Cancelled
        journal.write(
            session_id, events.Progressed(phase=Phase.GRADING, message="Grading the submission")
        )
        grade = await asyncio.to_thread(
            grade_run,
            run.working,
            execution.csv_files,
            competition,
            root,
            target=settings.target_score,
            threshold=settings.threshold,
            measure=settings.distance,
            target_kind=settings.target_kind,
            sealed=sealed,
        )
        if stopped is None:
            outputs = {cell.id: cell.get("outputs", ()) for cell in result.executed.cells}
            grade = with_printed_score(grade, outputs, settings.score_reading)
        elif not stopped.half.reason:
            await rooms.waiting.keep(journal, session_id, stopped, sealed)
            held.pop_all()  # it is the registry's now
    diagnosis = explained(
        diagnose(notebook, execution, grade), execution.environment, rooms.explain
    )
    iterations = journal.session(session_id).iterations
    diagnosis = agreeing(iterations[:-1], iterations[-1], diagnosis)
    latest = iterations[-1].model_copy(update={"grade": grade, "diagnosis": diagnosis})
    journal.write(
        session_id,
        events.Diagnosed(
            grade=grade, diagnosis=diagnosis, best=best((*iterations[:-1], latest)).number
        ),
    )
    return RunResult(execution, result.executed)


def _told(execution: Execution, manner: Manner, stopped: PausedRun | None) -> Execution:
    """The run with what there is to say of its going on: before it, and after it."""
    remarks, message = execution.remarks, execution.message
    if manner.message and manner.stop_at_error:  # why the run that waited could not go on
        remarks = (manner.message, *remarks)
    if stopped is not None and stopped.half.reason:
        message += (
            f" It {stopped.half.reason}, so it cannot simply be run again: the next run begins "
            "with the first cell."
        )
    return execution.model_copy(update={"remarks": remarks, "message": message})


def latest_diagnosis(iteration: Iteration) -> Diagnosis:
    """The diagnosis of an iteration that was carried through.

    Raises:
        ValueError: It was cut off.
    """
    if iteration.diagnosis is None:
        raise ValueError(f"iteration {iteration.number} was cut off before its diagnosis")
    return iteration.diagnosis


def told(event: ExecutionEvent, first: str = "") -> events.Progressed | None:
    """What the log keeps of a run's event; a cell's end is told by the next one's start.

    Args:
        event: Of the run.
        first: A sentence to say before what is prepared, or "".
    """
    kind = event.kind
    if kind in (ExecutionEventKind.PREPARING, ExecutionEventKind.INSTALLING):
        return events.Progressed(
            phase=Phase.PREPARING,
            message=f"{first} {event.message or 'Preparing the sandbox'}".strip(),
            cell_id=event.cell_id,
        )
    if kind is ExecutionEventKind.STARTED:
        return events.Progressed(
            phase=Phase.RUNNING,
            message="Running the notebook",
            total=event.total,
            clock_started=True,
            clock_shows=event.seconds,
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


def explained(diagnosis: Diagnosis, environment: Environment, explain: Explain) -> Diagnosis:
    """The diagnosis with what is known of its errors."""
    findings = []
    for finding in diagnosis.findings:
        known = explain(finding.error, environment)
        if known is not None:
            finding = finding.model_copy(update={"explanation": known[0], "link": known[1]})
        findings.append(finding)
    return diagnosis.model_copy(update={"findings": tuple(findings)})
