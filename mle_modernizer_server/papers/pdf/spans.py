"""Cells of a PDF's table that span columns or rows, inferred from their positions.

A heading over several columns is centred above them, with a rule of their width below it
or none; a cell over several rows is vertically centred next to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.paper import TableCell
from mle_modernizer_server.papers.parts import header_rows
from mle_modernizer_server.papers.pdf.glyphs import Rule

_WHOLE = 0.9
"""Share of a table's width from which on a rule parts all of it."""


@dataclass(frozen=True)
class Cell:
    """Adjacent words of a row."""

    text: str
    x0: float
    x1: float
    bold: bool


@dataclass(frozen=True)
class Row:
    """Cells side by side."""

    cells: tuple[Cell, ...]
    y: float
    size: float

    @property
    def width(self) -> float:
        """Return the width from the first cell to the last."""
        return self.cells[-1].x1 - self.cells[0].x0

    @property
    def covered(self) -> float:
        """Return the width that cells cover."""
        return sum(cell.x1 - cell.x0 for cell in self.cells)


Columns = Sequence[tuple[float, float]]


def spread_across(
    grid: list[list[TableCell]], rows: Sequence[Row], columns: Columns, rules: Sequence[Rule]
) -> None:
    """Repeat the cells that span columns in each of them.

    Args:
        grid: A cell for each column; changed in place.
        rows: The rows on the page.
        columns: Left and right edge of each column.
        rules: Drawn on the page.
    """
    if len(columns) < 3:
        return
    heads = header_rows(grid)
    for index, row in enumerate(rows):
        alone = len(row.cells) == 1 and not grid[index][0].text
        if alone and _is_centred(row.cells[0], columns, (0, len(columns) - 1)):
            _fill(grid[index], 0, len(columns) - 1, row.cells[0])
        elif index < min(heads, len(rows) - 1) and len(row.cells) < len(columns) - 1:
            _spread_headings(grid, index, rows, columns, rules)


def _spread_headings(
    grid: list[list[TableCell]],
    index: int,
    rows: Sequence[Row],
    columns: Columns,
    rules: Sequence[Rule],
) -> None:
    """Spread each heading of a row over the columns that it is centred above."""
    row = rows[index]
    for cell in row.cells:
        drawn = [
            rule
            for rule in rules
            if rows[index + 1].y < rule.y < row.y
            and rule.x0 - 2 < cell.x0
            and cell.x1 < rule.x1 + 2
            and rule.x1 - rule.x0 < _WHOLE * (columns[-1][1] - columns[0][0])
        ]
        runs = [
            (first, last)
            for first in range(len(columns))
            for last in range(first + 1, len(columns))
            if _fits(grid, index, cell, (first, last), columns, drawn)
        ]
        if runs:
            _fill(grid[index], *max(runs, key=lambda run: run[1] - run[0]), cell)


def _fits(
    grid: list[list[TableCell]],
    index: int,
    cell: Cell,
    run: tuple[int, int],
    columns: Columns,
    drawn: Sequence[Rule],
) -> bool:
    """Return whether a heading may span columns that are empty and have headings below."""
    first, last = run
    inside = range(first, last + 1)
    if any(grid[index][column].text not in ("", cell.text) for column in inside):
        return False
    if not any(grid[index][column].text == cell.text for column in inside):
        return False
    if drawn:
        return all(
            drawn[0].x0 - 3 <= sum(columns[column]) / 2 <= drawn[0].x1 + 3 for column in inside
        )
    below = all(grid[index + 1][column].text for column in inside)
    return below and first > 0 and _is_centred(cell, columns, run)


def _is_centred(cell: Cell, columns: Columns, run: tuple[int, int]) -> bool:
    left, right = columns[run[0]][0], columns[run[1]][1]
    return abs((cell.x0 + cell.x1) / 2 - (left + right) / 2) < 0.05 * (right - left) + 2


def _fill(cells: list[TableCell], first: int, last: int, cell: Cell) -> None:
    for column in range(first, last + 1):
        cells[column] = TableCell(text=cell.text, bold=cell.bold, spans=True)


def spread_down(
    grid: list[list[TableCell]], rows: Sequence[Row], rules: Sequence[Rule]
) -> list[list[TableCell]]:
    """Repeat a cell that is centred next to several rows in each of them.

    Args:
        grid: A cell for each column.
        rows: The rows on the page.
        rules: Drawn on the page; those of the whole width separate groups of rows.

    Returns:
        The rows, without those that contained nothing but such a cell.
    """
    width = max(row.cells[-1].x1 for row in rows) - min(row.cells[0].x0 for row in rows)
    whole = [rule.y for rule in rules if rule.x1 - rule.x0 > _WHOLE * width]
    kept: list[list[TableCell]] = []
    group: list[int] = []
    for index, row in enumerate(rows):
        if group and any(row.y < y < rows[group[-1]].y for y in whole):
            kept += _group_spread([grid[one] for one in group], [rows[one] for one in group])
            group = []
        group.append(index)
    return kept + _group_spread([grid[one] for one in group], [rows[one] for one in group])


def _group_spread(group: list[list[TableCell]], rows: Sequence[Row]) -> list[list[TableCell]]:
    """Return the rows of a group, with its only first cell in all of them if it is centred."""
    filled = [index for index, cells in enumerate(group) if cells[0].text]
    if len(group) < 3 or len(filled) != 1 or len(group[0]) < 2:
        return group
    at = filled[0]
    middle = (rows[0].y + rows[-1].y) / 2
    if abs(rows[at].y - middle) > 0.35 * rows[at].size or at in (0, len(group) - 1):
        return group
    alone = not any(cell.text for cell in group[at][1:])
    cell = group[at][0].model_copy(update={"spans": True})
    return [[cell, *cells[1:]] for index, cells in enumerate(group) if index != at or not alone]
