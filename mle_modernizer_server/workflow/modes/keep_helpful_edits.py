"""Select the edits of fixes to carry forward although their run got no further. Pure.

A fix is judged edit by edit, by the result of its cell: an edit whose cell was not reached, or
timed out, has not failed, whoever made it; and one whose cell got past its error has helped,
whatever another edit did. A rule's edit remains unless the run shows that it does harm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.execution import CellStatus, Ending
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import Iteration
from mle_modernizer_server.fixing.integrity import dependents, without
from mle_modernizer_server.workflow.verdict.progress import failing_otherwise, passed_cells


class Effect(str, Enum):
    """Effect of an edit in a run."""

    UNSEEN = "unseen"
    """Its cell was not reached or was cut short, or failed only because another one did."""
    HELPED = "helped"
    """Its cell got past the error it had."""
    NONE = "none"
    """Its cell is as it was."""
    HARM = "harm"
    """Its cell fails or never ends and did not before, or fails with another error no later."""


def effects(proposal: Proposal, base: Iteration, run: Iteration) -> dict[str, Effect]:
    """Return the effects of a fix's edits in a run, by edit id.

    Args:
        base: The run before the fix.
        run: The run with it.
    """
    passed = passed_cells(run, base)
    unseen = (run.unseen_cells | _cut_short(base, run)) - passed
    broken = _broken(base, run) | failing_otherwise(run, base)

    def effect(edit: CellEdit) -> Effect:
        if edit.cell_id in unseen:
            return Effect.UNSEEN
        if edit.cell_id in passed:
            return Effect.HELPED
        return Effect.HARM if edit.cell_id in broken else Effect.NONE

    return {edit.id: effect(edit) for edit in proposal.edits}


def harmful_edits(proposal: Proposal, base: Iteration, run: Iteration) -> list[CellEdit]:
    """Return the edits of a fix whose own cells a run shows to be worse off."""
    shown = effects(proposal, base, run)
    return [edit for edit in proposal.edits if shown[edit.id] is Effect.HARM]


def worth_keeping(proposal: Proposal, base: Iteration, run: Iteration) -> Proposal:
    """Return a fix without the edits that did not help, nor those that depend on them.

    If an error of the base disappeared, any edit that did no harm may be the reason, and remains.
    If the run breaks a cell that the fix does not even touch, any edit may be the cause: then only
    those that were not tried remain.

    Args:
        base: The run before the fix.
        run: The run with it, which got no further.
    """
    if FixType.SCORE_CALIBRATION in (proposal.fix_type, base.require_diagnosis().fix_type):
        return proposal.model_copy(update={"edits": ()})  # only its score counts
    shown = effects(proposal, base, run)
    edited = {edit.cell_id for edit in proposal.edits}
    known = not _broken(base, run) - edited
    helped = known and bool(passed_cells(run, base))
    lenient = known and (helped or proposal.fixer is FixerName.RULES)
    kept = {Effect.UNSEEN, Effect.HELPED, Effect.NONE} if lenient else {Effect.UNSEEN}
    gone = [edit for edit in proposal.edits if shown[edit.id] not in kept]
    gone = _less_what_is_needed(gone, proposal.edits, shown)
    return taken_back(proposal, gone) if gone else proposal


def taken_back(proposal: Proposal, gone: Sequence[CellEdit]) -> Proposal:
    """Return a fix without some of its edits, with a remark that they did not help."""
    cells = ", ".join(edit.cell_id for edit in gone)
    return without(proposal, gone, coded("fix.taken-back", count=len(gone), cells=cells))


def carried(
    notebook: Notebook, proposals: Sequence[Proposal], base: Iteration, run: Iteration
) -> tuple[Notebook, tuple[Proposal, ...]]:
    """Return the notebook for the next fix after a run that got no further than its base.

    Args:
        notebook: The notebook of the base.
        proposals: The proposals between the base and the run, in order.
        base: The run that got furthest.
        run: The run with these fixes.

    Returns:
        With the parts of the fixes that it includes.
    """
    kept: list[Proposal] = []
    for proposal in proposals:
        part = worth_keeping(proposal, base, run)
        if part.edits and _fits(notebook, part):
            notebook = apply_edits(notebook, part.edits)
            kept.append(part)
    return notebook, tuple(kept)


def _fits(notebook: Notebook, proposal: Proposal) -> bool:
    """Return whether a fix still applies: the state it was made for may be reverted."""
    try:
        apply_edits(notebook, proposal.edits)
    except (KeyError, ValueError):
        return False
    return True


def _less_what_is_needed(
    gone: Sequence[CellEdit], edits: Sequence[CellEdit], shown: dict[str, Effect]
) -> list[CellEdit]:
    """Return the edits to revert, except ineffective ones that an untried edit depends on."""
    wanted = {edit.id for edit in edits} - {edit.id for edit in gone}

    def needed(edit: CellEdit) -> bool:
        return any(one.id in wanted for one in dependents([edit], edits))

    return [edit for edit in gone if shown[edit.id] is not Effect.NONE or not needed(edit)]


_STOPPED = (CellStatus.ERROR, CellStatus.UNFINISHED)


def _broken(base: Iteration, run: Iteration) -> frozenset[str]:
    """Return the ids of the cells that succeeded in the base and fail in the run by themselves."""
    if base.execution is None or run.execution is None:
        return frozenset()
    well = {cell.cell_id for cell in base.cells if cell.status is CellStatus.OK}
    stopped = {cell.cell_id for cell in run.cells if cell.status in _STOPPED}
    new = {cell.cell_id for cell in run.cells} - {cell.cell_id for cell in base.cells}
    return frozenset(stopped & (well | new)) - run.unseen_cells - _cut_short(base, run)


def _cut_short(base: Iteration, run: Iteration) -> frozenset[str]:
    """Return the ids of the cells that a timeout interrupted, whose result is unknown.

    A cell that completed in the base is harmed if it had more time now than it took there.
    """
    if base.execution is None or run.ending is not Ending.TIMED_OUT:
        return frozenset()
    took = {cell.cell_id: cell.seconds for cell in base.cells if cell.status is CellStatus.OK}
    return frozenset(
        cell.cell_id
        for cell in run.cells
        if cell.status is CellStatus.UNFINISHED and cell.seconds <= took.get(cell.cell_id, math.inf)
    )
