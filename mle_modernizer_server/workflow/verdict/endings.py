"""How the work on a session ends."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.budget import Bound, Budget
from mle_modernizer_server.domain.diagnosis import Diagnosis
from mle_modernizer_server.domain.execution import Execution
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.session import Iteration, Phase, Review, Session, Verdict
from mle_modernizer_server.workflow.fix.propose import NoProposal
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.verdict.final_verdict import rule
from mle_modernizer_server.workflow.verdict.progress import best


def ending_without_need(iteration: Iteration, competition: str | None) -> events.Rested | None:
    """How it ends when nothing needs a fix; None where a fix is due.

    A score that is better than the target's band needs none: nothing pushes it down.
    """
    if iteration.require_diagnosis().fix_type is not None:
        return None
    return _ending((iteration,), competition)


def ending_without_budget(
    iterations: Sequence[Iteration], competition: str | None, bound: Bound, budget: Budget
) -> events.Rested:
    """How it ends when something of the budget is spent.

    Args:
        iterations: What was run, the best of which speaks for the notebook.
        competition: Slug of the competition, if there is one.
        bound: What is spent.
        budget: How much of it there was.
    """
    return _ending(iterations, competition, Verdict.BUDGET_SPENT, spent(bound, budget))


def ending_without_fix(
    iterations: Sequence[Iteration], competition: str | None, answer: NoProposal
) -> events.Rested:
    """How it ends when no fixer has a proposal, or one broke down."""
    leader = best(iterations)
    if leader.rehearsal is not None and not answer.failed and answer.held is None:
        message = leader.require_diagnosis().summary + answer.reasons
        return events.Rested(phase=Phase.READY, message=message + coded("next.run-on-all-data"))
    if answer.failed and answer.held is None:
        message = leader.require_diagnosis().summary + answer.reasons
        return events.Rested(phase=Phase.FAILED, message=message)
    verdict = Verdict.NO_PROGRESS if answer.circular else Verdict.NO_FIX
    if answer.held is not None:
        verdict = Verdict.AWAITS_YES
    why = answer.reasons
    if answer.circular and answer.held is None:
        why = coded("stalled.tried-before") + still_stops(leader)
    return _ending(iterations, competition, verdict, why)


def ending_in_circles(
    iterations: Sequence[Iteration], competition: str | None, why: Messages
) -> events.Rested:
    """How it ends when fixing brings nothing any more."""
    why += still_stops(best(iterations))
    return _ending(iterations, competition, Verdict.NO_PROGRESS, why)


def still_stops(iteration: Iteration) -> Messages:
    """What stops a notebook first; empty where no cell of its own fails."""
    if iteration.diagnosis is None or iteration.execution is None:
        return ()
    failure = first_failure(iteration.diagnosis, iteration.execution)
    return coded("stalled.still-stops", failure=failure) if failure else ()


def first_failure(diagnosis: Diagnosis, execution: Execution) -> Messages:
    """Where a notebook stops first, and why; empty where nowhere."""
    first = diagnosis.first_root()
    if first is None:
        return ()
    error = first.error
    cells = [cell.cell_id for cell in execution.cells]
    number = cells.index(error.cell_id) + 1 if error.cell_id in cells else 0
    message = " ".join(error.evalue.split())
    if len(message) > _LONGEST:
        message = f"{message[:_LONGEST]}…"
    said = f"{error.ename}: {message}".rstrip(" .:")
    return coded("failure.first", cell=number, error=said)


_LONGEST = 160


def ending_of_review(session: Session, review: Review) -> events.Rested:
    """Where a session stands when the last edit of a review is decided."""
    if review.final and not (review.applied and session.verdict is Verdict.AWAITS_YES):
        return events.Rested(
            phase=Phase.FINISHED, message=coded("review.decided"), verdict=session.verdict
        )
    if not session.iterations:
        message = coded("next.run-for-rest" if review.applied else "next.run-unchanged")
    else:
        message = coded("next.run-fixed" if review.applied else "next.after-rejection")
    return events.Rested(phase=Phase.READY, message=message)


def spent(bound: Bound, budget: Budget) -> Messages:
    """Which part of a budget is used up and how to raise it."""
    if bound is Bound.TOKENS:
        return coded("budget.tokens", tokens=budget.tokens or 0)
    if bound is Bound.MONEY:
        return coded("budget.money", usd=budget.usd or 0)
    if bound is Bound.TIME:
        return coded("budget.time", minutes=(budget.seconds or 0.0) / 60)
    return coded("budget.fixes", count=budget.fixes) if budget.fixes else coded("budget.no-fix")


def _ending(
    iterations: Sequence[Iteration],
    competition: str | None,
    stopped: Verdict | None = None,
    why: Messages = (),
) -> events.Rested:
    """The summary of the best run, why it stopped, and what the verdict on it says."""
    ruling = rule(competition, iterations, stopped=stopped)
    text = () if ruling is None else ruling.text
    message = best(iterations).require_diagnosis().summary + why + text
    return events.Rested(
        phase=Phase.FINISHED, message=message, verdict=None if ruling is None else ruling.verdict
    )
