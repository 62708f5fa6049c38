"""The words near a table's caption → rows and columns.

A table is the rows of words next to its caption (above or below) that are divided into cells; ruled
lines mark its end. The cells of the fullest rows define the columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mle_modernizer_server.domain.paper import TableCell
from mle_modernizer_server.papers.parts import is_numeric, rectangular
from mle_modernizer_server.papers.pdf.glyphs import Page, Rule, Word
from mle_modernizer_server.papers.pdf.lines import Line, in_small_capitals
from mle_modernizer_server.papers.pdf.spans import Cell, Row, spread_across, spread_down

_CELL_GAP = 0.5
"""Between cells, in sizes; between words it is a quarter to a third."""
_PROSE = 32
"""Characters of a cell on average, from which on a row is lines of text."""
_NUMBER = re.compile(r"^[-+]?\d[\d,]*(?:\.\d+)?%?[*†‡^∗]*$")
"""A number of its own: two of them side by side are two cells, however near."""
_OWN_CAPTION = re.compile(r"^\([a-h]\)\s+\S")
"""Of one of several tables below one caption."""
_ROW_GAP = 3.2
"""Space between rows, in font sizes, that ends a table."""


@dataclass(frozen=True)
class Region:
    """The area of a table, its cells, and its own caption if a caption covers several."""

    rows: tuple[tuple[TableCell, ...], ...]
    top: float
    bottom: float
    left: float
    right: float
    caption: str = ""

    def holds(self, line: Line) -> bool:
        """Return whether a line is part of it."""
        middle = (line.x0 + line.x1) / 2
        inside = self.left - 3 <= middle <= self.right + 3
        return inside and self.bottom - 2 <= line.y <= self.top + 2

    def meets(self, other: Region) -> bool:
        """Return whether both overlap."""
        beside = self.right < other.left or other.right < self.left
        return not beside and self.bottom < other.top and other.bottom < self.top


@dataclass(frozen=True)
class Sides:
    """Table candidates of a caption: those above it and those below."""

    above: tuple[Region, ...]
    below: tuple[Region, ...]


def tables_near(caption: Sequence[Line], page: Page, barriers: Sequence[Line] = ()) -> Sides:
    """Return the tables that a caption may belong to, on either side: one, several, or none.

    Args:
        caption: Its lines.
        page: Everything on the page.
        barriers: Other captions and headings on the page, which end a table.
    """
    left, right = _column(caption, page)
    top = max(line.y for line in caption) + caption[0].size * 0.5
    bottom = min(line.y for line in caption) - caption[0].size * 0.5
    words = [word for word in page.words if left <= (word.x0 + word.x1) / 2 <= right]
    rules = [rule for rule in page.rules if rule.x0 > left - 15 and rule.x1 < right + 15]
    width = right - left
    stops = [line.y for line in barriers if left <= (line.x0 + line.x1) / 2 <= right]
    high = min((y - 2 for y in stops if y > top), default=page.height)
    low = max((y + 2 for y in stops if y < bottom), default=0.0)
    above = [word for word in words if top < word.y < high]
    below = [word for word in words if low < word.y < bottom]
    return Sides(
        _regions(_walk(above, rules, top, width, up=True), rules),
        _regions(_walk(below, rules, bottom, width, up=False), rules),
    )


def _regions(rows: list[Row], rules: Sequence[Rule]) -> tuple[Region, ...]:
    """Return the tables among rows, separated by captions of their own or by space."""
    if sum(len(row.cells) > 1 for row in rows) < 2:
        return ()
    rows.sort(key=lambda row: -row.y)
    found = [
        region
        for part, caption in _with_own_captions(rows)
        for table in _side_by_side(part)
        if (region := _region(table, rules, caption)) is not None
    ]
    return tuple(found)


def _with_own_captions(rows: list[Row]) -> list[tuple[list[Row], str]]:
    """Group rows by the captions `(a) …` among them, which are all above or all below."""
    at = [index for index, row in enumerate(rows) if _is_own_caption(row)]
    if not at:
        return [(rows, "")]
    beside = [row for row in rows if _is_own_caption(row) and len(row.cells) > 1]
    if beside and len(at) == 1:
        cells = beside[0].cells
        rest = [row for row in rows if not _is_own_caption(row)]
        edges = [(one.x1 + other.x0) / 2 for one, other in pairwise(cells)]
        limits = [-1.0, *(_gap(rest, edge) for edge in edges), float("inf")]
        parts = [_between(rest, low, high) for low, high in pairwise(limits)]
        return [(part, cell.text) for part, cell in zip(parts, cells, strict=True) if part]
    stacked: list[tuple[list[Row], str]] = []
    ends = [*at[1:], len(rows)] if at[0] == 0 else at
    for index, caption in enumerate(at):
        first = caption + 1 if at[0] == 0 else (at[index - 1] + 1 if index else 0)
        stacked.append((rows[first : ends[index]], rows[caption].cells[0].text))
    return [part for part in stacked if part[0]]


def _is_own_caption(row: Row) -> bool:
    return all(_OWN_CAPTION.match(cell.text) for cell in row.cells)


def _gap(rows: Sequence[Row], near: float) -> float:
    """Return the position nearest to another that no cell crosses."""
    cells = [cell for row in rows for cell in row.cells]
    free = [near, *(x for cell in cells for x in (cell.x0 - 1, cell.x1 + 1))]
    free = [x for x in free if not any(cell.x0 < x < cell.x1 for cell in cells)]
    return min(free, key=lambda x: abs(x - near), default=near)


def _between(rows: Sequence[Row], low: float, high: float) -> list[Row]:
    parts = (
        (tuple(cell for cell in row.cells if low <= (cell.x0 + cell.x1) / 2 < high), row)
        for row in rows
    )
    return [Row(cells, row.y, row.size) for cells, row in parts if cells]


def _region(rows: Sequence[Row], rules: Sequence[Rule], caption: str) -> Region | None:
    if sum(len(row.cells) > 1 for row in rows) < 2:
        return None
    cells = _grid(rows, rules)
    if len(cells) < 2:
        return None
    return Region(
        cells,
        rows[0].y + rows[0].size,
        rows[-1].y - rows[-1].size * 0.3,
        min(row.cells[0].x0 for row in rows),
        max(row.cells[-1].x1 for row in rows),
        caption,
    )


def _side_by_side(rows: list[Row]) -> list[list[Row]]:
    """Return the rows of each table, if several are side by side with lines at other heights."""
    edges = sorted({cell.x0 for row in rows for cell in row.cells})
    best: tuple[float, float] | None = None
    for edge in edges[1:]:
        left = [row for row in rows if any(cell.x0 < edge - 1 for cell in row.cells)]
        right = [row for row in rows if any(cell.x0 >= edge - 1 for cell in row.cells)]
        across = any(
            cell.x0 < edge - 1 and cell.x1 > edge + 1 for row in rows for cell in row.cells
        )
        both = len(left) + len(right) - len(rows)
        sides = (left, right)
        tabular = all(sum(len(row.cells) > 1 for row in side) >= 3 for side in sides)
        if not across and tabular and both < 0.6 * min(len(left), len(right)):
            share = both / min(len(left), len(right))
            if best is None or share < best[0]:
                best = (share, edge)
    if best is None:
        return [rows]
    edge = best[1]
    parts: list[list[Row]] = []
    for on_left in (True, False):
        part: list[Row] = []
        for row in rows:
            cells = tuple(cell for cell in row.cells if (cell.x0 < edge - 1) == on_left)
            if cells:
                part.append(Row(cells, row.y, row.size))
        parts += _side_by_side(part)
    return parts


def _column(caption: Sequence[Line], page: Page) -> tuple[float, float]:
    """Return the edges of the column of text that contains a caption."""
    middle = page.width / 2
    left, right = min(line.x0 for line in caption), max(line.x1 for line in caption)
    if right <= middle + 8 and _is_two_columns(page):
        return 0, middle
    if left >= middle - 8 and _is_two_columns(page):
        return middle, page.width
    return 0, page.width


def _is_two_columns(page: Page) -> bool:
    """Return whether few words cross the page's middle."""
    middle = page.width / 2
    crossing = sum(word.x0 < middle - 1 and word.x1 > middle + 1 for word in page.words)
    return crossing < 0.02 * len(page.words) + 3


