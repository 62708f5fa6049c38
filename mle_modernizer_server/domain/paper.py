"""A paper as it was read from its file: sections, tables, references, and where they are."""

from __future__ import annotations

from enum import Enum

from mle_modernizer_server.domain.base import Value


class PaperFormat(str, Enum):
    """What a paper was read from."""

    LATEX = "latex"
    PDF = "pdf"
    MARKDOWN = "markdown"
    HTML = "html"


class PaperProblem(str, Enum):
    """Why a file is no paper that can be read."""

    UNKNOWN_FORMAT = "unknown_format"
    """None of LaTeX, an archive of it, PDF, Markdown or HTML."""
    TOO_LARGE = "too_large"
    """The file, or what an archive holds, is over the limit."""
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
    """There is no text in it."""
    TIME = "time"
    """Reading took longer than the limit."""
    MEMORY = "memory"
    """Reading took more memory than the limit."""
    NO_PAGE = "no_page"
    """It has no such page, or is no PDF: there is no picture of it."""
    NOT_INSTALLED = "not_installed"
    """The packages that read papers are not installed."""
    CRASHED = "crashed"
    """The process that read it ended without an answer."""


class PaperRemarkCode(str, Enum):
    """What a reader of a paper should know about how it was read."""

    NO_TABLES = "no_tables"
    """No table was found: results may stand in figures alone."""
    PAGES_LEFT_OUT = "pages_left_out"
    """Pages after the limit were not read; the parameter says how many."""
    PAGES_WITHOUT_TEXT = "pages_without_text"
    """Some pages are pictures; the parameter names them."""
    MISSING_INPUT = "missing_input"
    """A source that the paper includes is not there; the parameter names it."""
    EXPANSION_CUT = "expansion_cut"
    """Its own macros expand to more than the limit; some were left as they are."""
    LEFT_OUT = "left_out"
    """More of something than is kept (the parameter says of what); the first are kept."""
    EXECUTES = "executes"
    """Compiling the source would run a program (it is never compiled); the parameter says how."""
    UNSAFE_MEMBER = "unsafe_member"
    """The archive has a link, a device, or a path out of it, which was ignored; named."""
    ADDRESSES_READER = "addresses_reader"
    """Text that tries to instruct whoever, or whatever, reads it; the parameter quotes it."""
    NUMBERS_FROM_PDF = "numbers_from_pdf"
    """Numbers were read from a page's layout: confirm each beside the page."""


class PaperRemark(Value):
    """One remark: a code, and what it is about."""

    code: PaperRemarkCode
    parameter: str = ""


class Place(Value):
    """Where in a paper something stands; indices count from 0 in the paper's own lists."""

    section: int | None = None
    start: int | None = None
    """First character in the section's text."""
    end: int | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None
    page: int | None = None
    """Counted from 1; None where the format has no pages."""


class Section(Value):
    """A heading with the text up to the next one."""

    number: str = ""
    """As printed, for example "3.2"; empty where unnumbered."""
    title: str
    level: int = 1
    text: str
    page: int | None = None
    appendix: bool = False

    @property
    def heading(self) -> str:
        """Number and title."""
        return f"{self.number} {self.title}".strip()


class TableCell(Value):
    """One cell; a cell over several columns or rows is repeated in each of them."""

    text: str
    bold: bool = False
    spans: bool = False
    """It is one of several that were one cell."""


class PaperTable(Value):
    """A table with the text of each cell."""

    number: str = ""
    """As printed, for example "2"."""
    caption: str = ""
    rows: tuple[tuple[TableCell, ...], ...]
    header_rows: int = 1
    """How many rows at the top are headings."""
    section: int | None = None
    page: int | None = None

    @property
    def columns(self) -> int:
        """How many columns it has."""
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
    """The citation's key in LaTeX; elsewhere its number or place in the list."""
    text: str
    title: str = ""
    year: int | None = None
    arxiv: str = ""
    doi: str = ""
    url: str = ""
    citations: tuple[Place, ...] = ()
    """Where the paper cites it."""


class Mark(Value):
    """A rectangle on the picture of a page, in shares of its width and height from the top left."""

    left: float
    top: float
    right: float
    bottom: float


class PagePicture(Value):
    """A page of a PDF as it is printed, to look at beside the numbers that were read from it."""

    page: int
    """Counted from 1."""
    width: int
    """In pixels."""
    height: int
    png: str
    """The picture, in base64."""
    marks: tuple[Mark, ...] = ()
    """Where the text that was asked for stands."""


class Paper(Value):
    """All that was read from a paper's file."""

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
        """A place as a person names it, such as `Table 1 row 5, p. 3`; empty where it has none."""
        page = f", p. {place.page}" if place.page else ""
        if place.table is not None:
            number = self.tables[place.table].number or str(place.table + 1)
            row = "" if place.row is None else f" row {place.row + 1}"
            return f"Table {number}{row}{page}"
        if place.section is None:
            return page.lstrip(", ")
        section = self.sections[place.section]
        return f"§{section.number or section.title[:30]}{page}"
