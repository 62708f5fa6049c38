"""The difference of two notebooks as edits, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping

from mle_modernizer_server.domain.notebook import Cell, Notebook, source_hash
from mle_modernizer_server.domain.proposal import CellEdit, EditKind, Meaning


def difference(
    before: Notebook, after: Notebook, history: Mapping[str, CellEdit]
) -> tuple[CellEdit, ...]:
    """Return the edits that turn one notebook into the other.

    Cells are matched by their ids; the order of cells in both notebooks is the same, because edits
    never move a cell.

    Args:
        before: The notebook as the user has it.
        after: The notebook to reach.
        history: By cell id the joined edits that led there, for their reasons and rules.
    """
    edits: list[CellEdit] = []
    previous: str | None = None
    old = {cell.id: cell for cell in before.cells}
    for cell in after.cells:
        mine = old.get(cell.id)
        if mine is None:
            edit = _edit(EditKind.INSERT, cell, history)
            edits.append(edit.model_copy(update={"after": previous, "new_source": cell.source}))
        elif mine.source != cell.source:
            edit = _edit(EditKind.MODIFY, cell, history, mine.source)
            edits.append(edit.model_copy(update={"new_source": cell.source}))
        previous = cell.id
    kept = {cell.id for cell in after.cells}
    edits += [
        _edit(EditKind.DELETE, cell, history, cell.source)
        for cell in before.cells
        if cell.id not in kept
    ]
    return tuple(edits)


def _edit(
    kind: EditKind, cell: Cell, history: Mapping[str, CellEdit], base: str | None = None
) -> CellEdit:
    """Return an edit of a cell's old source, with the reasons of those that led to it."""
    known = history.get(cell.id)
    about = {"reason", "meaning", "rules", "link", "changes", "parts", "group"}
    return CellEdit(
        id=f"{kind.value}-{cell.id}",
        kind=kind,
        cell_id=cell.id,
        cell_type=cell.type,
        base_source=base or "",
        base_hash="" if base is None else source_hash(base),
        **({} if known is None else known.model_dump(include=about)),
    )


def joined(edits: Mapping[str, CellEdit], more: tuple[CellEdit, ...]) -> dict[str, CellEdit]:
    """Join the edits of each cell, by cell id: their reasons and rules, oldest first.

    The joined edit has the meaning of the one that changes the most.
    """
    together = dict(edits)
    for edit in more:
        earlier = together.get(edit.cell_id)
        if earlier is not None:
            meanings = (earlier.meaning, edit.meaning)
            reasons = (
                [earlier.reason, edit.reason] if edit.reason != earlier.reason else [edit.reason]
            )
            edit = edit.model_copy(
                update={
                    "reason": " ".join(filter(None, reasons)),
                    "meaning": next((one for one in _BOLD if one in meanings), edit.meaning),
                    "rules": tuple(dict.fromkeys((*earlier.rules, *edit.rules))),
                    "changes": tuple(dict.fromkeys((*earlier.changes, *edit.changes))),
                    # Lines count in the source that an edit was made for: an earlier one.
                    "parts": (
                        *earlier.parts,
                        *(part.model_copy(update={"lines": ()}) for part in edit.parts),
                    ),
                    "group": edit.group or earlier.group,
                }
            )
        together[edit.cell_id] = edit
    return together


_BOLD = (Meaning.EXPERIMENT, Meaning.OTHER)
