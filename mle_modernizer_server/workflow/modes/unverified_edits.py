"""Find the edits in review with unverified effects. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import takewhile

from mle_modernizer_server.code.contents import last_line
from mle_modernizer_server.code.traceback import UNPARSED, outermost_line
from mle_modernizer_server.domain.execution import CellError, CellStatus, Ending
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.domain.session import Iteration
from mle_modernizer_server.workflow.fix.beyond_edits import longer_limit


def marked(
    edits: Iterable[CellEdit], runs: Sequence[Iteration], ran: Callable[[Iteration], Notebook]
) -> tuple[CellEdit, ...]:
    """Return the edits; mark those whose effect no run has shown.

    Args:
        edits: The difference between the user's notebook and the proposed one.
        runs: The session's iterations.
        ran: The notebook of one of them.
    """
    failed = {root.error.cell_id for run in runs for root in run.roots}
    shown = [((run, _shown(run, failed)), ran(run)) for run in runs if run.diagnosis is not None]
    seen: dict[tuple[str, str], float] = {}
    for (run, cells), notebook in shown:
        raised = run.execution.raised if run.execution else ()
        stopped = {error.cell_id: error for error in raised}
        for cell in notebook.cells:
            if cell.id in cells:
                error, key = stopped.get(cell.id), (cell.id, cell.source)
                line = math.inf if error is None else _failed_line(error, cell.source)
                seen[key] = max(seen.get(key, 0.0), line)

    def unseen(edit: CellEdit) -> bool:
        runs_code = edit.cell_type is CellType.CODE and edit.kind is not EditKind.DELETE
        came_to = seen.get((edit.cell_id, edit.new_source), 0.0)
        return runs_code and came_to < _first_changed(edit)

    return tuple(edit.model_copy(update={"unseen": unseen(edit)}) for edit in edits)


def comes_to_none(run: Iteration, edits: Sequence[CellEdit], after: Notebook) -> bool:
    """Return whether a run of the edited notebook would execute nothing new.

    True if each edit is behind the statement that stops its cell: that error remains.

    Args:
        run: Of the notebook without the edits.
        edits: The edits proposed after it.
        after: The notebook with them.
    """
    if run.ending is not Ending.COMPLETED:
        return False
    within = all(edit.kind is EditKind.MODIFY for edit in edits)
    return within and all(edit.unseen for edit in marked(edits, [run], lambda _: after))


def remark(edits: Iterable[CellEdit], leader: Iteration) -> Messages:
    """Return the number of edits with unverified effects, and how to verify them; empty if none.

    Args:
        edits: As returned by `marked`.
        leader: The run that represents the notebook.
    """
    count = sum(edit.unseen for edit in edits)
    if not count:
        return ()
    execution = leader.execution
    if execution is None or execution.ending is not Ending.TIMED_OUT:
        return coded("fix.unseen", count=count)
    longer = longer_limit(execution.time_limit)
    step = coded("fix.unseen-run", seconds=longer)
    return coded("fix.unseen", count=count) + step


def _first_changed(edit: CellEdit) -> int:
    """Number of the first line, from 1, that an edit leaves another one."""
    before, after = edit.base_source.split("\n"), edit.new_source.split("\n")
    same = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    return 1 + sum(1 for _ in same)


def _failed_line(error: CellError, source: str) -> float:
    """Return the last line of the statement that failed; infinite if unknown."""
    line = None if error.ename in UNPARSED else outermost_line(error.traceback) or error.line
    end = None if line is None else last_line(source, line)
    return math.inf if end is None else end


def _shown(run: Iteration, failed: Collection[str]) -> frozenset[str]:
    """Return the ids of the cells whose behaviour a run shows.

    An interrupted cell counts only if it had failed before: it got past that failure.
    """
    return (
        frozenset(
            cell.cell_id
            for cell in run.cells
            if cell.status is not CellStatus.UNFINISHED or cell.cell_id in failed
        )
        - run.unseen_cells
    )
