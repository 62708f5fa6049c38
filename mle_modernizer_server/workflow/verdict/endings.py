"""Ends of the work on a session."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import ErrorDiagnosis, FixType
from mle_modernizer_server.domain.execution import CellError, Ending, Execution
from mle_modernizer_server.domain.message import Message, Messages, coded
from mle_modernizer_server.domain.model_calls import Bound, Budget
from mle_modernizer_server.domain.session import (
    GradedRun,
    Iteration,
    Phase,
    RehearsalRun,
    Review,
    Session,
    Verdict,
)
from mle_modernizer_server.workflow.fix.propose import NoProposal
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.verdict.final_verdict import Ruling, rule
from mle_modernizer_server.workflow.verdict.progress import best


def ending_without_need(iteration: Iteration, competition: str | None) -> events.Rested | None:
    """Return the end if nothing needs a fix; None if a fix is due.

    A score that is better than the target's band needs none: no fix lowers it.
    """
    if iteration.require_diagnosis().fix_type is not None:
        return None
    return _ending((iteration,), competition)


def ending_without_budget(
    iterations: Sequence[Iteration], competition: str | None, bound: Bound, budget: Budget
) -> events.Rested:
    """Return the end if a part of the budget is spent.

    Args:
        iterations: The runs, the best of which represents the notebook.
        competition: Slug of the competition, if there is one.
    """
    return _ending(iterations, competition, Verdict.BUDGET_SPENT, spent(bound, budget))


def ending_without_fix(
    iterations: Sequence[Iteration], competition: str | None, answer: NoProposal
) -> events.Rested:
    """Return the end if no fixer has a proposal, or one failed."""
    leader = best(iterations)
    if isinstance(leader, RehearsalRun) and not answer.failed and answer.held is None:
        message = leader.require_diagnosis().summary + answer.reasons
        return events.Rested(phase=Phase.READY, message=message + coded("next.run-on-all-data"))
    if answer.failed and answer.held is None:
        message = leader.require_diagnosis().summary + answer.reasons
        return events.Rested(phase=Phase.FAILED, message=message)
    verdict = Verdict.NO_PROGRESS if answer.circular else Verdict.NO_FIX
    if answer.unexamined:
        verdict = Verdict.NOT_EXAMINED
    if answer.held is not None:
        verdict = Verdict.AWAITS_YES
    why = answer.reasons
    if answer.circular and answer.held is None and not answer.unexamined:
        why = coded("stalled.tried-before")
    return _ending(iterations, competition, verdict, why)


def ending_in_circles(
    iterations: Sequence[Iteration], competition: str | None, why: Messages
) -> events.Rested:
    """Return the end if fixing makes no more progress."""
    return _ending(iterations, competition, Verdict.NO_PROGRESS, why)


def first_failure(diagnosis: ErrorDiagnosis, execution: Execution) -> Messages:
    """Return the first failing cell of a notebook, and the reason; empty if none."""
    first = diagnosis.first_root()
    if first is None:
        return ()
    error = first.error
    number = _cell_number(execution, error)
    # A message in a frame of asterisks says nothing in its first line.
    words = (word for word in error.evalue.split() if len(word) < 5 or any(map(str.isalnum, word)))
    message = " ".join(words)
    if len(message) > _LONGEST:
        message = f"{message[:_LONGEST].rstrip()} […]"
    said = f"{error.ename}: {message}".rstrip(" .:")
    return coded("failure.first", cell=number, error=said)


_LONGEST = 160


def ending_of_review(session: Session, review: Review) -> events.Rested:
    """Return the end of a session when the last edit of a review is decided."""
    if review.final and not (review.applied and session.verdict is Verdict.AWAITS_YES):
        return events.Rested(
            phase=Phase.FINISHED,
            message=coded("review.decided"),
            details=session.details,
            verdict=session.verdict,
        )
    if review.proposal.fix_type is FixType.IMPROVEMENT and not review.applied:
        message = coded("improve.kept")
        return events.Rested(phase=Phase.FINISHED, message=message, verdict=session.verdict)
    if review.proposal.fix_type is FixType.WRITING and not review.applied:
        return events.Rested(phase=Phase.READY, message=coded("improve.kept"))
    if not session.iterations:
        message = coded("next.run-for-rest" if review.applied else "next.run-unchanged")
    else:
        message = coded("next.run-fixed" if review.applied else "next.after-rejection")
    return events.Rested(phase=Phase.READY, message=message)


def spent(bound: Bound, budget: Budget) -> Messages:
    """Return the exhausted part of a budget and how to raise it."""
    if bound is Bound.TOKENS:
        return coded("budget.tokens", tokens=budget.tokens or 0)
    if bound is Bound.MONEY:
        return coded("budget.money", usd=budget.usd or 0)
    if bound is Bound.TIME:
        return coded("budget.time", seconds=budget.seconds or 0.0)
    return coded("budget.fixes", count=budget.fixes) if budget.fixes else coded("budget.no-fix")


def _ending(
    iterations: Sequence[Iteration],
    competition: str | None,
    stopped: Verdict | None = None,
    why: Messages = (),
) -> events.Rested:
    """Return the best run's outcome or obstacle, and the next step; the rest as details."""
    ruling = rule(competition, iterations, stopped=stopped)
    leader = best(iterations)
    summary = leader.require_diagnosis().summary
    if ruling is None:
        return events.Rested(phase=Phase.FINISHED, message=summary + why)
    told = tuple(one for one in why if _is_outcome(one))
    rest = tuple(one for one in why if not _is_outcome(one))
    stops = _what_stops(leader, ruling) if ruling.verdict in _STOPPED else ()
    if stops:
        chooses = any(one.code == "files.choose" for one in told)
        message, rest = stops + told + (() if chooses else ruling.advice), summary + rest
    else:
        message = summary + told + ruling.text
    return events.Rested(
        phase=Phase.FINISHED, message=message, details=rest, verdict=ruling.verdict
    )


