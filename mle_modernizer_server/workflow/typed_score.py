"""A score somebody types after a run that has none of its own."""

from __future__ import annotations

from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.domain.errors import Conflict
from mle_modernizer_server.domain.grade import Grade, ScoreKind
from mle_modernizer_server.domain.session import Phase, Session, SessionSettings
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.modes.progress import best
from mle_modernizer_server.workflow.verdict.endings import ending_without_need
from mle_modernizer_server.workflow.work import Work


def type_score(work: Work, score: float) -> Session:
    """Take a typed score for the latest run, and diagnose it again.

    It is of the kind `typed`, so it is compared only with a target that was typed, too.

    Args:
        work: The session, which is idle.
        score: The figure.

    Raises:
        Conflict: Nothing has run to its end, or the run has a score that was
            graded or printed.
    """
    session = work.session
    latest = session.current
    if latest is None or not (latest.execution and latest.grade and latest.diagnosis):
        raise Conflict("Nothing has run to its end yet; run the notebook first.")
    if latest.grade.score is not None and latest.grade.score_kind is not ScoreKind.TYPED:
        raise Conflict(f"This run has a score that was {latest.grade.score_kind.value}.")
    grade = _typed(latest.grade, session.settings, score)
    notebook = work.notebook(latest.notebook_hash)
    # What went wrong in the cells is as it was; only what the score means is new.
    diagnosis = diagnose(notebook, latest.execution, grade).model_copy(
        update={"findings": latest.diagnosis.findings}
    )
    latest = latest.model_copy(update={"grade": grade, "diagnosis": diagnosis})
    number = best((*session.iterations[:-1], latest)).number
    work.write(events.Diagnosed(grade=grade, diagnosis=diagnosis, best=number))
    rested = ending_without_need(latest, session.settings.competition)
    if rested is None or session.phase is Phase.REVIEWING:
        rested = events.Rested(phase=session.phase, message=diagnosis.summary)
    return work.write(rested)


def _typed(grade: Grade, settings: SessionSettings, score: float) -> Grade:
    return with_deviation(
        grade.model_copy(
            update={
                "score": score,
                "score_kind": ScoreKind.TYPED,
                "reason": "",
                "target": settings.target_score,
                "target_kind": settings.target_kind,
                "threshold": settings.threshold,
                "measure": settings.distance,
                "floor": None,
                "deviation": None,
                "floor_deviation": None,
                "within_threshold": False,
                "better_than_target": False,
            }
        )
    )