def _walk(
    words: Sequence[Word], rules: Sequence[Rule], start: float, width: float, *, up: bool
) -> list[Row]:
    """Return the rows of a table, starting at its caption, until prose begins."""
    rows = _rows(words)
    rows.sort(key=lambda row: row.y if up else -row.y)
    kept: list[Row] = []
    prose = 0
    last = start
    for row in rows:
        between = [rule for rule in rules if min(last, row.y) - 2 < rule.y < max(last, row.y) + 2]
        far = abs(row.y - last) > _ROW_GAP * row.size
        if far and not between:
            break
        if len(kept) > 200:
            break
        is_prose = len(row.cells) == 1 and row.covered > 0.6 * width
        is_prose |= row.covered > 0.86 * row.width and row.width > 0.75 * width
        is_prose |= sum(len(cell.text) for cell in row.cells) > _PROSE * len(row.cells)
        is_prose &= not _is_own_caption(row)
        if is_prose and not any(is_numeric(cell.text) for cell in row.cells[1:]):
            prose += 1
            if prose > 1 or not kept:
                break
        else:
            prose = 0
        kept.append(row)
        last = row.y
    if prose and kept:
        kept = kept[:-1]
    return _within_rules(kept, rules)


def _within_rules(rows: list[Row], rules: Sequence[Rule]) -> list[Row]:
    """Return the rows between the outermost of the rules among them, if there are at least two."""
    if not rows:
        return rows
    low = min(row.y for row in rows) - rows[0].size * 1.5
    high = max(row.y for row in rows) + rows[0].size * 2
    near = sorted(rule.y for rule in rules if low < rule.y < high and rule.x1 - rule.x0 > 40)
    if len(near) < 2 or near[-1] - near[0] < 2 * rows[0].size:
        return rows
    inside = [row for row in rows if near[0] - 2 < row.y < near[-1] or _is_own_caption(row)]
    return inside if len(inside) >= 2 else rows


