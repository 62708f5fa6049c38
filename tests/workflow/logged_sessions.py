"""Whole sessions written as event logs, without running anything: for many of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from mle_modernizer_server.domain.diagnosis import (
    Diagnosis,
    ErrorKind,
    Finding,
    FixScope,
    FixType,
    Outcome,
)
from mle_modernizer_server.domain.execution import CellError, CellStatus, Ending, ExecutionStatus
from mle_modernizer_server.domain.model_calls import Price, Usage
from mle_modernizer_server.domain.notebook import Notebook, notebook_hash
from mle_modernizer_server.domain.proposal import FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import Phase, Session, Verdict
from mle_modernizer_server.domain.settings import Mode, SessionSettings
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.owner import this_process
from mle_modernizer_server.workflow.log.store import Store
from tests import values

MODEL = "gpt-5.2"
PRICE = Price(input=1.75, cached_input=0.175, output=14, as_of=date(2025, 12, 11))
USAGE = Usage(
    calls=1,
    input_tokens=8_000,
    cached_input_tokens=4_000,
    output_tokens=1_000,
    reasoning_tokens=600,
).priced(PRICE)
"""Of one fix: 4,000 × 1.75 + 4,000 × 0.175 + 1,000 × 14 = 21,700 millionths of a dollar."""
ENDED_WELL = (Outcome.ERROR_FREE_REPRODUCIBLE, ExecutionStatus.ERROR_FREE, None)
FAILED_CELL = (Outcome.ERROR_NON_REPRODUCIBLE, ExecutionStatus.ERROR, FixType.ERROR_REPAIR)
OFF_TARGET = (
    Outcome.ERROR_FREE_NON_REPRODUCIBLE,
    ExecutionStatus.ERROR_FREE,
    FixType.SCORE_CALIBRATION,
)
TOO_LATE = (Outcome.FAILED, ExecutionStatus.TIMEOUT, FixType.RUNTIME_REDUCTION)
Result = tuple[Outcome, ExecutionStatus, FixType | None]


def logged(
    store: Store,
    path: str,
    results: Sequence[Result],
    *,
    errors: list[list[str]] | None = None,
    steps: int = 0,
    cells: int = 3,
    fixer: FixerName = FixerName.LLM,
    usage: Usage = USAGE,
) -> Session:
    """An auto session: a run for each result, and between two of them one fix of a cell.

    Args:
        store: Where it is written.
        path: Of the notebook.
        results: Of the runs.
        errors: Types of the root errors of each run.
        steps: How many steps of work each run leaves in the log.
        cells: Of the notebook.
        fixer: Who makes the fixes.
        usage: What each costs.
    """
    notebook = values.notebook(*(f"value_{cell} = {cell}" for cell in range(cells)))
    digest = notebook_hash(notebook)
    settings = SessionSettings(mode=Mode.AUTO, target_score=0.9)
    created = events.Created(path=path, notebook_hash=digest, settings=settings)
    session_id = store.create(created, notebook).id
    store.append(session_id, events.WorkStarted(owner=this_process(), message="Starting"))
    for number, result in enumerate(results):
        names = errors[number] if errors else []
        _run(store, session_id, notebook, result, names, steps)
        if number + 1 < len(results):
            fix = _fix(notebook, number, result[2] or FixType.ERROR_REPAIR, fixer, usage)
            store.append(session_id, events.Proposed(proposal=fix, adopted=True))
            notebook = apply_edits(notebook, fix.edits)
    rested = events.Rested(phase=Phase.FINISHED, message="done", verdict=Verdict.REPRODUCED)
    return store.append(session_id, rested)


def _run(
    store: Store,
    session_id: str,
    notebook: Notebook,
    result: Result,
    names: list[str],
    steps: int,
) -> None:
    outcome, status, fix_type = result
    started = events.RunStarted(notebook_hash=notebook_hash(notebook), message="go")
    session = store.append(session_id, started, notebook)
    for step in range(steps):
        progress = events.Progressed(
            phase=Phase.RUNNING, message=f"Running cell {step}", ordinal=step, total=steps
        )
        store.append(session_id, progress)
    ending = Ending.TIMED_OUT if status is ExecutionStatus.TIMEOUT else Ending.COMPLETED
    execution = values.execution(CellStatus.OK, ending=ending)
    execution = execution.model_copy(update={"status": status, "seconds": 10.0})
    store.append(session_id, events.Executed(execution=execution))
    diagnosis = Diagnosis(
        outcome=outcome,
        execution_status=status,
        output_status=values.grade(0.5).output_status,
        findings=tuple(Finding(kind=ErrorKind.ROOT, error=_error(name)) for name in names),
        fix_type=fix_type,
        summary=outcome.value,
    )
    score = 0.9 if outcome.reproducible else 0.5
    number = len(session.iterations)
    store.append(
        session_id, events.Diagnosed(grade=values.grade(score), diagnosis=diagnosis, best=number)
    )


def _error(name: str) -> CellError:
    return CellError(cell_id="c0", index=0, ename=name, evalue="no", traceback=("no",), raised=True)


def _fix(
    notebook: Notebook, number: int, fix_type: FixType, fixer: FixerName, usage: Usage
) -> Proposal:
    cell = notebook.cells[0]
    edit = values.modification(cell.id, cell.source, cell.source + "0")
    return Proposal(
        id=f"p{number}",
        fixer=fixer,
        model=MODEL if fixer is FixerName.LLM else "",
        fix_type=fix_type,
        scope=FixScope.FILE,
        plan=("mend it",),
        edits=(edit,),
        usage=usage if fixer is FixerName.LLM else Usage(),
    )
