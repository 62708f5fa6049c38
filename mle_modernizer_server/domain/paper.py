"""A paper as parsed from its file: sections, tables, references, and their places."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value


class PaperFormat(str, Enum):
    """File format of a paper."""

    LATEX = "latex"
    PDF = "pdf"
    MARKDOWN = "markdown"
    HTML = "html"


class PaperProblem(str, Enum):
    """Reason why a file cannot be parsed as a paper."""

    UNKNOWN_FORMAT = "unknown_format"
    """None of LaTeX, an archive of it, PDF, Markdown or HTML."""
    TOO_LARGE = "too_large"
    """The file, or the content of an archive, is over the limit."""
    BAD_ARCHIVE = "bad_archive"
    """It begins like an archive and cannot be unpacked."""
    NO_SOURCE = "no_source"
    """An archive without a LaTeX document."""
    DAMAGED = "damaged"
    """It begins like a PDF and cannot be opened."""
    ENCRYPTED = "encrypted"
    """A PDF behind a password."""
    SCANNED = "scanned"
    """A PDF of pictures: no page has text."""
    EMPTY = "empty"
    """It contains no text."""
    TIME = "time"
    """Reading took longer than the limit."""
    MEMORY = "memory"
    """Reading took more memory than the limit."""
    NO_PAGE = "no_page"
    """It has no such page, or is no PDF: there is no picture of it."""
    NOT_INSTALLED = "not_installed"
    """The packages that read papers are not installed."""
    CRASHED = "crashed"
    """The process that parsed it ended without an answer."""


class PaperRemarkCode(str, Enum):
    """Note for readers of a parsed paper on the quality of the parsing."""

    NO_TABLES = "no_tables"
    """No table was found: results may be in figures only."""
    PAGES_LEFT_OUT = "pages_left_out"
    """Pages after the limit were not read; the parameter is their number."""
    PAGES_WITHOUT_TEXT = "pages_without_text"
    """Some pages are pictures; the parameter lists them."""
    MISSING_INPUT = "missing_input"
    """A source that the paper includes is missing; the parameter is its name."""
    EXPANSION_CUT = "expansion_cut"
    """Its own macros expand to more than the limit; some were left unexpanded."""
    LEFT_OUT = "left_out"
    """There are more items of a kind (the parameter) than the limit; only the first are stored."""
    EXECUTES = "executes"
    """Compiling the source would run a program (it is never compiled); the parameter is the
    construct."""
    UNSAFE_MEMBER = "unsafe_member"
    """The archive has a link, a device, or a path out of it, which was ignored; the parameter names
    it."""
    ADDRESSES_READER = "addresses_reader"
    """Text that tries to instruct whoever, or whatever, reads it; the parameter quotes it."""
    NUMBERS_FROM_PDF = "numbers_from_pdf"
    """Numbers were extracted from a page's layout: compare each with the page."""


class PaperRemark(Value):
    """One remark: a code with its parameters."""

    code: PaperRemarkCode
    parameter: str = ""


class Place(Value):
    """A place in a paper; indices count from 0 in the paper's own lists."""

    section: int | None = None
    start: int | None = None
    """First character in the section's text."""
    end: int | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None
    page: int | None = None
    """Counted from 1; None if the format has no pages."""


class Section(Value):
    """A heading with the text up to the next one."""

    number: str = ""
    """As printed, for example "3.2"; empty if unnumbered."""
    title: str
    level: int = 1
    text: str
    page: int | None = None
    appendix: bool = False

    @property
    def heading(self) -> str:
        """Return number and title."""
        return f"{self.number} {self.title}".strip()


class TableCell(Value):
    """One cell; a cell over several columns or rows is repeated in each of them."""

    text: str
    bold: bool = False
    spans: bool = False
    """It is part of a cell that spans several columns or rows."""


class PaperTable(Value):
    """A table with the text of each cell."""

    number: str = ""
    """As printed, for example "2"."""
    caption: str = ""
    rows: tuple[tuple[TableCell, ...], ...]
    header_rows: int = 1
    """Number of heading rows at the top."""
    section: int | None = None
    page: int | None = None

    @property
    def columns(self) -> int:
        """Return the number of columns."""
        return max((len(row) for row in self.rows), default=0)


class Equation(Value):
    """A displayed equation, as LaTeX or as its text in a PDF."""

    number: str = ""
    text: str
    section: int | None = None
    page: int | None = None


class Figure(Value):
    """A figure's caption."""

    number: str = ""
    caption: str
    section: int | None = None
    page: int | None = None


class Algorithm(Value):
    """An algorithm's caption and its lines."""

    number: str = ""
    caption: str = ""
    lines: tuple[str, ...] = ()
    section: int | None = None
    page: int | None = None


class Reference(Value):
    """An entry of the bibliography."""

    key: str
    """The citation's key in LaTeX; otherwise its number or place in the list."""
    text: str
    title: str = ""
    year: int | None = None
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    citations: tuple[Place, ...] = ()
    """Places of its citations in the paper."""


class Mark(Value):
    """A rectangle on the picture of a page, in shares of its width and height from the top left."""

    left: float
    top: float
    right: float
    bottom: float


class PagePicture(Value):
    """A page of a PDF as printed, to compare with the numbers extracted from it."""

    page: int
    """Counted from 1."""
    width: int
    """In pixels."""
    height: int
    png: str
    """The picture, in base64."""
    marks: tuple[Mark, ...] = ()
    """Rectangles around the requested text."""


class Paper(Value):
    """All parsed content of a paper's file."""

    format: PaperFormat
    title: str = ""
    sections: tuple[Section, ...]
    tables: tuple[PaperTable, ...] = ()
    equations: tuple[Equation, ...] = ()
    figures: tuple[Figure, ...] = ()
    algorithms: tuple[Algorithm, ...] = ()
    references: tuple[Reference, ...] = ()
    pages: int | None = None
    remarks: tuple[PaperRemark, ...] = ()

    def where(self, place: Place) -> str:
        """Return a readable place, such as `Table 1 row 5, p. 3`; empty if there is none."""
        page = f", p. {place.page}" if place.page else ""
        if place.table is not None:
            number = self.tables[place.table].number or str(place.table + 1)
            row = "" if place.row is None else f" row {place.row + 1}"
            return f"Table {number}{row}{page}"
        if place.section is None:
            return page.lstrip(", ")
        section = self.sections[place.section]
        return f"§{section.number or section.title[:30]}{page}"
