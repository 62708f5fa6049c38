"""The lines of all pages → headings, text, captions, tables, equations and references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from mle_modernizer_server.domain.paper import (
    Algorithm,
    Equation,
    Figure,
    PaperFormat,
    PaperProblem,
    PaperRemarkCode,
    PaperTable,
)
from mle_modernizer_server.papers.parts import PaperParts, header_rows
from mle_modernizer_server.papers.pdf.glyphs import Page, open_pdf, page_of
from mle_modernizer_server.papers.pdf.headings import NUMBERED, Headings
from mle_modernizer_server.papers.pdf.lines import Line, joined, lines_of
from mle_modernizer_server.papers.pdf.tables import Region, Sides, tables_near
from mle_modernizer_server.papers.references import reference_of
from mle_modernizer_server.papers.sources import Sources, UnreadablePaper

MOST_PAGES = 120
_CAPTION = re.compile(
    r"^(?P<kind>Table|TABLE|Tab\.|Figure|FIGURE|Fig\.|Algorithm|ALGORITHM)\s*"
    r"(?P<number>[A-Z]?\.?\d{1,3}|[IVX]{1,5})(?P<mark>[.:|]|\s|$)\s*"
)
_EQUATION_NUMBER = re.compile(r"^(?P<text>.*\S)\s*\((?P<number>[A-Z]?\.?\d{1,3}[a-z]?)\)$")
_ENTRY = re.compile(r"^\[(\d{1,3})\]\s*|^(\d{1,3})\.\s+(?=[A-Z])")


def read_pdf(sources: Sources) -> PaperParts:
    """Read the parts of a paper from a PDF.

    Raises:
        UnreadablePaper: It is locked, damaged, or has no text.
    """
    document = open_pdf(sources.files[sources.main])
    parts = PaperParts(PaperFormat.PDF)
    parts.pages = len(document)
    if len(document) > MOST_PAGES:
        parts.remark(PaperRemarkCode.PAGES_LEFT_OUT, str(len(document) - MOST_PAGES))
    pages: list[Page] = []
    for index in range(min(len(document), MOST_PAGES)):
        number = pages[-1].last_line_number if pages else None
        pages.append(page_of(document, index, number))
    empty = [index for index, page in enumerate(pages, start=1) if len(page.words) < 5]
    if sum(len(page.words) for page in pages) < 20 * len(pages):
        scanned = any(page.pictures for page in pages)
        raise UnreadablePaper(PaperProblem.SCANNED if scanned else PaperProblem.EMPTY)
    if empty:
        parts.remark(PaperRemarkCode.PAGES_WITHOUT_TEXT, ", ".join(map(str, empty)))
    parts.remark(PaperRemarkCode.NUMBERS_FROM_PDF)
    _Reader(parts, pages).read()
    return parts


class _Reader:
    def __init__(self, parts: PaperParts, pages: Sequence[Page]) -> None:
        self.parts = parts
        self.pages = pages
        lines = [lines_of(page.words, number) for number, page in enumerate(pages, start=1)]
        self.lines = _without_margins(lines, pages)
        sizes: Counter[float] = Counter()
        for line in self.lines:
            sizes[round(line.size)] += len(line.text)
        self.body_size = sizes.most_common(1)[0][0] if sizes else 10.0
        self.regions: list[tuple[int, Region]] = []
        self._references: list[Line] = []
        self._paragraph: list[Line] = []
        self._pending: Line | None = None
        self._begun: set[int] = set()

    def read(self) -> None:
        """Read all pages."""
        self._title()
        self._tables()
        self._headings = Headings(self.lines, self.body_size, self._in_table)
        position = 0
        while position < len(self.lines):
            line = self.lines[position]
            used = self._special(position)
            if used:
                self._end_paragraph()
                self._paragraph = [] if self._pending is None else [self._pending]
                self._pending = None
                position += used
                continue
            if not self._in_table(line):
                if self._paragraph and _begins_paragraph(self._paragraph[-1], line):
                    self._end_paragraph()
                self._paragraph.append(line)
            position += 1
        self._end_paragraph()
        self._read_references()

    def _end_paragraph(self) -> None:
        """Add the lines read so far to their section."""
        lines, self._paragraph = self._paragraph, []
        if not lines:
            return
        if self.parts.heading in ("references", "bibliography"):
            self._references += lines
        self.parts.add_text(f"{joined(lines)}\n\n")

    def _special(self, position: int) -> int:
        """Read a heading, caption or equation at a line; return the number of lines it took."""
        line = self.lines[position]
        if position in self._begun:
            return 1
        if self._in_table(line):
            return 0
        caption = _CAPTION.match(line.text)
        if caption and self._is_caption(position, caption):
            return self._caption(position, caption)
        heading = self._heading(position)
        if heading:
            return heading
        equation = _EQUATION_NUMBER.match(line.text)
        if equation and _is_formula(line):
            part = Equation(
                number=equation["number"],
                text=equation["text"][:4_000],
                section=self.parts.section,
                page=line.page,
            )
            self.parts.add(self.parts.equations, part)
        return 0

    def _heading(self, position: int) -> int:
        """Begin a section if there is a heading; return the number of lines it took."""
        heading = self._headings.at(position)
        if heading is None:
            return 0
        self._end_paragraph()
        self.parts.begin_section(
            heading.title,
            number=heading.number,
            level=heading.level,
            page=self.lines[position].page,
            appendix=heading.appendix,
        )
        if heading.rest is not None:
            self._pending = heading.rest
        return heading.lines

    def _is_caption(self, position: int, match: re.Match[str]) -> bool:
        """Return whether a line that begins like a caption is one, and no sentence of the text."""
        if match["mark"].strip():
            return True
        rest = self.lines[position].text[match.end() :]
        if not rest:
            return match["kind"].isupper()  # IEEE's `TABLE I`, alone on its line
        return rest[:1].isupper() and not re.match(r"[A-Z]\w*\s(?:is|are|shows?)\b", rest)

    def _caption_lines(self, position: int) -> list[Line]:
        first = self.lines[position]
        lines = [first]
        for line in self.lines[position + 1 : position + 25]:
            last = lines[-1]
            gap = last.y - line.y
            near = line.page == first.page and 0 < gap < 1.75 * last.size
            alike = abs(line.size - first.size) < 0.6
            begins = abs(line.x0 - first.x0) < 0.4 * (first.x1 - first.x0) + 6
            if len(lines) == 1 and _is_label_alone(first):  # IEEE's, centred above its text
                begins = abs(line.x0 + line.x1 - first.x0 - first.x1) < 12
            if not near or not alike or not begins or _CAPTION.match(line.text):
                break
            if self._begins_table(first, last, line):
                break
            if len(lines) > 1 and gap > 1.25 * (lines[-2].y - last.y) + 0.5:
                break
            if last.x1 < max(one.x1 for one in lines) - 12 and last.text.endswith((".", ")")):
                break
            lines.append(line)
        return lines

    def _begins_table(self, first: Line, last: Line, line: Line) -> bool:
        """Return whether a line below a caption, however near, is the first row of its table."""
        if _is_label_alone(first):
            return False
        if line.x0 < first.x0 - 0.15 * (first.x1 - first.x0) - 6:
            return True  # lines that follow a full one do not begin before it
        gaps = (
            after.x0 - before.x1 for before, after in zip(line.words, line.words[1:], strict=False)
        )
        if max(gaps, default=0.0) > 0.95 * line.size:
            return True
        rules = self.pages[line.page - 1].rules
        return any(
            line.y + 0.5 * line.size < rule.y < last.y and rule.x0 < line.x1 and rule.x1 > line.x0
            for rule in rules
        )

    def _caption(self, position: int, match: re.Match[str]) -> int:
        lines = self._caption_lines(position)
        kind, number, page = match["kind"][:3].lower(), match["number"], lines[0].page
        text = joined(lines)[match.end() :].strip()
        section = self.parts.section
        if kind == "fig":
            figure = Figure(number=number, caption=text, section=section, page=page)
            self.parts.add(self.parts.figures, figure)
        elif kind == "alg":
            following = self.lines[position + len(lines) : position + len(lines) + 40]
            body = [
                line for line in following if line.page == page and re.match(r"\d+:", line.text)
            ]
            algorithm = Algorithm(
                number=number,
                caption=text,
                lines=tuple(line.text for line in body),
                section=section,
                page=page,
            )
            self.parts.add(self.parts.algorithms, algorithm)
        else:
            self.parts.tables = [
                table.model_copy(update={"section": section})
                if table.page == page and table.number == number
                else table
                for table in self.parts.tables
            ]
        return len(lines)

    def _tables(self) -> None:
        """Find the tables of all pages first, so that their cells are no text."""
        captions = [
            (position, line, match)
            for position, line in enumerate(self.lines)
            if (match := _CAPTION.match(line.text)) and self._is_caption(position, match)
        ]
        headings = [line for line in self.lines if line.bold and NUMBERED.match(line.text)]
        barriers = headings + [line for _, line, _ in captions]
        captions = [one for one in captions if one[2]["kind"][:3].lower() == "tab"]
        marks = Counter(match["mark"].strip() for _, _, match in captions)
        usual = max(marks, key=lambda mark: (bool(mark), marks[mark]), default="")
        found: list[tuple[re.Match[str], list[Line], Sides]] = []
        for position, line, match in captions:
            if match["mark"].strip() == usual:
                caption = self._caption_lines(position)
                others = [one for one in barriers if one.page == line.page and one is not line]
                sides = tables_near(caption, self.pages[line.page - 1], others)
                found.append((match, caption, sides))
        clear = [
            bool(sides.above) for _, _, sides in found if bool(sides.above) != bool(sides.below)
        ]
        for match, caption, sides in found:
            self._add_tables(match, caption, self._side(sides, caption[0].page, clear))

    def _side(self, sides: Sides, page: int, clear: Sequence[bool]) -> Sequence[Region]:
        """Return the tables of a caption: those on the side that this paper's captions prefer.

        Args:
            sides: The tables on either side.
            page: Of the caption.
            clear: For each caption with a table on one side only, whether that is above.
        """
        free = [
            [one for one in side if not any(at == page and one.meets(r) for at, r in self.regions)]
            for side in (sides.above, sides.below)
        ]
        if free[0] and free[1] and sum(clear) * 2 != len(clear):
            return free[0] if sum(clear) * 2 > len(clear) else free[1]
        return max(free, key=lambda side: sum(len(one.rows) * len(one.rows[0]) for one in side))

    def _add_tables(
        self, match: re.Match[str], caption: Sequence[Line], regions: Sequence[Region]
    ) -> None:
        page = caption[0].page
        for region in regions:
            self.regions.append((page, region))
            text = joined(caption)[match.end() :].strip()
            table = PaperTable(
                number=match["number"],
                caption=f"{text} {region.caption}".strip(),
                rows=region.rows,
                header_rows=header_rows(region.rows),
                page=page,
            )
            self.parts.add(self.parts.tables, table)

    def _in_table(self, line: Line) -> bool:
        return any(page == line.page and region.holds(line) for page, region in self.regions)

    def _title(self) -> None:
        first = [(index, line) for index, line in enumerate(self.lines[:60]) if line.page == 1]
        upper = [one for one in first if one[1].y > self.pages[0].height * 0.55]
        if not upper:
            return
        size = max(line.size for _, line in upper if len(line.text) > 3)
        title = [(index, line) for index, line in upper if line.size > 0.95 * size]
        if size > self.body_size * 1.1:
            self.parts.title = joined([line for _, line in title])
            self._begun = {index for index, _ in title}

    def _read_references(self) -> None:
        if not self._references:
            return
        numbered = sum(bool(_ENTRY.match(line.text)) for line in self._references) > 2
        entries: list[list[Line]] = []
        edges = _left_edges(self._references)
        for line in self._references:
            begins = (
                bool(_ENTRY.match(line.text)) if numbered else line.x0 - edges[_column_of(line)] < 3
            )
            if begins or not entries:
                entries.append([])
            entries[-1].append(line)
        for index, lines in enumerate(entries, start=1):
            text = joined(lines)
            match = _ENTRY.match(text)
            key = (match.group(1) or match.group(2)) if match else str(index)
            if re.search(r"\d{4}|in press|to appear|forthcoming", text):
                entry = reference_of(key, text[match.end() :] if match else text)
                self.parts.add(self.parts.references, entry)


def _is_label_alone(line: Line) -> bool:
    """Return whether a caption's first line is nothing but its label."""
    label = _CAPTION.match(line.text)
    return label is not None and label.end() >= len(line.text)


