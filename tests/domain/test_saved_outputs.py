"""The saved outputs of a file whose cells have no ids of their own."""

from __future__ import annotations

from mle_modernizer_server.domain.notebook import SavedCell, SavedOutputs
from tests.fixing.rules.rewriting import notebook

OPENED = notebook("a = 1", "a")


def saved(*ids: str) -> SavedOutputs:
    cells = (SavedCell(cell_id=name, outputs=(), prompt=at) for at, name in enumerate(ids, 1))
    return SavedOutputs(cells=tuple(cells))


def test_new_ids_are_matched_by_order() -> None:
    first, second = (cell.id for cell in OPENED.cells)
    assert saved("x", "y").in_cells_of(OPENED).prompts == {first: 1, second: 2}


def test_known_ids_or_another_number_of_cells_stay() -> None:
    first = OPENED.cells[0].id
    for cells in (saved(first, "y"), saved("x"), saved("x", "y", "z")):
        assert cells.in_cells_of(OPENED) == cells
