"""Where a run without errors gives other outputs than the saved ones: what may bring them back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from mle_modernizer_server.diagnosis import cells_behind
from mle_modernizer_server.domain.diagnosis import FixType, Outcome
from mle_modernizer_server.domain.execution import Ending
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.proposal import FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.saved_outputs import OutputMatch
from mle_modernizer_server.domain.session import GradedRun, Iteration
from mle_modernizer_server.fixing.integrity import without
from mle_modernizer_server.workflow.fix.propose import Ask, NoProposal, propose
from mle_modernizer_server.workflow.work import Work


def differing_cells(iteration: Iteration) -> frozenset[str]:
    """Ids of the cells whose outputs a silent change of a library may explain.

    Empty where a cell failed, a fix is due anyway, or a score tells whether the result is right.
    """
    if not isinstance(iteration, GradedRun) or iteration.agreement is None:
        return frozenset()
    diagnosis, execution, grade = iteration.diagnosis, iteration.execution, iteration.grade
    if diagnosis is None or execution is None or diagnosis.fix_type is not None:
        return frozenset()
    if execution.ending is not Ending.COMPLETED or (grade is not None and grade.target is not None):
        return frozenset()
    if diagnosis.outcome is not Outcome.ERROR_FREE_NON_REPRODUCIBLE:
        return frozenset()
    cells = iteration.agreement.cells
    return frozenset(cell.cell_id for cell in cells if cell.match is OutputMatch.DIFFERENT)


async def propose_restoring(work: Work, iteration: Iteration, ask: Ask) -> Proposal | NoProposal:
    """What the rules know to restore old behaviour in cells that the differing outputs depend on.

    Raises:
        Cancelled, Conflict: As `propose`.
    """
    differing = differing_cells(iteration)
    asked = replace(ask, fix_type=FixType.SCORE_CALIBRATION, fixers=(FixerName.RULES,))
    answer = await propose(work, iteration, asked)
    if isinstance(answer, NoProposal):
        return answer
    behind = await asyncio.to_thread(cells_behind, ask.notebook, differing)
    aside = [edit for edit in answer.edits if edit.cell_id not in behind]
    proposal = without(answer, aside, ()) if aside else answer
    reason = () if not proposal.edits else ask.refusal(apply_edits(ask.notebook, proposal.edits))
    if not proposal.edits or reason:
        nothing = reason or coded("restoring.none-behind")
        return NoProposal(reasons=nothing, failed=False, circular=bool(reason))
    return proposal
