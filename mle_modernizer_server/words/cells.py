"""Names of a notebook's code cells, as the user finds them in the notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mle_modernizer_server.domain.message import Parameter
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook

_LIST = re.compile(r"(, |–)")
"""Separators of cells in a parameter, as in `3, 5–7`."""


class CellNames:
    """Names of code cells: the prompt and the beginning of the code, as in ``[73] `clf = SVC()` ``.

    A cell without a prompt, which never ran, has its position among the code cells instead:
    ``number 12 `clf = SVC()` ``.

    Args:
        notebook: Its code cells are meant by positions.
        prompts: Prompts of the notebook's file, by the id of the cell.
        others: Earlier versions of the notebook, which name the cells that they have.
    """

    def __init__(
        self,
        notebook: Notebook,
        prompts: Mapping[str, int],
        others: Iterable[Notebook] = (),
    ) -> None:
        self._ids = [cell.id for cell in notebook.code_cells()]
        self._names: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        for version in (*others, notebook):
            self._add(version, prompts)

    def _add(self, version: Notebook, prompts: Mapping[str, int]) -> None:
        number, before = 0, "the text at the top"
        for cell in version.cells:
            if cell.type is CellType.CODE:
                number += 1
                # A changed cell is named by the code that the file has.
                self._names.setdefault(cell.id, _name(cell, number, prompts.get(cell.id)))
                before = f"the text after cell {self._names[cell.id]}"
            else:
                self._texts[cell.id] = before

    def of(self, cell_id: str) -> str | None:
        """Return the name of a code cell; None if no code cell has that id."""
        return self._names.get(cell_id)

    def at(self, number: int) -> str | None:
        """Return the name of the code cell at a position, from 1; None if there is none."""
        return self._names[self._ids[number - 1]] if 0 < number <= len(self._ids) else None

    def place(self, cell_id: str) -> str:
        """Return a cell of any type in words, as in ``cell [73] `clf = SVC()` ``."""
        name = self.of(cell_id)
        return self._texts.get(cell_id, "a new cell") if name is None else f"cell {name}"

    def title(self, cell_id: str) -> str:
        """Return the cell's place, for the beginning of a sentence."""
        place = self.place(cell_id)
        return place[:1].upper() + place[1:]

    def each(self, cells: Parameter) -> str:
        """Return the names of the cells in a message's parameter: positions or ids, or a list."""
        if isinstance(cells, int):
            return self.at(cells) or str(cells)
        return "".join(self._named(part) for part in _LIST.split(str(cells)))

    def _named(self, cell: str) -> str:
        return self.of(cell) or (self.at(int(cell)) if cell.isdecimal() else None) or cell


def _name(cell: Cell, number: int, prompt: int | None) -> str:
    place = f"number {number}" if prompt is None else f"[{prompt}]"
    return f"{place} {cell.snippet}".rstrip()
