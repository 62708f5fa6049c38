"""How the work on a session ends, in words."""

from __future__ import annotations

from mle_modernizer_server.domain.session import Iteration, Phase, Review, Session, Verdict
from mle_modernizer_server.workflow import events
from mle_modernizer_server.workflow.iterate import latest_diagnosis
from mle_modernizer_server.workflow.propose import NoProposal


def ending_without_need(iteration: Iteration) -> events.Rested | None:
    """How it ends when nothing needs a fix; None where a fix is due.

    A score that is better than the target's band needs none: nothing pushes it down.
    """
    diagnosis, grade = latest_diagnosis(iteration), iteration.grade
    if diagnosis.fix_type is not None:
        return None
    verdict = None
    if diagnosis.outcome.reproducible:
        verdict = Verdict.REPRODUCED
    elif grade is not None and grade.better_than_target:
        verdict = Verdict.ABOVE_TARGET
    return events.Rested(phase=Phase.FINISHED, message=diagnosis.summary, verdict=verdict)


def ending_without_budget(iteration: Iteration, fixes: int) -> events.Rested:
    """How it ends when the fixes allowed are used up."""
    summary = latest_diagnosis(iteration).summary
    return events.Rested(
        phase=Phase.FINISHED,
        message=f"{summary} All {fixes} fixes are used up; raise the limit to go on.",
        verdict=Verdict.BUDGET_SPENT,
    )


def ending_without_fix(iteration: Iteration, answer: NoProposal) -> events.Rested:
    """How it ends when no fixer has a proposal, or one broke down."""
    message = " ".join((latest_diagnosis(iteration).summary, *answer.reasons))
    if iteration.rehearsal is not None and not answer.failed:
        return events.Rested(phase=Phase.READY, message=f"{message} Run it on all the data.")
    if answer.failed:
        return events.Rested(phase=Phase.FAILED, message=message)
    verdict = Verdict.NO_PROGRESS if answer.circular else Verdict.NO_FIX
    return events.Rested(phase=Phase.FINISHED, message=message, verdict=verdict)


def ending_of_review(session: Session, review: Review) -> events.Rested:
    """Where a session stands when the last edit of a review is decided."""
    if review.final:
        return events.Rested(
            phase=Phase.FINISHED, message="All changes are decided.", verdict=session.verdict
        )
    if not session.iterations:
        message = (
            "Run the notebook to see what is left."
            if review.applied
            else "Nothing was changed; run the notebook to see what breaks."
        )
    elif review.applied:
        message = "Run the notebook again to see what the fix did."
    else:
        message = "The fix was rejected; ask for another one, or run the notebook again."
    return events.Rested(phase=Phase.READY, message=message)
