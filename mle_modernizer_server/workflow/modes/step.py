"""Step mode: one run, and a proposal for its errors; then the user decides."""

from __future__ import annotations

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.workflow.fix.propose import Ask, propose
from mle_modernizer_server.workflow.fix.restoring import (
    cells_to_restore,
    differing_cells,
    propose_restoring,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.rehearse import rehearse
from mle_modernizer_server.workflow.run.resume import advance
from mle_modernizer_server.workflow.verdict.endings import (
    ending_without_budget,
    ending_without_fix,
    ending_without_need,
)
from mle_modernizer_server.workflow.verdict.proven import as_proven
from mle_modernizer_server.workflow.work import Work


async def step(work: Work, notebook: Notebook, *, fresh: bool = False) -> None:
    """Run a notebook and propose a fix, if one is due and the budget allows it.

    If a rehearsal comes first and finds errors that can be fixed, the step ends with their fix.

    Args:
        fresh: Begin with the first cell, even if a run is paused.

    Raises:
        Cancelled, ModernizerError: As `advance` and `propose`.
    """
    resumes = work.session.waiting is not None and not fresh
    if not resumes and await _propose_for_rehearsal(work, notebook):
        return
    await advance(work, notebook, fresh=fresh)
    session = work.session
    latest = session.iterations[-1]
    settings = session.settings
    rested = ending_without_need(latest, settings.competition)
    bound = settings.budget.spent(session.spending)
    if rested is None and bound is not None:
        rested = ending_without_budget((latest,), settings.competition, bound, settings.budget)
    ask = Ask(
        notebook=notebook,
        fix_type=latest.require_diagnosis().fix_type or FixType.ERROR_REPAIR,
        scope=settings.scope,
        fixers=settings.fixers,
    )
    if rested is None:
        await propose_next(work, ask)
        return
    if bound is None and differing_cells(latest):
        await _propose_restoring(work, ask, rested)
    else:
        work.write(as_proven(session, latest, rested))


async def propose_next(work: Work, ask: Ask) -> None:
    """Stage a proposal for the latest iteration for review, or report why there is none.

    Raises:
        Cancelled, ModernizerError: As `propose`.
    """
    iteration = work.session.iterations[-1]
    answer = await propose(work, iteration, ask)
    if isinstance(answer, Proposal):
        work.stage(answer, iteration.require_diagnosis().summary + coded("next.review-fix"))
    else:
        rested = ending_without_fix((iteration,), work.settings.competition, answer)
        await _propose_restoring(work, ask, rested)


async def _propose_restoring(work: Work, ask: Ask, rested: events.Rested) -> None:
    """Stage a proposal that restores differing outputs of the latest iteration, or report the end.

    Raises:
        Cancelled, ModernizerError: As `propose`.
    """
    iteration = work.session.iterations[-1]
    asked = FixerName.RULES in work.settings.fixers
    if asked and await cells_to_restore(iteration, ask.notebook):
        answer = await propose_restoring(work, iteration, ask)
        if isinstance(answer, Proposal):
            work.stage(answer, rested.message + coded("next.review-restoring"))
            return
    work.write(as_proven(work.session, iteration, rested))


async def _propose_for_rehearsal(work: Work, notebook: Notebook) -> bool:
    """Rehearse, and stage a fix for the errors for review.

    Returns:
        Whether a fix waits for review; otherwise the whole notebook must run now.
    """
    met = await rehearse(work, notebook)
    session = work.session
    settings = session.settings
    if met is None or session.fixes >= settings.max_fixes:
        return False
    ask = Ask(notebook, FixType.ERROR_REPAIR, settings.scope, settings.fixers)
    answer = await propose(work, met, ask)
    if not isinstance(answer, Proposal):
        return False
    summary = met.require_diagnosis().summary
    work.stage(answer, summary + coded("next.review-and-run"))
    return True
