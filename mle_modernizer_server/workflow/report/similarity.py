"""How much of a notebook's code is still what it was."""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

from mle_modernizer_server.domain.notebook import Notebook


def similarity(before: Notebook, after: Notebook) -> float:
    """1 − normalized edit distance of the code cells, from 0 (nothing in common) to 1 (the same).

    Cells are compared with the cell of the same id, character by character (Levenshtein); a cell
    that one side lacks counts whole. The distances are added and divided by the length of the
    longer text of every pair. Text cells do not count.
    """
    old = {cell.id: cell.source for cell in before.code_cells()}
    new = {cell.id: cell.source for cell in after.code_cells()}
    distance = length = 0
    for cell_id in old.keys() | new.keys():
        a, b = old.get(cell_id, ""), new.get(cell_id, "")
        length += max(len(a), len(b))
        distance += 0 if a == b else Levenshtein.distance(a, b)
    return 1 - distance / length if length else 1.0
