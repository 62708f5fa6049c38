"""Finishing: copy the outputs of the run that represents a notebook into it, with their origin."""

from __future__ import annotations

from datetime import datetime, timezone

from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import (
    FinishedRun,
    Notebook,
    Provenance,
    RunOutputs,
    sources_crc32,
)
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import CleanRun, Session

_PROGRAM = "MLE Modernizer"


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
