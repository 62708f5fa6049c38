"""Finishing: copy the results of the run that represents a notebook into it.

`outputs_of` returns a run's outputs, stored with the session while they may be needed;
`finished_run` combines them with a record of their origin.
"""

from __future__ import annotations

import json
from datetime import datetime, timezone

from nbformat import NotebookNode

from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import (
    CellOutputs,
    CellTag,
    FinishedRun,
    Notebook,
    Provenance,
    RunOutputs,
    sources_crc32,
)
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import CleanRun, Session

_LARGEST = 50_000_000
"""Characters of the outputs of one run."""
_PROGRAM = "MLE Modernizer"


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


def finishing_run(session: Session, number: int | None = None) -> CleanRun:
    """Return the run whose outputs a finished notebook gets.

    Args:
        number: Of the run; None selects the best one.

    Raises:
        Conflict: No such run, or it ran only a part of the notebook or of the data.
    """
    wanted = session.best if number is None else number
    if wanted is None or not 1 <= wanted <= len(session.iterations):
        raise Conflict(coded("finish.no-run"))
    iteration = session.iterations[wanted - 1]
    if not isinstance(iteration, CleanRun) or iteration.diagnosis is None or not iteration.whole:
        raise Conflict(coded("finish.not-whole", wanted=wanted))
    return iteration


def finished_run(
    session: Session, iteration: CleanRun, notebook: Notebook, outputs: RunOutputs, version: str
) -> FinishedRun:
    """Return everything that finishing puts into a notebook.

    Args:
        notebook: The notebook that ran.
    """
    grade, execution = iteration.grade, iteration.execution
    verdict, diagnosis = session.verdict, iteration.diagnosis
    outcome = diagnosis.outcome.value if diagnosis is not None else ""
    if verdict is not None and iteration.number == session.best:
        outcome = verdict.value
    models = {
        review.proposal.model
        for review in session.all_reviews
        if review.applied and review.proposal.fixer is FixerName.LLM and review.proposal.model
    }
    provenance = Provenance(
        tool=f"{_PROGRAM} {version}",
        finished_at=datetime.now(timezone.utc).replace(microsecond=0),
        session=session.id,
        run=iteration.number,
        outcome=outcome,
        competition=session.settings.competition,
        metric=None if grade is None or grade.metric is None else grade.metric.value,
        score=None if grade is None else grade.score,
        target_score=session.settings.target_score,
        deviation=None if grade is None else grade.deviation,
        deviation_is_absolute=grade is not None and grade.deviation_is_absolute,
        python="" if execution is None else execution.environment.python,
        packages={} if execution is None else execution.environment.packages,
        sandbox="" if execution is None else execution.sandbox,
        image="" if execution is None else execution.image,
        seconds=0.0 if execution is None else round(execution.seconds, 1),
        fixes=session.fixes,
        models=tuple(sorted(models)),
        sources_crc32=sources_crc32(notebook.cells),
    )
    return FinishedRun(
        run=iteration.number,
        notebook_hash=iteration.notebook_hash,
        cells=outputs.cells,
        cut=outputs.cut,
        provenance=provenance,
    )
