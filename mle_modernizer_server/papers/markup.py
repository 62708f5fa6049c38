"""Markdown and HTML → the parts of a paper; Markdown becomes HTML first: there is one reader.

No script runs and no address is followed: the markup is only parsed.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag
from bs4.element import Comment, NavigableString
from markdown_it import MarkdownIt

from mle_modernizer_server.domain.paper import (
    Equation,
    Figure,
    PaperFormat,
    PaperTable,
    TableCell,
)
from mle_modernizer_server.papers.latex.expand import decode
from mle_modernizer_server.papers.parts import (
    MOST_CELLS,
    PaperParts,
    header_rows,
    one_space,
    rectangular,
)
from mle_modernizer_server.papers.references import reference_of
from mle_modernizer_server.papers.sources import Sources

_UNSEEN = ("script", "style", "nav", "header", "footer", "noscript", "template", "svg", "button")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = ("p", "div", "li", "tr", "section", "article", "blockquote", "pre", "dt", "dd", "br")
_NUMBERED = re.compile(
    r"^(?P<number>(?:\d{1,2}|[A-K])(?:\.\d{1,2}){0,3})[.:]?\s+(?P<title>[A-Z].{1,100})$"
)
_NUMBERED_LINE = re.compile(
    r"^(?:(?:\d{1,2}|[A-K])(?:\.\d{1,2}){0,3}\.? [A-Z][^.|]{2,80}|Abstract|References|Appendix)$"
)
_CAPTION = re.compile(r"^\s*(?P<kind>Table|Figure|Fig\.)\s*(?P<number>[A-Z]?\d{1,3})\s*[:.|]?\s*")
_MOST_SPAN = 60


def read_markdown(sources: Sources) -> PaperParts:
    """Read the parts of a paper written in Markdown, or as plain text with numbered headings."""
    text = decode(sources.files[sources.main])
    if not re.search(r"^#{1,6} ", text, re.MULTILINE):
        text = _with_headings(text)
    markup = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return _read(markup, PaperFormat.MARKDOWN)


def _with_headings(text: str) -> str:
    """Return plain text as Markdown: numbered lines are headings, other lines are paragraphs."""
    lines = text.split("\n")
    marked: list[str] = []
    for index, line in enumerate(lines):
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if _NUMBERED_LINE.match(line) or (index == 0 and 0 < len(line) < 200):
            marked.append(f"\n# {line}\n")
        elif "|" in line:
            begins = re.match(r"^[\s|:-]*-{3,}[\s|:-]*$", below) or (
                index and "|" not in lines[index - 1]
            )
            marked.append(f"\n{line}" if begins else line)
        else:
            marked.append(f"\n{line.strip('-=_* ') or ''}\n")
    return "\n".join(marked)


def read_html(sources: Sources) -> PaperParts:
    """Read the parts of a paper written in HTML, such as LaTeXML's output."""
    return _read(decode(sources.files[sources.main]), PaperFormat.HTML)


def _read(markup: str, format: PaperFormat) -> PaperParts:
    soup = BeautifulSoup(markup, "html.parser")
    for element in soup.find_all(_UNSEEN):
        element.decompose()
    parts = PaperParts(format)
    body = soup.body or soup
    _Reader(parts).read(body)
    title = soup.title.get_text() if soup.title else ""
    parts.title = parts.title or one_space(title)
    return parts


