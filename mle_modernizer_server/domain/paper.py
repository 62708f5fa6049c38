"""A paper: its parsed content, claims, requirements, and the works it builds on."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.model_calls import ChatMessage, Usage


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


class Topic(str, Enum):
    """Subject of a requirement."""

    DATA = "data"
    MODEL = "model"
    TRAINING = "training"
    EVALUATION = "evaluation"


class Statement(str, Enum):
    """Whether a paper states a requirement."""

    STATED = "stated"
    CITED = "cited"
    """The paper refers to a cited work for it."""
    NOT_STATED = "not_stated"


class Evidence(Value):
    """A passage in which a paper states a requirement."""

    value: str = ""
    """The stated value, if rules can parse it: "0.001", "Adam"."""
    quote: str
    place: Place
    references: tuple[str, ...] = ()
    """Keys of the works cited in the sentence."""


class Requirement(Value):
    """One item of the checklist."""

    name: str
    """Identifier: "learning_rate"."""
    topic: Topic
    statement: Statement
    value: str = ""
    """Value of the best evidence; empty if none can be parsed."""
    evidence: tuple[Evidence, ...] = ()
    """Best first."""
    assumption: str = ""
    """Python expression to assume if the paper states no value; empty if there is none."""


class ClaimSource(str, Enum):
    """Part of a paper in which a claim was found."""

    TABLE = "table"
    SENTENCE = "sentence"


class Doubt(str, Enum):
    """Reason to compare a claim with the paper before it is used."""

    NO_METRIC = "no_metric"
    """No metric's name is near the number."""
    NO_METHOD = "no_method"
    """The method of the number is not clear."""
    NO_DATASET = "no_dataset"
    """The dataset of the number is not clear."""
    FROM_PDF = "from_pdf"
    """The number was extracted from a page's layout."""
    SEVERAL_METRICS = "several_metrics"
    """Several metrics' names are near the number."""
    FROM_MODEL = "from_model"
    """A model proposed the claim: the paper's text has the number, but its meaning is the model's
    reading."""


class Claim(Value):
    """A number that a paper claims.

    Empty attributes are unknown; a person fills them in.
    """

    id: str
    """Stable for one paper's file: made from the place and the number."""
    dataset: str = ""
    method: str = ""
    metric: str = ""
    value: float
    printed: str
    """The number as the paper prints it."""
    decimals: int = 0
    """Digits after the point as printed; they define "within rounding"."""
    percent: bool = False
    """The number is followed by a percent sign."""
    spread: float | None = None
    """Number after ± or in brackets."""
    higher_is_better: bool | None = None
    own: bool = False
    """The paper calls the method its own ("ours", or by its name in the title)."""
    best: bool = False
    """Printed in bold."""
    source: ClaimSource
    place: Place
    quote: str = ""
    """The sentence or the table row."""
    doubts: tuple[Doubt, ...] = ()


class Mention(Value):
    """A sentence of the paper that cites a work."""

    quote: str
    place: Place
    follows: bool = False
    """The sentence reports that the paper follows that work in something."""


class SourceKind(str, Enum):
    """Source of a cited work, or of code for it."""

    FOLDER = "folder"
    """A file or a repository that a person put next to the paper."""
    INSTALLED = "installed"
    """An installed Python library whose documentation names the work."""
    FETCHED = "fetched"
    """Downloaded from arXiv at a person's request."""


class CitedSource(Value):
    """An available cited work, or code that names it."""

    kind: SourceKind
    name: str
    """Name of the file, the class or function, or its address."""
    title: str = ""
    """Title of the paper in the file."""
    version: str = ""
    """Name and version of the installed library."""
    excerpt: str = ""
    """The beginning of the code."""


class TakenValue(Value):
    """Value that a cited work states for a requirement that the paper adopts from it."""

    requirement: str
    value: str
    source: str
    """Name of the file."""
    where: str = ""
    """Its place in the cited work, in words."""
    quote: str = ""


