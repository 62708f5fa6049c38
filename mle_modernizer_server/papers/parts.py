"""Collects the parts of a paper in the order they are read, within bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from mle_modernizer_server.domain.paper import (
    Algorithm,
    Equation,
    Figure,
    Paper,
    PaperFormat,
    PaperProblem,
    PaperRemark,
    PaperRemarkCode,
    PaperTable,
    Reference,
    Section,
    TableCell,
)
from mle_modernizer_server.papers.references import with_citations
from mle_modernizer_server.papers.sources import UnreadablePaper

MOST_PARTS = 2_000
"""Most sections, tables, equations, … of one paper, of each."""
MOST_CELLS = 5_000
"""Cells of a table."""
MOST_TEXT = 4_000_000
"""Characters of a paper."""
_MOST_QUOTE = 300
_Part = TypeVar("_Part")
_INSTRUCTION = re.compile(
    r"[^.\n]*\b(?:(?:ignore|disregard|forget) (?:all |any |the )*(?:previous|prior|above|earlier|"
    r"preceding)[^.\n]*(?:instruction|prompt|direction)|(?:if you are|as) an? (?:AI|LLM|language "
    r"model)\b[^.\n]*\b(?:must|should|please|review)|give a positive review|"
    r"do not (?:highlight|mention) any (?:negative|weakness))[^.\n]*",
    re.IGNORECASE,
)


class PaperParts:
    """The parts of a paper read so far.

    Args:
        format: Format of the source.
    """

    def __init__(self, format: PaperFormat) -> None:
        self.format = format
        self.title = ""
        self.pages: int | None = None
        self.tables: list[PaperTable] = []
        self.equations: list[Equation] = []
        self.figures: list[Figure] = []
        self.algorithms: list[Algorithm] = []
        self.references: list[Reference] = []
        self.remarks: list[PaperRemark] = []
        self._sections: list[Section] = []
        self._texts: list[list[str]] = []
        self._size = 0

    @property
    def section(self) -> int:
        """Return the index of the current section; there always is one."""
        if not self._sections:
            self.begin_section("", level=1)
        return len(self._sections) - 1

    @property
    def heading(self) -> str:
        """Return the title of the current section, in lower case."""
        return self._sections[-1].title.lower() if self._sections else ""

    def begin_section(
        self,
        title: str,
        *,
        number: str = "",
        level: int = 1,
        page: int | None = None,
        appendix: bool = False,
    ) -> None:
        """Begin a section; text read before stays in its own section."""
        title = one_space(title)
        if len(self._sections) >= MOST_PARTS:
            self.remark(PaperRemarkCode.LEFT_OUT, "sections")
            self.add_text(f"\n\n{number} {title}\n\n")
            return
        self._sections.append(
            Section(number=number, title=title, level=level, text="", page=page, appendix=appendix)
        )
        self._texts.append([])

    def add_text(self, text: str) -> None:
        """Add to the text of the section that is being read."""
        if self._size + len(text) > MOST_TEXT:
            self.remark(PaperRemarkCode.LEFT_OUT, "text")
            text = text[: MOST_TEXT - self._size]
        self._size += len(text)
        self._texts[self.section].append(text)

    def texts(self) -> list[str]:
        """Return the text of each section so far."""
        return ["".join(texts) for texts in self._texts]

    def replace_in_text(self, replace: Callable[[str], str]) -> None:
        """Change the text of each section, and its title."""
        self._texts = [[replace(text)] for text in self.texts()]
        self._sections = [
            section.model_copy(update={"title": one_space(replace(section.title))})
            for section in self._sections
        ]

    def text_of(self, *titles: str) -> str:
        """Return the text of the last section with one of these lower-case titles, or nothing."""
        found = [
            text
            for section, text in zip(self._sections, self.texts(), strict=True)
            if section.title.lower() in titles
        ]
        return found[-1] if found else ""

    def add(self, parts: list[_Part], part: _Part) -> None:
        """Add a table, equation, figure, algorithm or reference to its list."""
        if len(parts) >= MOST_PARTS:
            self.remark(PaperRemarkCode.LEFT_OUT, type(part).__name__)
        else:
            parts.append(part)

    def remark(self, code: PaperRemarkCode, parameter: str = "") -> None:
        """Note something about how the paper was read, once."""
        remark = PaperRemark(code=code, parameter=one_space(parameter)[:_MOST_QUOTE])
        if remark not in self.remarks and len(self.remarks) < 100:
            self.remarks.append(remark)

    def paper(self) -> Paper:
        """Return the whole paper.

        Raises:
            UnreadablePaper: There is no text.
        """
        sections = [
            section.model_copy(update={"text": tidy_text("".join(texts))})
            for section, texts in zip(self._sections, self._texts, strict=True)
        ]
        if not any(section.text for section in sections):
            raise UnreadablePaper(PaperProblem.EMPTY)
        if not self.tables:
            self.remark(PaperRemarkCode.NO_TABLES)
        for section in sections:
            for found in _INSTRUCTION.finditer(section.text):
                self.remark(PaperRemarkCode.ADDRESSES_READER, found.group())
        return Paper(
            format=self.format,
            title=self.title,
            sections=tuple(sections),
            tables=tuple(self.tables),
            equations=tuple(self.equations),
            figures=tuple(self.figures),
            algorithms=tuple(self.algorithms),
            references=with_citations(self.references, sections),
            pages=self.pages,
            remarks=tuple(self.remarks),
        )


def rectangular(rows: Sequence[Sequence[TableCell]]) -> tuple[tuple[TableCell, ...], ...]:
    """Return the rows padded to one length, without the empty ones, and bounded."""
    kept = [list(row) for row in rows if any(cell.text for cell in row)]
    width = max((len(row) for row in kept), default=0)
    most = max(1, MOST_CELLS // max(1, width))
    blank = TableCell(text="")
    return tuple(tuple(row + [blank] * (width - len(row))) for row in kept[:most])


_NUMERIC = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*(?:[kKmMBGsx%]|ms|M?B)?[^A-Za-z]*$")


def is_numeric(text: str) -> bool:
    """Return whether a cell reads as a number, with its signs, spread and marks."""
    return bool(_NUMERIC.match(text.strip()))


def header_rows(rows: Sequence[Sequence[TableCell]]) -> int:
    """Return the number of heading rows at the top: those before the first with results in it."""
    for index, row in enumerate(rows):
        cells = [cell for cell in row[1:] if cell.text]
        numbers = sum(is_numeric(cell.text) for cell in cells)
        if numbers and numbers * 2 >= len(cells):
            decimals = any(re.search(r"\d\.\d", cell.text) for cell in cells)
            if decimals or row[0].text:
                return index or (0 if decimals else 1)
    return 1 if rows else 0


def one_space(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def tidy_text(text: str) -> str:
    """Return the paragraphs on one line each, with an empty line between them."""
    paragraphs = (one_space(part) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(part for part in paragraphs if part)