class _Reader:
    def __init__(self, parts: PaperParts) -> None:
        self.parts = parts
        self._tables_seen = 0
        self._appendix = False
        self._entries: list[str] = []

    def read(self, body: Tag) -> None:
        """Read the elements in their order."""
        waiting = [iter(list(body.children))]
        while waiting:
            element = next(waiting[-1], None)
            if element is None:
                waiting.pop()
            elif isinstance(element, Tag):
                if not self._element(element):
                    waiting.append(iter(list(element.children)))
            elif isinstance(element, NavigableString) and not isinstance(element, Comment):
                self.parts.add_text(str(element).replace("\n", " "))
        for index, entry in enumerate(self._entries, start=1):
            self.parts.add(self.parts.references, reference_of(str(index), entry))

    def _element(self, element: Tag) -> bool:
        """Read an element as a whole; return False if its children must be read one by one."""
        name = element.name
        if name in _HEADINGS:
            self._heading(element)
            return True
        if name == "table" and not _is_equation(element):
            self._table(element)
            return True
        if name == "math":
            text = str(element.get("alttext") or element.get_text())
            if element.get("display") == "block":
                part = Equation(text=one_space(text)[:4_000], section=self.parts.section)
                self.parts.add(self.parts.equations, part)
            self.parts.add_text(f" {_plain_math(text)} ")
            return True
        if name == "figcaption":
            self._figcaption(element)
            return True
        if name == "li" and self.parts.heading in ("references", "bibliography"):
            self._entries.append(_text(element))
            return False
        if name in _BLOCKS:
            self.parts.add_text("\n\n")
            text = element.get_text() if name == "p" else ""
            caption = _CAPTION.match(text)
            if caption and caption["kind"].startswith("Fig"):
                self._figure(text)
            elif self.parts.heading in ("references", "bibliography") and len(text) > 20:
                self._entries.append(_text(element))
        return False

    def _heading(self, element: Tag) -> None:
        text = _text(element)
        match = _NUMBERED.match(text)
        may_be_title = not match and element.name in ("h1", "h2")
        if may_be_title and not self.parts.title and text.lower() not in ("abstract", "references"):
            self.parts.title = text
        number = match["number"] if match else ""
        self._appendix |= number[:1].isalpha() or text.lower().startswith("appendix")
        level = number.count(".") + 1 if number else int(element.name[1])
        self.parts.begin_section(
            match["title"] if match else text, number=number, level=level, appendix=self._appendix
        )

    def _figcaption(self, element: Tag) -> None:
        figure = element.find_parent("figure")
        if figure is None or figure.find("table") is None:
            self._figure(_text(element))

    def _figure(self, text: str) -> None:
        match = _CAPTION.match(text)
        part = Figure(
            number=match["number"] if match else "",
            caption=one_space(text[match.end() :] if match else text),
            section=self.parts.section,
        )
        self.parts.add(self.parts.figures, part)

    def _table(self, element: Tag) -> None:
        caption = _caption_of(element)
        if not caption and _CAPTION.match(self.parts.heading.capitalize()):
            caption = self.parts.heading.capitalize()
        match = _CAPTION.match(caption)
        self._tables_seen += 1
        rows = _rows(element)
        if len(rows) < 2 and (not rows or len(rows[0]) < 2):
            return
        head = element.find("thead")
        heads = len(head.find_all("tr")) if head is not None else 0
        found = header_rows(rows)
        table = PaperTable(
            number=match["number"] if match else str(self._tables_seen),
            caption=one_space(caption[match.end() :] if match else caption),
            rows=rows,
            header_rows=max(heads, found if found <= heads + 1 else heads) or found,
            section=self.parts.section,
        )
        self.parts.add(self.parts.tables, table)


def _is_equation(table: Tag) -> bool:
    return "equation" in " ".join([str(name) for name in table.get_attribute_list("class") if name])


def _caption_of(table: Tag) -> str:
    """Return a table's caption: its own, its figure's, or a paragraph before it that begins so."""
    own = table.find("caption")
    if own is None:
        figure = table.find_parent("figure")
        own = figure.find("figcaption") if figure else None
    if own is not None:
        return _text(own)
    for near in (table.find_previous_sibling(), table.find_next_sibling()):
        if isinstance(near, Tag) and re.match(r"\s*\**Table\s", near.get_text()):
            return _text(near)
    return ""


def _rows(table: Tag) -> tuple[tuple[TableCell, ...], ...]:
    rows: list[list[TableCell]] = []
    below: dict[int, tuple[int, TableCell]] = {}
    count = 0
    for row in table.find_all("tr"):
        count += len(rows[-1]) if rows else 0
        if count > MOST_CELLS:
            break
        cells: list[TableCell] = []
        for element in row.find_all(["td", "th"]):
            _reach_down(cells, below)
            columns, down = _span(element, "colspan"), _span(element, "rowspan")
            cell = TableCell(
                text=_text(element),
                bold=element.find(["b", "strong"]) is not None
                or element.find(class_="ltx_font_bold") is not None,
                spans=columns > 1,
            )
            for _ in range(columns):
                if down > 1:
                    below[len(cells)] = (down - 1, cell)
                cells.append(cell)
        _reach_down(cells, below)
        rows.append(cells)
    return rectangular(rows)


def _reach_down(cells: list[TableCell], below: dict[int, tuple[int, TableCell]]) -> None:
    """Add the cells of rows above that reach down to here."""
    while len(cells) in below:
        rest, cell = below.pop(len(cells))
        if rest > 1:
            below[len(cells)] = (rest - 1, cell)
        cells.append(cell)


def _span(element: Tag, name: str) -> int:
    value = str(element.get(name) or "1")
    return min(_MOST_SPAN, max(1, int(value))) if value.isdecimal() else 1


def _text(element: Tag) -> str:
    pieces: list[str] = []
    inside: set[int] = set()
    for one in element.descendants:
        if any(id(parent) in inside for parent in one.parents):
            continue
        if isinstance(one, Tag) and one.name == "math":
            inside.add(id(one))
            pieces.append(_plain_math(str(one.get("alttext") or one.get_text())))
        elif isinstance(one, Tag) and one.name in _BLOCKS:
            pieces.append(" ")
        elif isinstance(one, NavigableString) and not isinstance(one, Comment):
            pieces.append(str(one))
    return one_space("".join(pieces))


def _plain_math(source: str) -> str:
    from mle_modernizer_server.papers.latex.text import plain_source

    return plain_source(source) if "\\" in source or "{" in source else source
