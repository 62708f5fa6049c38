"""What of fixes is carried forward, though the run they led to came no further. Pure.

A fix is judged edit by edit, by what became of its cell in the run: an edit whose cell was not
reached, or was cut short by the time limit, has not failed, whoever made it; and one whose cell got
past its error has helped, whatever another edit did. A rule's edit stays unless the run shows that
it does harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from mle_modernizer_server.domain.diagnosis import FixType
from mle_modernizer_server.domain.execution import CellRun, CellStatus, Ending
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import CellEdit, FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import Iteration
from mle_modernizer_server.fixing.integrity import dependents, without
from mle_modernizer_server.workflow.verdict.progress import failing_otherwise, passed_cells


class Effect(str, Enum):
    """What a run shows of an edit."""

    UNSEEN = "unseen"
    """Its cell was not reached or was cut short, or failed only because another one did."""
    HELPED = "helped"
    """Its cell got past the error it had."""
    NONE = "none"
    """Its cell is as it was."""
    HARM = "harm"
    """Its cell fails or never ends and did not before, or fails with another error no later."""


def effects(proposal: Proposal, base: Iteration, run: Iteration) -> dict[str, Effect]:
    """By edit id, what a run shows of the edits of a fix.

    Args:
        proposal: The fix.
        base: The run that the fix was made for.
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
    """A fix less the edits that were tried and did not help, and less what depends on them.

    Where an error of the base is gone, any edit that did no harm may be the reason, and stays.
    Where the run breaks a cell that the fix does not even touch, nothing tells which edit is to
    blame: then only those that were not tried stay.

    Args:
        proposal: The fix.
        base: The run that the fix was made for.
        run: The run with it, which came no further.
    """
    if FixType.SCORE_CALIBRATION in (proposal.fix_type, base.require_diagnosis().fix_type):
        return proposal.model_copy(update={"edits": ()})  # the results tell, and they told
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
    """The notebook that the next fix goes on from, where a run came no further than its base.

    Args:
        notebook: What ran in the base.
        proposals: What led from there to what ran, in order.
        base: The run that came furthest.
        run: The run with these fixes.

    Returns:
        With what of the fixes is in it.
    """
    kept: list[Proposal] = []
    for proposal in proposals:
        part = worth_keeping(proposal, base, run)
        if part.edits and _fits(notebook, part):
            notebook = apply_edits(notebook, part.edits)
            kept.append(part)
    return notebook, tuple(kept)


def _fits(notebook: Notebook, proposal: Proposal) -> bool:
    """Whether a fix may be carried out: what it was made for may have been taken back."""
    try:
        apply_edits(notebook, proposal.edits)
    except (KeyError, ValueError):
        return False
    return True


def _less_what_is_needed(
    gone: Sequence[CellEdit], edits: Sequence[CellEdit], shown: dict[str, Effect]
) -> list[CellEdit]:
    """The edits to take back, less those without effect that one not yet tried depends on."""
    wanted = {edit.id for edit in edits} - {edit.id for edit in gone}

    def needed(edit: CellEdit) -> bool:
        return any(one.id in wanted for one in dependents([edit], edits))

    return [edit for edit in gone if shown[edit.id] is not Effect.NONE or not needed(edit)]


_STOPPED = (CellStatus.ERROR, CellStatus.UNFINISHED)


def _broken(base: Iteration, run: Iteration) -> frozenset[str]:
    """Ids of the cells that ran through in the base and do not in the run, by their own fault."""
    if base.execution is None or run.execution is None:
        return frozenset()
    well = {cell.cell_id for cell in base.execution.cells if cell.status is CellStatus.OK}
    before = {cell.cell_id for cell in base.execution.cells}
    stopped = {cell.cell_id for cell in run.execution.cells if cell.status in _STOPPED}
    new = {cell.cell_id for cell in run.execution.cells} - before
    return frozenset(stopped & (well | new)) - run.unseen_cells - _cut_short(base, run)


def _cut_short(base: Iteration, run: Iteration) -> frozenset[str]:
    """Ids of the cells at work when the time was up, of which that shows nothing.

    One that ran through in the base shows harm where it had more time now than it took there.
    """
    if base.execution is None or run.execution is None:
        return frozenset()
    if run.execution.ending is not Ending.TIMED_OUT:
        return frozenset()
    before = {cell.cell_id: cell for cell in base.execution.cells}

    def shows_nothing(cell: CellRun) -> bool:
        known = before.get(cell.cell_id)
        well = known is not None and known.status is CellStatus.OK
        return not well or (known is not None and cell.seconds <= known.seconds)

    at_work = (cell for cell in run.execution.cells if cell.status is CellStatus.UNFINISHED)
    return frozenset(cell.cell_id for cell in at_work if shows_nothing(cell))