def _rows(words: Sequence[Word]) -> list[Row]:
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda one: (-one.y, one.x0)):
        if rows and abs(rows[-1][0].y - word.y) < 0.4 * max(word.size, rows[-1][0].size):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [_row(words) for words in rows]


def _row(words: list[Word]) -> Row:
    words.sort(key=lambda word: word.x0)
    words = in_small_capitals(words)
    size = max(word.size for word in words)
    groups: list[list[Word]] = []
    for word in words:
        near = groups and word.x0 - groups[-1][-1].x1 < _CELL_GAP * size
        if near and not (_NUMBER.match(word.text) and _NUMBER.match(groups[-1][-1].text)):
            groups[-1].append(word)
        else:
            groups.append([word])
    cells = tuple(
        Cell(
            " ".join(word.text for word in group),
            group[0].x0,
            group[-1].x1,
            all(word.bold for word in group),
        )
        for group in groups
    )
    return Row(cells, words[0].y, size)


def _grid(rows: Sequence[Row], rules: Sequence[Rule]) -> tuple[tuple[TableCell, ...], ...]:
    """Return cells by row and column; repeat those that span in each."""
    columns = _columns(rows)
    grid = [_placed(row, columns) for row in rows]
    spread_across(grid, rows, columns, rules)
    return rectangular(spread_down(grid, rows, rules))


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Return the columns of the fullest rows; a cell across two of them is no column."""
    most = max(len(row.cells) for row in rows)
    full = sorted(rows, key=lambda row: -len(row.cells))
    columns: list[tuple[float, float]] = []
    for row in full:
        if len(row.cells) < max(2, 0.7 * most):
            break
        for cell in row.cells:
            met = [one for one in columns if cell.x0 < one[1] - 0.5 and cell.x1 > one[0] + 0.5]
            if len(met) > 1:
                continue
            for one in met:
                columns.remove(one)
            ends = [*met, (cell.x0, cell.x1)]
            columns.append((min(one[0] for one in ends), max(one[1] for one in ends)))
    return sorted(columns)


def _placed(row: Row, columns: Sequence[tuple[float, float]]) -> list[TableCell]:
    cells = [TableCell(text="")] * len(columns)
    for cell in row.cells:
        touched = _touched(cell, columns)
        words = cell.text.split()
        short = all(len(word) < 14 for word in words)
        if short and len(words) == len(touched) > 1:  # close headings, one per column
            for index, word in zip(touched, words, strict=True):
                cells[index] = TableCell(text=word, bold=cell.bold)
            continue
        for index in touched:
            before = f"{cells[index].text} " if cells[index].text else ""
            cells[index] = TableCell(
                text=before + cell.text, bold=cell.bold, spans=len(touched) > 1
            )
    return cells


def _touched(cell: Cell, columns: Sequence[tuple[float, float]]) -> list[int]:
    overlaps = [min(cell.x1, x1) - max(cell.x0, x0) for x0, x1 in columns]
    touched = [
        index
        for index, (x0, x1) in enumerate(columns)
        if overlaps[index] > 0.4 * min(cell.x1 - cell.x0, x1 - x0)
    ]
    if touched:
        return touched
    middle = (cell.x0 + cell.x1) / 2
    nearest = min(
        range(len(columns)), key=lambda index: abs(sum(columns[index]) / 2 - middle), default=0
    )
    return [nearest] if columns else []