class Ancestor(Value):
    """A cited work that the paper builds on."""

    key: str
    """Key of the reference."""
    text: str
    """Title, or the reference as printed."""
    weight: float
    """How much of the paper's text is about it; comparable within one paper."""
    mentions: tuple[Mention, ...] = ()
    """The most informative ones first."""
    requirements: tuple[str, ...] = ()
    """Items of the checklist that are adopted from it."""
    sources: tuple[CitedSource, ...] = ()
    """Available copies of it and of its code."""
    taken: tuple[TakenValue, ...] = ()
    """Values that it states for those items."""
    address: str = ""
    """Address of its sources on arXiv; empty if the reference has none."""


MOST_READ_CLAIMS = 200
"""Largest number of claims from one paper."""


class ReadClaim(Value):
    """A claim proposed by a model; unused until the paper's text confirms it."""

    quote: str = Field(max_length=2_000)
    """The sentence, or the table row with ` | ` between its cells, verbatim."""
    number: str = Field(max_length=40)
    """The number as the paper prints it in the quote."""
    dataset: str = Field(default="", max_length=200)
    method: str = Field(default="", max_length=200)
    metric: str = Field(default="", max_length=200)
    own: bool = False


class QuoteProblem(str, Enum):
    """Reason to reject a claim that a model proposed."""

    NOT_IN_PAPER = "not-in-paper"
    """No sentence or table row of the paper contains the quote."""
    TOO_SHORT = "too-short"
    """The quote has only a word or two and confirms nothing."""
    NO_NUMBER = "no-number"
    """The quote does not contain the number."""
    AMBIGUOUS = "ambiguous"
    """The paper contains the quote, or the quote the number, more than once."""


class RefusedClaim(Value):
    """A claim that a model proposed and the paper does not confirm."""

    claim: ReadClaim
    problem: QuoteProblem


class KeptClaims(Value):
    """Claims that a model proposed, stored next to the paper; checked again at each reading."""

    version: int = Field(default=1, ge=1, le=1)
    checksum: str = Field(max_length=64)
    """SHA-256 of the paper's file; the claims are not used for a file with another one."""
    model: str = Field(max_length=200)
    asked_at: datetime
    usage: Usage = Usage()
    claims: tuple[ReadClaim, ...] = Field(max_length=MOST_READ_CLAIMS)
    unreadable: int = Field(default=0, ge=0)
    """Lines of the answer that could not be parsed as a claim."""


class ClaimCompletion(Value):
    """Result of checking the claims that a model proposed for a paper."""

    model: str
    asked_at: datetime
    usage: Usage
    confirmed: int
    """Number of claims that the paper's text confirms."""
    refused: tuple[RefusedClaim, ...] = ()
    unreadable: int = 0


class ClaimsQuestion(Value):
    """Preview of the request to a model for a paper's claims, with its estimated cost."""

    host: str
    model: str
    messages: tuple[ChatMessage, ...]
    input_tokens: int
    """Estimated from four characters a token."""
    output_tokens: int
    """Tokens of an answer of usual length."""
    cost_usd: float | None
    """Estimated cost in US dollars; None if the price is unknown."""
    masked: int = 0
    """Number of secrets replaced by placeholders."""
    left_out: tuple[str, ...] = ()
    """Parts that are too long to send, a sentence each."""


class PaperReading(Value):
    """A paper, its claims, and the requirements of its method."""

    paper: Paper
    claims: tuple[Claim, ...]
    checklist: tuple[Requirement, ...]
    lineage: tuple[Ancestor, ...] = ()
    """The cited works that it builds on most."""
    completion: ClaimCompletion | None = None
    """Result of asking a model for further claims; None if none was asked."""

    def ranked(self) -> tuple[Claim, ...]:
        """Return the claims in numbering order: those of the paper's own method first, tables
        first."""
        return tuple(
            sorted(self.claims, key=lambda one: (not one.own, one.source is ClaimSource.SENTENCE))
        )
