"""Recording runs: a run of `run_once` becomes the session's next iteration."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from nbformat import NotebookNode

from mle_modernizer_server.code.machine import shows_machine
from mle_modernizer_server.diagnosis import RunLeft, contrast, unsteady_values
from mle_modernizer_server.diagnosis.saved_outputs import compare_outputs, with_unrun_cells
from mle_modernizer_server.diagnosis.summary import with_agreement
from mle_modernizer_server.domain.diagnosis import Diagnosis
from mle_modernizer_server.domain.environment import EnvironmentTime
from mle_modernizer_server.domain.era import KeptRun, OwnTimeContrast
from mle_modernizer_server.domain.execution import CellStatus, Ending, ExecutionStatus
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import (
    CellOutputs,
    CellTag,
    Notebook,
    OutputAgreement,
    RunOutputs,
    notebook_hash,
)
from mle_modernizer_server.domain.proposal import Origin
from mle_modernizer_server.domain.session import Iteration, ResumedRun, RunKind
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.on_sample import Reduction
from mle_modernizer_server.workflow.run.run_once import (
    Run,
    RunRequest,
    run_on_sample,
    run_once,
    run_request,
)
from mle_modernizer_server.workflow.verdict.progress import best
from mle_modernizer_server.workflow.verdict.proven import needs_proof, unproven
from mle_modernizer_server.workflow.work import Work

_LARGEST = 50_000_000
"""Characters of the outputs of one run that are stored."""


async def record_run(work: Work, request: RunRequest, origin: Origin | None = None) -> Iteration:
    """Run a notebook as the session's next iteration.

    Args:
        origin: The proposal that made the notebook, in auto mode.

    Raises:
        Cancelled, ModernizerError: As `run_once`.
    """
    try:
        begin_iteration(work, request, origin)
    except BaseException:
        if request.resume is not None:
            await request.resume.run.end()
        raise
    run = await run_once(request, work.services, on_event=work.write, cancel=work.cancel)
    if run.paused is not None:
        await work.services.paused.keep(work.log, work.session_id, run.paused)
    return end_iteration(work, run)


async def record_rehearsal(
    work: Work, notebook: Notebook, reduction: Reduction, origin: Origin | None = None
) -> Iteration:
    """Run a notebook's reduction as the session's next iteration.

    Args:
        notebook: The notebook, with its whole training.
        origin: The proposal that made the notebook, in auto mode.

    Raises:
        Cancelled, ModernizerError: As `run_on_sample`.
    """
    request = run_request(work, notebook)
    begin_iteration(work, request, origin, rehearsal=True)
    run = await run_on_sample(
        request, reduction, work.services, on_event=work.write, cancel=work.cancel
    )
    work.write(events.Rehearsed(rehearsal=run.rehearsal, diagnosis=run.diagnosis))
    return work.session.iterations[-1]


def begin_iteration(
    work: Work,
    request: RunRequest,
    origin: Origin | None = None,
    *,
    began: datetime | None = None,
    rehearsal: bool = False,
) -> None:
    """Record that a run has begun.

    Args:
        origin: The proposal that made the notebook, in auto mode.
        began: Start time if not now.
    """
    notebook, session = request.notebook, work.session
    kind, message = RunKind.CLEAN, request.message or coded("progress.sandbox")
    if rehearsal:
        kind, message = RunKind.REHEARSAL, coded("progress.rehearsal-sandbox")
    elif request.resume is not None:
        kind = RunKind.RESUMED
        message = coded("progress.resuming", cell=request.resume.run.stop.ordinal)
    original = work.notebook(session.notebook_hash)
    work.write(
        events.RunStarted(
            notebook_hash=notebook_hash(notebook),
            run=kind,
            message=message,
            origin=origin,
            changed_lines=_changed_lines(original, notebook),
            needs_proof=needs_proof(original, notebook, session.all_reviews),
            began=began,
        ),
        notebook,
    )


def end_iteration(work: Work, run: Run) -> Iteration:
    """Record the result of the run of the latest iteration, whose execution is in the log."""
    *earlier, latest = work.session.iterations
    notebook = work.notebook(latest.notebook_hash)
    agreement = agreement_of(work, notebook, run)
    diagnosis = with_agreement(run.diagnosis, agreement)
    if latest.needs_proof:
        diagnosis = diagnosis.model_copy(update={"summary": unproven(diagnosis.summary)})
    diagnosis = agreeing(earlier, latest, diagnosis)
    found = {"grade": run.grade, "diagnosis": diagnosis, "agreement": agreement}
    latest = latest.model_copy(update=found)
    number = best((*earlier, latest)).number
    work.write(
        events.Diagnosed(grade=run.grade, diagnosis=diagnosis, best=number, agreement=agreement)
    )
    if latest.whole:
        compare_with_own_time(work, notebook, run, latest.number)
        needed = {number, latest.number}
        outputs = outputs_of(run.executed)
        work.log.keep_run_outputs(work.session_id, latest.number, outputs, needed)
    return work.session.iterations[-1]


def compare_with_own_time(
    work: Work, notebook: Notebook, run: Run, iteration: int | None = None
) -> OwnTimeContrast | None:
    """Compare a run of today with the stored one with the original libraries; log the result.

    Args:
        notebook: The notebook that ran today.

    Returns: None if no run is stored to compare with.
    """
    store = work.log
    then = store.kept_run(work.session_id, EnvironmentTime.OWN)
    if then is None or run.values is None:
        return None
    unsteady: dict[str, tuple[str, ...]] = {}
    before = store.kept_run(work.session_id, EnvironmentTime.TODAY)
    if before is not None:
        ran = work.notebook(before.notebook_hash)
        moving = unsteady_values(ran, notebook, before.values, run.values)
        unsteady = {
            cell_id: tuple(dict.fromkeys((*before.unsteady.get(cell_id, ()), *names)))
            for cell_id, names in ({**before.unsteady, **moving}).items()
        }
    kept = KeptRun(
        notebook_hash=notebook_hash(notebook), values=dict(run.values), unsteady=unsteady
    )
    store.keep_notebook(work.session_id, notebook)
    store.keep_run(work.session_id, EnvironmentTime.TODAY, kept)
    fresh = {cell.id: cell.get("outputs", ()) for cell in run.executed.cells}
    found = contrast(
        notebook,
        run.execution,
        RunLeft(then.values, then.outputs),
        RunLeft(run.values, fresh, unsteady),
        iteration,
    )
    work.write(events.Contrasted(contrast=found))
    return found


def agreement_of(work: Work, notebook: Notebook, run: Run) -> OutputAgreement | None:
    """Compare a run's outputs with those saved in the notebook's file, if any.

    Args:
        notebook: The notebook that ran.
    """
    skipped = {cell.cell_id for cell in run.execution.cells if cell.status is CellStatus.SKIPPED}
    skipped |= {cell.id for cell in notebook.code_cells() if shows_machine(cell.source)}
    file = work.log.saved_outputs(work.session_id).in_cells_of(notebook)
    every = file.pairs
    saved = [(cell_id, () if cell_id in skipped else outputs) for cell_id, outputs in every]
    if not any(outputs for _, outputs in every) or run.execution.ending is Ending.STOPPED:
        return None
    fresh = {cell.id: cell.get("outputs", ()) for cell in run.executed.cells}
    unsuccessful = frozenset(
        cell.cell_id for cell in run.execution.cells if cell.status is not CellStatus.OK
    )
    threshold = work.session.settings.threshold
    agreement = compare_outputs(saved, fresh, unsuccessful, threshold=threshold)
    return with_unrun_cells(agreement, notebook, file, unsuccessful)


def agreeing(earlier: Sequence[Iteration], latest: Iteration, diagnosis: Diagnosis) -> Diagnosis:
    """Return the diagnosis of a clean run; mention if the resumed run before it differed.

    Args:
        earlier: The session's iterations before it.
    """
    before = earlier[-1] if earlier else None
    if (
        not isinstance(before, ResumedRun)
        or not latest.whole
        or before.notebook_hash != latest.notebook_hash
        or before.diagnosis is None
        or before.diagnosis.outcome is diagnosis.outcome
    ):
        return diagnosis
    otherwise = coded("summary.resumed-otherwise", outcome=_outcome(before.diagnosis))
    return diagnosis.model_copy(update={"summary": diagnosis.summary + otherwise})


def _outcome(diagnosis: Diagnosis) -> Messages:
    if diagnosis.execution_status is ExecutionStatus.ERROR_FREE:
        good, bad = coded("outcome.clean-reproducible"), coded("outcome.clean-other")
    else:
        good, bad = coded("outcome.errors-reproducible"), coded("outcome.errors-other")
    return good if diagnosis.outcome.reproducible else bad


def outputs_of(executed: NotebookNode) -> RunOutputs:
    """Return the outputs and execution counts of a notebook that ran.

    Cells that were not selected to run are left out: their outputs do not change.
    """
    cells = tuple(
        CellOutputs(
            cell_id=cell.id,
            execution_count=cell.get("execution_count"),
            outputs=tuple(json.loads(json.dumps(output)) for output in cell.get("outputs", ())),
        )
        for cell in executed.cells
        if cell.cell_type == "code"
        and CellTag.SKIP_EXECUTION.value not in cell.metadata.get("tags", ())
    )
    size = sum(len(output) for cell in cells for output in map(json.dumps, cell.outputs))
    if size <= _LARGEST:
        return RunOutputs(cells=cells)
    bare = tuple(cell.model_copy(update={"outputs": ()}) for cell in cells)
    return RunOutputs(cells=bare, cut=True)


def _changed_lines(before: Notebook, after: Notebook) -> int:
    """Return how many lines of one notebook the other lacks, cell by cell."""
    one, other = (
        Counter((cell.id, line) for cell in notebook.cells for line in cell.source.splitlines())
        for notebook in (before, after)
    )
    return ((one - other) + (other - one)).total()
