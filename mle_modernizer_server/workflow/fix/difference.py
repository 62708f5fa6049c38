"""The difference of two notebooks as edits, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from mle_modernizer_server.domain.notebook import Notebook, source_hash
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
        about = _about(history.get(cell.id))
        mine = old.get(cell.id)
        if mine is None:
            edits.append(
                CellEdit(
                    id=f"insert-{cell.id}",
                    kind=EditKind.INSERT,
                    cell_id=cell.id,
                    after=previous,
                    cell_type=cell.type,
                    new_source=cell.source,
                    **about,
                )
            )
        elif mine.source != cell.source:
            edits.append(
                CellEdit(
                    id=f"modify-{cell.id}",
                    kind=EditKind.MODIFY,
                    cell_id=cell.id,
                    cell_type=cell.type,
                    base_source=mine.source,
                    base_hash=source_hash(mine.source),
                    new_source=cell.source,
                    **about,
                )
            )
        previous = cell.id
    kept = {cell.id for cell in after.cells}
    for cell in before.cells:
        if cell.id not in kept:
            edits.append(
                CellEdit(
                    id=f"delete-{cell.id}",
                    kind=EditKind.DELETE,
                    cell_id=cell.id,
                    cell_type=cell.type,
                    base_source=cell.source,
                    base_hash=source_hash(cell.source),
                    **_about(history.get(cell.id)),
                )
            )
    return tuple(edits)


def changed_lines(before: Notebook, after: Notebook) -> int:
    """Return how many lines of one notebook the other lacks, cell by cell."""
    old = {cell.id: cell.source for cell in before.cells}
    new = {cell.id: cell.source for cell in after.cells}
    return sum(
        _changed(old.get(name, ""), new.get(name, ""))
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    )


def _changed(before: str, after: str) -> int:
    one, other = Counter(before.splitlines()), Counter(after.splitlines())
    return ((one - other) + (other - one)).total()


def _about(known: CellEdit | None) -> dict[str, Any]:
    """Return the retained fields of the edits that led to a cell's last state."""
    if known is None:
        return {}
    return known.model_dump(
        include={"reason", "meaning", "rules", "link", "changes", "parts", "group"}
    )


def joined(edits: Mapping[str, CellEdit], more: tuple[CellEdit, ...]) -> dict[str, CellEdit]:
    """Join the edits of each cell, by cell id: their reasons and rules, oldest first.

    The joined edit has the meaning of the one that changes the most.
    """
    together = dict(edits)
    for edit in more:
        earlier = together.get(edit.cell_id)
        if earlier is not None:
            reasons = (
                [earlier.reason, edit.reason] if edit.reason != earlier.reason else [edit.reason]
            )
            edit = edit.model_copy(
                update={
                    "reason": " ".join(filter(None, reasons)),
                    "meaning": _bolder(earlier.meaning, edit.meaning),
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


def _bolder(earlier: Meaning, later: Meaning) -> Meaning:
    return next((meaning for meaning in _BOLD if meaning in (earlier, later)), later)
