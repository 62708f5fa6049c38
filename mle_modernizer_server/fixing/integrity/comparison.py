"""The one form in which both versions of a patched notebook are compared."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.code.canonical.label_codes import without_label_codes
from mle_modernizer_server.code.canonical.plain_names import with_plain_names
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit, EditKind
from mle_modernizer_server.fixing.integrity.missing_names import near_names, with_near_names

Cell = tuple[str, CellType, str]
"""Its id, its type and its source."""


def in_one_form(
    notebook: Notebook, edits: Sequence[CellEdit], errors: Sequence[CellError] = ()
) -> tuple[CellEdit, ...]:
    """Return the edits in their form for comparison; each keeps its id and its meaning.

    It has no codes in place of class labels, the nearest existing names for those that a run did
    not find, and the notebook's names for variables.

    Args:
        notebook: The notebook without the patch.
        edits: The patch.
        errors: Of the run that the edits were made for.
    """
    before = [(cell.id, cell.source) for cell in notebook.code_cells()]
    uncoded = without_label_codes(before, patched_sources(notebook, edits), edits)
    respelled = with_near_names(uncoded, near_names(errors))
    return with_plain_names(before, patched_sources(notebook, respelled), respelled)


def patched_sources(notebook: Notebook, edits: Sequence[CellEdit]) -> list[tuple[str, str]]:
    """Return id and source of each code cell with a patch applied, in order.

    An edit of a cell that does not exist has no effect.
    """
    cells: list[Cell | None] = [(cell.id, cell.type, cell.source) for cell in notebook.cells]
    for edit in edits:
        places = {cell[0]: at for at, cell in enumerate(cells) if cell is not None}
        anchor = edit.after if edit.kind is EditKind.INSERT else edit.cell_id
        at = -1 if anchor is None else places.get(anchor)
        if at is None:
            continue
        if edit.kind is EditKind.INSERT:
            cells.insert(at + 1, (edit.cell_id, edit.cell_type, edit.new_source))
        elif edit.kind is EditKind.DELETE:
            cells[at] = None
        else:
            cells[at] = (edit.cell_id, edit.cell_type, edit.new_source)
    return [(cell[0], cell[2]) for cell in cells if cell is not None and cell[1] is CellType.CODE]
