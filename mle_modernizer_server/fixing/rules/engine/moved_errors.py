"""The errors of a run, at the lines where a changed cell has what failed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.notebook import Notebook


def moved(errors: Sequence[CellError], before: Notebook, after: Notebook) -> tuple[CellError, ...]:
    """The errors, with the line of each where it is in the changed sources.

    A line that was itself rewritten is where its new text begins.

    Args:
        errors: With lines of `before`; of a cell that is no longer there, they stay as they are.
        before: The sources that ran.
        after: The same cells with other sources.
    """
    old = {cell.id: cell.source for cell in before.cells}
    new = {cell.id: cell.source for cell in after.cells}
    return tuple(
        error
        if error.line is None or old.get(error.cell_id) == new.get(error.cell_id)
        else error.model_copy(
            update={"line": _line(error.line, old[error.cell_id], new[error.cell_id])}
        )
        for error in errors
    )


def _line(line: int, before: str, after: str) -> int:
    """The line of `after` that a line of `before` became, both from 1."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    for _, first, end, new_first, new_end in matcher.get_opcodes():
        if first < line <= end:
            return min(new_first + line - first, max(new_end, 1))
    return line