def _left_edges(lines: Sequence[Line]) -> dict[tuple[int, bool], float]:
    edges: dict[tuple[int, bool], float] = {}
    for line in lines:
        for right in (False, True):
            edges.setdefault((line.page, right), 1e9)
    for line in lines:
        right = line.x0 > 280
        edges[line.page, right] = min(edges[line.page, right], line.x0)
    return edges


def _column_of(line: Line) -> tuple[int, bool]:
    return line.page, line.x0 > 280


def _begins_paragraph(last: Line, line: Line) -> bool:
    if line.page != last.page or line.y > last.y:
        return last.text.endswith((".", "?", "!")) and line.text[:1].isupper()
    gap = last.y - line.y
    return gap > 1.7 * last.size or (line.x0 - last.x0 > 7 and last.text.endswith((".", ":")))


def _is_formula(line: Line) -> bool:
    symbols = sum(char in "=+−-∑∏∈≤≥∂∇×·∥|^_()" for char in line.text)
    words = len(re.findall(r"[A-Za-z]{4,}", line.text))
    return symbols >= 2 and words <= 3 + symbols // 4


def _without_margins(pages: Sequence[Sequence[Line]], sizes: Sequence[Page]) -> list[Line]:
    """Return the lines without running heads, page numbers and line numbers at the margin."""
    repeated: Counter[str] = Counter()
    for lines, page in zip(pages, sizes, strict=True):
        repeated.update(
            {
                re.sub(r"\d+", "#", line.text)
                for line in lines
                if not 0.08 * page.height < line.y < 0.92 * page.height
            }
        )
    kept: list[Line] = []
    for lines, page in zip(pages, sizes, strict=True):
        for line in lines:
            marginal = not 0.08 * page.height < line.y < 0.92 * page.height
            pattern = re.sub(r"\d+", "#", line.text)
            if marginal and (repeated[pattern] > 2 or pattern == "#"):
                continue
            kept.append(line)
    return kept
