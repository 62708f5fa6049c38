"""What is said about a paper: remarks, places, doubts, statements."""

from __future__ import annotations

from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.domain.checklist import Statement
from mle_modernizer_server.domain.claim import Doubt
from mle_modernizer_server.domain.paper import Paper, PaperRemark, PaperRemarkCode, Place

_REMARKS = {
    PaperRemarkCode.NO_TABLES: "No table was found; results that stand in figures are not read.",
    PaperRemarkCode.PAGES_LEFT_OUT: "It is long: the last {} pages were not read.",
    PaperRemarkCode.PAGES_WITHOUT_TEXT: "Pages without text (pictures?): {}.",
    PaperRemarkCode.MISSING_INPUT: "It includes {}, which is not there.",
    PaperRemarkCode.EXPANSION_CUT: "Its macros expand to more than the limit {}.",
    PaperRemarkCode.LEFT_OUT: "There is more of this than is kept: {}.",
    PaperRemarkCode.EXECUTES: "Compiling it would run a program ({}); it is never compiled here.",
    PaperRemarkCode.UNSAFE_MEMBER: "The archive's {} leads elsewhere and was ignored.",
    PaperRemarkCode.ADDRESSES_READER: "It has text that instructs its reader: “{}”",
    PaperRemarkCode.NUMBERS_FROM_PDF: "Numbers are read from pages: check them beside the page.",
}
DOUBTS = {
    Doubt.NO_METRIC: "metric?",
    Doubt.NO_METHOD: "method?",
    Doubt.NO_DATASET: "data set?",
    Doubt.FROM_PDF: "number",
    Doubt.SEVERAL_METRICS: "which metric?",
}
STATEMENTS = {
    Statement.STATED: "stated",
    Statement.CITED: "from a cited work",
    Statement.NOT_STATED: "not stated",
}


def remark_text(remark: PaperRemark) -> str:
    """A remark on how a paper was read."""
    return _REMARKS[remark.code].format(one_line(remark.parameter))


def place_text(place: Place, paper: Paper) -> str:
    """Where in a paper something stands."""
    return one_line(paper.where(place))
