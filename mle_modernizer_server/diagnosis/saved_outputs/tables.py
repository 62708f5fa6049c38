"""The first HTML table of an output, as rows of cells."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

_LONGEST = 2_000_000
_MOST_CELLS = 20_000


@dataclass(frozen=True)
class HtmlTable:
    """A table as it is shown.

    Attributes:
        header: The names of the columns, those of the index included (often empty).
        rows: The cells' texts, row by row.
        note: What stands below: `891 rows × 12 columns`, or "".
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def html_table(html: str) -> HtmlTable | None:
    """The first table of a text in HTML; None where there is none."""
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
    return HtmlTable(header, tuple(map(tuple, rows)), " ".join(parser.note.split()))


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
