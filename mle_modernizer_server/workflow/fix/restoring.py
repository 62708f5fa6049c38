"""Runs with other outputs than saved, not due to errors: edits that may restore them."""

from __future__ import annotations

from dataclasses import replace

from mle_modernizer_server import pools
from mle_modernizer_server.code.slices import cells_behind
from mle_modernizer_server.domain.diagnosis import Diagnosis, ErrorKind, FixScope, FixType, Outcome
from mle_modernizer_server.domain.execution import CellStatus
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook, OutputMatch
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.domain.session import GradedRun, Iteration
from mle_modernizer_server.fixing.rules.era.evidence import of_traces
from mle_modernizer_server.workflow.fix.propose import Ask, NoProposal, propose
from mle_modernizer_server.workflow.work import Work


def differing_cells(iteration: Iteration) -> frozenset[str]:
    """Return the ids of the cells whose outputs a silent library change may explain.

    Empty if a fix is due anyway, or a score decides whether the result is right.
    """
    diagnosis = iteration.diagnosis
    if not isinstance(diagnosis, Diagnosis) or diagnosis.fix_type is not None:
        return frozenset()
    clean = diagnosis.outcome is Outcome.ERROR_FREE_NON_REPRODUCIBLE
    return _differing(iteration) if clean else frozenset()


def _differing(iteration: Iteration) -> frozenset[str]:
    """Return the ids of the cells with other outputs than saved; empty if a score decides."""
    if not isinstance(iteration, GradedRun) or iteration.agreement is None:
        return frozenset()
    grade = iteration.grade
    if grade is not None and grade.target is not None:
        return frozenset()
    return iteration.agreement.cells_that(OutputMatch.DIFFERENT)


async def cells_to_restore(iteration: Iteration, notebook: Notebook) -> frozenset[str]:
    """Return the ids of the cells that differing outputs, but no failed cells, depend on.

    Args:
        iteration: The run.
        notebook: The notebook that ran.
    """
    execution, differing = iteration.execution, _differing(iteration)
    if execution is None or not differing:
        return frozenset()
    harmless = {
        item.error.cell_id
        for item in iteration.require_diagnosis().findings
        if item.kind is ErrorKind.HARMLESS
    }
    ran = (CellStatus.OK, CellStatus.SKIPPED)
    failed = {run.cell_id for run in execution.cells if run.status not in ran}
    return await pools.code.run(cells_behind, notebook, differing, failed - harmless)


def lost_cells(before: Iteration, after: Iteration) -> frozenset[str]:
    """Return the ids of the cells whose outputs agree less with the saved ones than before."""
    same, close = _alike_cells(before)
    same_now, close_now = _alike_cells(after)
    return (same - same_now) | (close - same_now - close_now)


def _alike_cells(iteration: Iteration) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids of the cells with the saved outputs, and of those close to them."""
    agreement = iteration.agreement if isinstance(iteration, GradedRun) else None
    if agreement is None:
        return frozenset(), frozenset()
    return agreement.cells_that(OutputMatch.SAME), agreement.cells_that(OutputMatch.CLOSE)


async def propose_foreseen(work: Work, iteration: Iteration, ask: Ask) -> Proposal | NoProposal:
    """Propose fixes for code that is evidently broken though no cell failed.

    A search and a validation turn the failure of a setting or a scorer into a score of nan.

    Raises:
        Cancelled, Conflict: As `propose`.
    """
    foreseen = replace(
        ask, fix_type=FixType.BEFORE_RUN, scope=FixScope.FILE, fixers=(FixerName.RULES,)
    )
    return await propose(work, iteration, foreseen)


async def predicted_changes(work: Work, iteration: Iteration) -> Messages:
    """Return the predictions for the cells behind the differing outputs; empty if there are none.

    Args:
        work: The session, whose notebook before all fixes is analysed.
    """
    execution, notebook = iteration.execution, work.notebook(work.session.notebook_hash)
    if execution is None:
        return ()
    behind = await pools.code.run(cells_behind, notebook, differing_cells(iteration))
    found = await pools.analysis.run(
        work.services.analysis.preflight,
        notebook,
        execution.environment,
        execution.sandbox,
        of_traces(work.created.traces),
        work.settings.era or "",
        seconds=work.settings.rules_seconds,
    )
    items = [one for one in found.items if one.cell_id in behind and (one.certain or one.likely)]
    told = dict.fromkeys((notebook.code_number(one.cell_id), one.what) for one in items)
    return tuple(
        said
        for cell, what in told
        for said in coded("restoring.predicted-change", cell=cell, what=what)
    )


async def propose_restoring(work: Work, iteration: Iteration, ask: Ask) -> Proposal | NoProposal:
    """Propose rule edits that restore old behaviour in cells that the differing outputs depend on.

    Raises:
        Cancelled, Conflict: As `propose`.
    """
    restoring = replace(
        ask,
        fix_type=FixType.SCORE_CALIBRATION,
        scope=FixScope.FILE,
        fixers=(FixerName.RULES,),
        cells=await cells_to_restore(iteration, ask.notebook),
    )
    return await propose(work, iteration, restoring)