_STOPPED = frozenset(
    {
        *(Verdict.NEEDS_EXTERNAL_DATA, Verdict.CANNOT_RUN, Verdict.NEEDS_TIME),
        *(Verdict.NO_FIX, Verdict.NO_PROGRESS, Verdict.BUDGET_SPENT),
        *(Verdict.AS_SAVED, Verdict.NOT_EXAMINED),
    }
)
"""The verdicts that require an explanation of the obstacle."""


def _is_outcome(reason: Message) -> bool:
    """Return whether the reason is the overall outcome (else one fixer's reason)."""
    return reason.code.startswith(("budget.", "stalled.")) or reason.code in _OUTCOMES


_OUTCOMES = frozenset(
    {
        *("fix.held", "files.choose", "target.out-of-reach"),
        *("rules.not-looked", "rules.not-finished"),
    }
)


def ending_of_check(iteration: Iteration, competition: str | None) -> events.Rested:
    """Return the end of a run without a request for a fix: its obstacle, or its outcome."""
    rested = ending_without_need(iteration, competition)
    if rested is not None:
        return rested
    summary = iteration.require_diagnosis().summary
    ruling = rule(competition, (iteration,), stopped=Verdict.NO_FIX)
    stops: Messages = ()
    if ruling is not None and ruling.verdict in _STOPPED:
        stops = _what_stops(iteration, ruling)
    if ruling is None or not stops:
        return events.Rested(phase=Phase.FINISHED, message=summary)
    advice = () if ruling.verdict is Verdict.NO_FIX else ruling.advice
    if advice == coded("advice.needs-external-data"):
        advice = coded("advice.find-file")  # files are looked up only for a fix
    return events.Rested(phase=Phase.FINISHED, message=stops + advice, details=summary)


def _what_stops(iteration: Iteration, ruling: Ruling) -> Messages:
    """Return a notebook's obstacle and its cell; empty if no cell fails."""
    if ruling.error is not None and ruling.reason:
        cell = _cell_number(iteration.execution, ruling.error)
        return coded("stops.in", cell=cell, why=ruling.reason)
    if ruling.reason or iteration.diagnosis is None or iteration.execution is None:
        return ruling.reason
    failure = first_failure(iteration.diagnosis, iteration.execution)
    if not failure:
        return ()
    again = ruling.verdict is Verdict.NO_PROGRESS
    if _is_exit(iteration.diagnosis, iteration.execution):
        stops = iteration.execution.message
    else:
        stops = coded("stalled.still-stops" if again else "stops.first", failure=failure)
    return stops + _as_saved(iteration)


def _is_exit(diagnosis: ErrorDiagnosis, execution: Execution) -> bool:
    """Return whether the first cell that failed is the one that ended the kernel."""
    first = diagnosis.first_root()
    exited = execution.ending is Ending.EXITED and bool(execution.errors)
    return exited and first is not None and first.error == execution.errors[-1]


def _as_saved(iteration: Iteration) -> Messages:
    """Return the remark that the failing cell had failed in the same way in its saved outputs."""
    agreement = iteration.agreement if isinstance(iteration, GradedRun) else None
    if not iteration.roots or agreement is None:
        return ()
    first = iteration.roots[0].error
    return coded("stops.as-saved", kind=first.ename) if agreement.is_same(first.cell_id) else ()


def _cell_number(execution: Execution | None, error: CellError) -> int:
    """Return the number of the code cell of an error, from 1."""
    cells = () if execution is None else execution.cells
    return next((at for at, cell in enumerate(cells, 1) if cell.cell_id == error.cell_id), 0)
