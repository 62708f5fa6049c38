"""PDFs: headings, tables, exponents; and those that have no text."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.paper import Paper, PaperProblem, PaperRemarkCode
from mle_modernizer_server.papers import child
from mle_modernizer_server.papers.pdf import document, glyphs
from tests.papers.examples import SOURCES, ieee_pdf, many_pages_pdf, pdf, scanned_pdf


@pytest.fixture(scope="module")
def wine() -> Paper:
    paper = child.read("wine.pdf", {"wine.pdf": pdf()}).paper
    assert paper is not None
    return paper


def test_headings_and_title(wine: Paper) -> None:
    assert wine.title == "Three Classifiers on Wine"
    assert [section.heading for section in wine.sections if section.title] == [
        "1 Introduction",
        "2 Results",
        "References",
    ]


def test_a_raised_number_is_an_exponent(wine: Paper) -> None:
    assert "3.3 · 10^18 operations" in wine.sections[0].text + wine.sections[1].text


def test_a_table_beside_its_caption_is_read_and_is_no_text(wine: Paper) -> None:
    (table,) = wine.tables
    assert (table.number, table.caption, table.page) == (
        "1",
        "Accuracy of three classifiers.",
        1,
    )
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Method", "Wine", "Iris"],
        ["LDA", "98.88", "98.0"],
        ["1-NN", "95.5", "96.0"],
        ["QDA", "99.44", "97.3"],
    ]
    assert "98.88" not in " ".join(section.text for section in wine.sections)


def test_references_are_numbered_and_cited(wine: Paper) -> None:
    assert [(one.key, one.year) for one in wine.references] == [
        ("1", 1936),
        ("2", 1992),
        ("3", 1996),
    ]
    assert len(wine.references[0].citations) >= 1


def test_ieees_headings_and_tables_in_two_columns() -> None:
    paper = child.read("ieee.pdf", {"ieee.pdf": ieee_pdf()}).paper
    assert paper is not None
    assert [(section.level, section.heading) for section in paper.sections] == [
        (1, "I Introduction"),
        (2, "I-A First Part of It"),
        (1, "II Methods and Data"),
        (2, "II-A First Part of It"),
        (1, "III Results"),
        (2, "III-A First Part of It"),
    ]
    assert [
        (table.number, table.caption, [[cell.text for cell in row] for row in table.rows])
        for table in paper.tables
    ] == [
        (
            "I",
            "Memory and Time",
            [
                ["", "", "Measured", "Measured"],
                ["", "", "VRAM", "Hours"],
                ["Small", "BF16", "82.4", "3.6"],
                ["Small", "Hybrid", "74.2", "2.2"],
                ["Small", "Ours", "74.1", "2.1"],
            ],
        ),
        ("II", "(a) The half", [["Model", "Score"], ["Ours", "0.5"], ["Theirs", "0.4"]]),
        ("II", "(b) The whole", [["Model", "Score"], ["Ours", "0.5"], ["Theirs", "0.4"]]),
    ]
    assert "Measured" not in " ".join(section.text for section in paper.sections)


def test_numbers_of_a_pdf_are_to_be_checked(wine: Paper) -> None:
    assert any(one.code is PaperRemarkCode.NUMBERS_FROM_PDF for one in wine.remarks)


@pytest.mark.parametrize(
    ("codes", "letter"),
    [((0xD835, 0xDC65), "x"), ((0xD83D, 0xDE00), "\U0001f600"), ((0, 0xDC65), "\ufffd")],
    ids=["math", "beyond 16 bits", "half"],
)
def test_a_letter_in_two_halves_is_one(codes: tuple[int, int], letter: str) -> None:
    high, low = codes
    assert glyphs.letter(low, high) == letter


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (pdf(password="x"), PaperProblem.ENCRYPTED),
        (scanned_pdf(), PaperProblem.SCANNED),
        (pdf()[:300], PaperProblem.DAMAGED),
        (b"%PDF-1.7\nnothing", PaperProblem.DAMAGED),
    ],
    ids=["encrypted", "scanned", "cut", "no pdf"],
)
def test_a_pdf_without_text_is_refused_with_the_reason(data: bytes, problem: PaperProblem) -> None:
    assert child.read("x.pdf", {"x.pdf": data}).problem is problem


def test_of_500_pages_the_first_are_read_and_the_rest_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(document, "MOST_PAGES", 20)
    paper = child.read("long.pdf", {"long.pdf": many_pages_pdf(500)}).paper
    assert paper is not None
    assert paper.pages == 500
    remarks = {one.code: one.parameter for one in paper.remarks}
    assert remarks[PaperRemarkCode.PAGES_LEFT_OUT] == "480"
    assert remarks[PaperRemarkCode.NO_TABLES] == ""
    text = " ".join(section.text for section in paper.sections)
    assert "葡萄酒" in text
    assert "page 20 " in text
    assert "page 21 " not in text


def test_a_page_that_is_not_there_has_no_picture() -> None:
    for name, data, page in (("a.pdf", pdf(), 2), ("a.tex", SOURCES["main.tex"], 1)):
        assert child.read(name, {name: data}, page).problem is PaperProblem.NO_PAGE
    locked = {"a.pdf": pdf(password="x")}
    assert child.read("a.pdf", locked, 1).problem is PaperProblem.ENCRYPTED
