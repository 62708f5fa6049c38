"""The six papers as LaTeX and as the PDFs made from it say the same.

The PDFs are remade by `SOURCE_DATE_EPOCH=0 FORCE_SOURCE_DATE=1 pdflatex -no-shell-escape NAME.tex`,
twice, in their folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mle_modernizer_server.domain.paper import Claim, Paper, Statement
from mle_modernizer_server.papers import child
from mle_modernizer_server.reproducing.checklist import checklist_of
from mle_modernizer_server.reproducing.claims.find import claims_of

PAPERS = Path(__file__).parent / "papers"


def read(name: str) -> Paper:
    paper = child.read(name, {name: (PAPERS / name).read_bytes()}).paper
    assert paper is not None
    return paper


def said(claim: Claim) -> tuple[str, str, str, str, float | None, bool]:
    return claim.dataset, claim.method, claim.metric, claim.printed, claim.spread, claim.own


def text_by_heading(paper: Paper) -> dict[str, list[str]]:
    """Words of each section, without the page numbers that a PDF prints."""
    return {
        one.heading: [word for word in one.text.split() if word != "1"]
        for one in paper.sections
        if one.heading
    }


@pytest.mark.parametrize("name", ["wine", "lars", "bagging", "wdbc", "adaboost", "digits"])
def test_a_paper_says_the_same_as_latex_and_as_pdf(name: str) -> None:
    latex, pdf = read(f"{name}.tex"), read(f"{name}.pdf")
    assert pdf.title == latex.title
    assert text_by_heading(pdf) == text_by_heading(latex)
    claims = claims_of(latex)
    assert claims
    assert list(map(said, claims_of(pdf))) == list(map(said, claims))
    assert [(one.name, one.value) for one in checklist_of(pdf)] == [
        (one.name, one.value) for one in checklist_of(latex)
    ]
    assert any(one.statement is Statement.STATED for one in checklist_of(pdf))
