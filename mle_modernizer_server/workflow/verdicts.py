"""How the work on a session ends, in words."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Iteration, Phase, Verdict
from mle_modernizer_server.workflow import events
from mle_modernizer_server.workflow.propose import NoProposal


def fixers_for(
    iteration: Iteration, fix_type: FixType, chosen: Sequence[FixerName]
) -> tuple[FixerName, ...]:
    """Whom to ask without the user's own word.

    A model is not asked to bring a score down that beats the target; pinning the defaults of the
    notebook's era is left, because it restores what the notebook said.
    """
    grade = iteration.grade
    better = grade is not None and grade.better_than_target
    if fix_type is FixType.SCORE_CALIBRATION and better:
        return tuple(name for name in chosen if name is not FixerName.LLM)
    return tuple(chosen)


def ending_without_fix(iteration: Iteration, answer: NoProposal) -> events.Rested:
    """How it ends when no fixer has a proposal."""
    summary = "" if iteration.diagnosis is None else iteration.diagnosis.summary
    message = " ".join(filter(None, (summary, *answer.reasons)))
    grade = iteration.grade
    if answer.failed:
        return events.Rested(phase=Phase.FAILED, message=message)
    if grade is not None and grade.better_than_target and _calibrating(iteration):
        message = f"{message} The score is better than the target and is left as it is."
        return events.Rested(phase=Phase.FINISHED, message=message, verdict=Verdict.ABOVE_TARGET)
    return events.Rested(phase=Phase.FINISHED, message=message, verdict=Verdict.NO_FIX)


def _calibrating(iteration: Iteration) -> bool:
    diagnosis = iteration.diagnosis
    return diagnosis is not None and diagnosis.fix_type is FixType.SCORE_CALIBRATION
