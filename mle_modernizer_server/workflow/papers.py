"""A paper's file → all that can be read of it without a model."""

from __future__ import annotations

from pathlib import Path

from mle_modernizer_server.domain.paper_reading import PaperReading
from mle_modernizer_server.papers.read import read_paper
from mle_modernizer_server.reproducing.checklist import checklist_of
from mle_modernizer_server.reproducing.claims.find import claims_of


def read(path: Path) -> PaperReading:
    """A paper with its claims and the checklist of its method.

    Raises:
        BadPaper: It is none, or cannot be read.
    """
    paper = read_paper(path)
    return PaperReading(paper=paper, claims=claims_of(paper), checklist=checklist_of(paper))
