"""Claims that a model named: only what the paper's own text has, letter by letter."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.paper import (
    ClaimSource,
    Doubt,
    Paper,
    PaperFormat,
    PaperTable,
    QuoteProblem,
    ReadClaim,
    Section,
    TableCell,
)
from mle_modernizer_server.reproducing.claims.completed import completed, paper_text
from mle_modernizer_server.reproducing.claims.find import claims_of

SENTENCE = "On Wine  our LDA\ngets 98.9 of a hundred right; chance gives 39.9."
ROWS = ("Method | Wine | Iris", "LDA | 98.88 | 98.0", "QDA | 99.44 | 99.44", "1-NN | 95.5 | 96.0")


def paper() -> Paper:
    rows = tuple(tuple(TableCell(text=text) for text in row.split(" | ")) for row in ROWS)
    return Paper(
        format=PaperFormat.LATEX,
        title="Wine",
        sections=(
            Section(
                number="1", title="Results", text=f"{SENTENCE} Twice it was 97.1. It was 97.1."
            ),
            Section(title="References", text="[1] A paper that reaches 77.7 on Wine."),
        ),
        tables=(PaperTable(number="1", caption="Some numbers.", rows=rows),),
    )


def read(quote: str, number: str, **more: str) -> ReadClaim:
    return ReadClaim(quote=quote, number=number, **more)


def test_a_quoted_sentence_becomes_a_claim_with_its_place() -> None:
    quote = "On Wine our LDA gets 98.9 of a hundred right"
    named = read(quote, "98.9", dataset="wine", method="LDA", metric="accuracy")
    claims, refused = completed(paper(), (), [named])
    assert not refused
    (claim,) = claims
    assert (claim.value, claim.decimals, claim.source) == (98.9, 1, ClaimSource.SENTENCE)
    assert paper().sections[0].text[claim.place.start : claim.place.end].strip() == "98.9"
    # "accuracy" is nowhere in the paper: a name that the model made up is no name.
    assert (claim.dataset, claim.method, claim.metric) == ("wine", "LDA", "")
    assert claim.doubts == (Doubt.FROM_MODEL, Doubt.NO_METRIC)


@pytest.mark.parametrize("quote", ["LDA | 98.88 | 98.0", "LDA | 98.88"])
def test_a_row_or_a_part_of_it_is_a_quote(quote: str) -> None:
    (claim,), refused = completed(paper(), (), [read(quote, "98.88", method="LDA")])
    assert (claim.place.row, claim.place.column, claim.source) == (1, 1, ClaimSource.TABLE)
    assert not refused


@pytest.mark.parametrize(
    ("quote", "number", "problem"),
    [
        ("On Wine our LDA gets 99.9 of a hundred right", "99.9", QuoteProblem.NOT_IN_PAPER),
        ("LDA | 98.0 | 98.88", "98.0", QuoteProblem.NOT_IN_PAPER),
        ("a paper that reaches 77.7 on Wine", "77.7", QuoteProblem.NOT_IN_PAPER),
        ("[1] A paper that reaches 77.7 on Wine.", "77.7", QuoteProblem.NOT_IN_PAPER),
        ("On Wine our LDA gets 98.9 of a hundred right", "39.9", QuoteProblem.NO_NUMBER),
        ("On Wine our LDA gets 98.9 of a hundred right", "98.90", QuoteProblem.NO_NUMBER),
        ("On Wine our LDA gets 98.9 of a hundred right", "8.9", QuoteProblem.NO_NUMBER),
        ("On Wine our LDA gets 98.9 of a hundred right", "98.9 39.9", QuoteProblem.NO_NUMBER),
        ("On Wine our LDA gets 98.9 of a hundred right", "many", QuoteProblem.NO_NUMBER),
        ("QDA | 99.44 | 99.44", "99.44", QuoteProblem.AMBIGUOUS),
        ("t was 97.1.", "97.1", QuoteProblem.AMBIGUOUS),
        ("8.9 of a hundred right", "8.9", QuoteProblem.NO_NUMBER),
        ("On Wine our LDA gets 98", "98", QuoteProblem.NO_NUMBER),
        ("98.9", "98.9", QuoteProblem.TOO_SHORT),
        ("", "98.9", QuoteProblem.TOO_SHORT),
    ],
)
def test_what_the_paper_does_not_say_is_refused_with_its_reason(
    quote: str, number: str, problem: QuoteProblem
) -> None:
    claims, (refused,) = completed(paper(), (), [read(quote, number)])
    assert not claims
    assert refused.problem is problem


def test_completion_fills_only_fields_that_rules_left_empty() -> None:
    found = claims_of(paper())
    (before,) = [one for one in found if one.printed == "98.88"]
    assert before.metric == ""
    named = read("LDA | 98.88 | 98.0", "98.88", dataset="Iris", method="QDA", metric="hundred")
    claims, _ = completed(paper(), found, [named])
    assert len(claims) == len(found)
    (after,) = [one for one in claims if one.id == before.id]
    assert (after.dataset, after.method) == (before.dataset, before.method)
    assert after.metric == "hundred"
    assert Doubt.FROM_MODEL in after.doubts and Doubt.NO_METRIC not in after.doubts


def test_the_same_number_twice_is_one_claim() -> None:
    named = read("1-NN | 95.5 | 96.0", "95.5", method="1-NN")
    claims, refused = completed(paper(), (), [named, named])
    assert len(claims) == 1
    assert not refused


def test_text_for_a_model_has_table_rows_and_no_references() -> None:
    text = paper_text(paper())
    assert "LDA | 98.88 | 98.0" in text
    assert SENTENCE in text
    assert "77.7" not in text
