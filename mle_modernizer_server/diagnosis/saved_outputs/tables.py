"""The first HTML table of an output, as rows of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import TypeVar

_Part = TypeVar("_Part")

_LONGEST = 2_000_000
_MOST_CELLS = 20_000


@dataclass(frozen=True)
class HtmlTable:
    """A table as displayed.

    Attributes:
        header: The names of the columns, those of the index included (often empty).
        rows: The cells' texts, row by row.
        note: The text below: `891 rows × 12 columns`, or "".
        index_names: The names of the index if they have a row of their own.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str
    index_names: tuple[str, ...] = ()

    @property
    def size(self) -> TableSize:
        """Return its rows and columns, including omitted ones."""
        named = _SIZE.search(self.note)
        if named is not None:
            return TableSize(int(named[1]), int(named[2]))
        labels = next((at for at, name in enumerate(self.header) if name), 0)
        return TableSize(len(self.rows), max(map(len, self.rows), default=0) - labels)


@dataclass(frozen=True)
class TableSize:
    """How large a table is.

    Attributes:
        rows: Its rows.
        columns: Its columns without the index.
    """

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows} rows × {self.columns} columns"


def html_table(html: str) -> HtmlTable | None:
    """Return the first table of a text in HTML; None if there is none."""
    if "<table" not in html[:_LONGEST].lower():
        return None
    parser = _Parser()
    parser.feed(html[:_LONGEST])
    parser.close()
    if not parser.rows:
        return None
    is_header = parser.headers[0] if parser.headers else False
    header = tuple(parser.rows[0]) if is_header else ()
    rows = parser.rows[1:] if is_header else parser.rows
    names: tuple[str, ...] = ()
    if is_header and len(rows) > 1 and parser.headers[1]:
        names = _index_names(header, rows[0])
    rows = rows[1:] if names else rows
    return HtmlTable(header, tuple(map(tuple, rows)), " ".join(parser.note.split()), names)


def _index_names(header: Sequence[str], row: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the index, if a header's second row has nothing else."""
    index = next((at for at, name in enumerate(header) if name), 0)
    is_index = len(row) == len(header) and any(row[:index]) and not any(row[index:])
    return tuple(row[:index]) if is_index else ()


def shown_by_both(one: HtmlTable, other: HtmlTable) -> tuple[HtmlTable, HtmlTable]:
    """Reduce two tables of one size to the rows and columns that both include.

    The number of rows and columns before and after a gap (`...`) is a setting of pandas, whose
    default has changed: 60 rows until 0.24, ten since.
    """
    rows = _both_ends(
        [all(cell in _GAPS for cell in row) for row in one.rows],
        [all(cell in _GAPS for cell in row) for row in other.rows],
    )
    columns = _both_ends(
        [name in _GAPS for name in one.header], [name in _GAPS for name in other.header]
    )
    return _part(one, rows[0], columns[0]), _part(other, rows[1], columns[1])


def in_order_of(one: HtmlTable, other: HtmlTable) -> HtmlTable:
    """Return the other table with its columns in the order of the first, if both have the same
    ones.

    Frames made of a dict had their columns in alphabetic order before Python 3.6 and pandas 0.23.
    Tables whose columns do not all have names of their own are left as they are.
    """
    index = next((at for at, name in enumerate(one.header) if name), 0)
    names = one.header[index:]
    same = sorted(names) == sorted(other.header[index:]) and len(set(names)) == len(names)
    width = len(one.header)
    if not same or "" in names or any(other.header[:index]) or len(other.header) != width:
        return other
    if any(len(row) != width for row in other.rows):
        return other
    places = [*range(index), *(other.header.index(name) for name in names)]
    rows = tuple(tuple(row[at] for at in places) for row in other.rows)
    return replace(other, header=one.header, rows=rows)


def says_when(row: Sequence[str], place: int) -> bool:
    """Return whether a cell is the date or the time of the run, as in a summary of statsmodels'."""
    return 0 < place <= len(row) and row[place - 1] in ("Date:", "Time:")


_Kept = tuple[range, range] | None
"""The positions before a gap and after it; None for all, if there is no gap."""


def _both_ends(one: Sequence[bool], other: Sequence[bool]) -> tuple[_Kept, _Kept]:
    """Return the places that both include, of two sequences that may have a gap."""
    if True not in one and True not in other:
        return None, None
    before = min(_place_of_gap(one), _place_of_gap(other))
    behind = min(_place_of_gap(one[::-1]), _place_of_gap(other[::-1]))

    def kept(length: int) -> _Kept:
        return range(before), range(max(before, length - behind), length)

    return kept(len(one)), kept(len(other))


def _place_of_gap(gaps: Sequence[bool]) -> int:
    return gaps.index(True) if True in gaps else len(gaps)


def _part(table: HtmlTable, rows: _Kept, columns: _Kept) -> HtmlTable:
    header = _kept_of(table.header, columns)
    kept = tuple(_kept_of(row, columns) for row in _kept_of(table.rows, rows))
    return replace(table, header=header, rows=kept)


def _kept_of(parts: tuple[_Part, ...], kept: _Kept) -> tuple[_Part, ...]:
    if kept is None:
        return parts
    return tuple(parts[at] for places in kept for at in places if at < len(parts))


_GAPS = frozenset({"...", "…", "⋮", "⋯"})
_SIZE = re.compile(r"(\d+) rows? × (\d+) columns?")


class _Parser(HTMLParser):
    """Collects the cells of the first table, and the paragraph below it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.headers: list[bool] = []
        self.note = ""
        self._cell: list[str] | None = None
        self._in_note = False
        self._over = False
        self._count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "p" and self._over:
            self._in_note = True
        if self._over or self._count > _MOST_CELLS:
            return
        if tag == "tr":
            self.rows.append([])
            self.headers.append(True)
        elif tag in ("td", "th") and self.rows:
            self._cell = []
            self._count += 1
            if tag == "td":
                self.headers[-1] = False

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.rows[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None
        elif tag == "table":
            self._over = True
        elif tag == "p":
            self._in_note = False

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)
        elif self._in_note and len(self.note) < 200:
            self.note += data
