"""Claims: the numbers of result tables and sentences, with what they are of and where."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.paper import (
    Claim,
    ClaimSource,
    Doubt,
    Paper,
    PaperFormat,
    PaperTable,
    Section,
    TableCell,
)
from mle_modernizer_server.papers import child
from mle_modernizer_server.reproducing.claims.find import claims_of
from mle_modernizer_server.reproducing.claims.numbers import cell_numbers, numbers_in
from tests.papers.examples import SOURCES


def table(caption: str, rows: list[str], header_rows: int = 1) -> PaperTable:
    cells = tuple(tuple(TableCell(text=text.strip()) for text in row.split("|")) for row in rows)
    return PaperTable(number="1", caption=caption, rows=cells, header_rows=header_rows)


def paper(*tables: PaperTable, text: str = "Nothing.", title: str = "") -> Paper:
    return Paper(
        format=PaperFormat.LATEX,
        title=title,
        sections=(Section(number="1", title="Results", text=text),),
        tables=tables,
    )


def told(claims: tuple[Claim, ...]) -> list[tuple[str, str, str, str]]:
    return [(one.dataset, one.method, one.metric, one.printed) for one in claims]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("82.60±0.17", [(82.6, 2, 0.17)]),
        ("56.36/79.45", [(56.36, 2, None), (79.45, 2, None)]),
        ("1,024", [(1024.0, 0, None)]),
        ("98.9 %", [(98.9, 1, None)]),
        ("28.20^*", [(28.2, 2, None)]),
        ("3.3 · 10^18", [(3.3e18, 1, None)]),
        ("91.72 (+0.45)", [(91.72, 2, None)]),
        ("−0.98", [(-0.98, 2, None)]),
        ("0.91 (0.02)", [(0.91, 2, 0.02)]),
        ("ResNet-50", []),
        ("-", []),
        ("(1,1)", []),
    ],
)
def test_a_cells_numbers(text: str, values: list[tuple[float, int, float | None]]) -> None:
    found = [(one.value, one.decimals, one.spread) for one in cell_numbers(text)]
    assert found == [(pytest.approx(value), digits, spread) for value, digits, spread in values]


def test_numbers_within_names_are_none() -> None:
    assert [one.value for one in numbers_in("CIFAR-10 with k=2 reached 95.5% [12] in v1.2b")] == [
        2.0,
        95.5,
    ]


def test_a_table_of_our_paper_is_read_whole() -> None:
    read = child.read("main.tex", SOURCES).paper
    assert read is not None
    claims = [one for one in claims_of(read) if one.source is ClaimSource.TABLE]
    assert told(tuple(claims)) == [
        ("Wine", "LDA [fisher1936]", "Acc", "98.88"),
        ("Wine", "LDA [fisher1936]", "F1", "0.99"),
        ("Iris", "LDA [fisher1936]", "Acc", "98.0 ± 0.5"),
        ("Wine", "1-NN", "Acc", "95.5"),
        ("Iris", "1-NN", "Acc", "96.0"),
        ("Wine", "WineLDA", "Acc", "98.9"),
        ("Wine", "WineLDA", "F1", "0.99"),
        ("Iris", "WineLDA", "Acc", "97.3"),
    ]
    assert [one.own for one in claims] == [False] * 5 + [True] * 3
    assert claims[2].spread == 0.5
    assert claims[2].best


def test_methods_may_stand_in_the_columns() -> None:
    found = claims_of(paper(table("", ["Metric | SVM | Ours", "Accuracy | 90.1 | 92.3"])))
    assert told(found) == [("", "SVM", "Accuracy", "90.1"), ("", "Ours", "Accuracy", "92.3")]
    assert [one.own for one in found] == [False, True]


def test_a_caption_names_the_metric_and_explains_short_names() -> None:
    found = claims_of(
        paper(
            table(
                "STA: style transfer accuracy. PPL: perplexity.", ["M | STA | PPL", "A | 0.9 | 32"]
            )
        )
    )
    assert [(one.metric, one.higher_is_better) for one in found] == [("STA", True), ("PPL", False)]


def test_groups_of_rows_belong_to_the_method_or_the_data() -> None:
    rows = ["Model | Accuracy", "AIDE | AIDE", "gpt | 36.6", "MNIST | MNIST", "gpt | 99.1"]
    found = claims_of(paper(table("", rows)))
    assert told(found) == [
        ("", "AIDE gpt", "Accuracy", "36.6"),
        ("MNIST", "gpt", "Accuracy", "99.1"),
    ]


def test_settings_and_counts_are_no_claims() -> None:
    assert claims_of(paper(table("Hyperparameters.", ["Name | Value", "lr | 0.001"]))) == ()
    rows = ["Data | # train | params", "Wine | 178 | 13"]
    assert claims_of(paper(table("", rows))) == ()


def test_what_rules_cannot_tell_is_a_doubt() -> None:
    (claim,) = claims_of(paper(table("", ["Model | X | Y", "A | foo | 12.5"])))
    assert Doubt.NO_METRIC in claim.doubts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We achieve an accuracy of 93.5% on MNIST.", ("MNIST", "ours", "accuracy", "93.5%")),
        ("AdaBoost has a test error of 5.8% here.", ("", "AdaBoost", "test error", "5.8%")),
        ("The proposed model gets 28.4 BLEU.", ("", "ours", "BLEU", "28.4")),
    ],
)
def test_a_sentence_claims(text: str, expected: tuple[str, str, str, str]) -> None:
    assert told(claims_of(paper(text=text))) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "This improves accuracy by 2.3%.",
        "Accuracy rises with a learning rate of 0.001.",
        "We use 10% of the data to measure accuracy.",
        "In 2019 the accuracy was studied in Section 3.2.",
        "It is 3.5 times faster at the same accuracy.",
    ],
)
def test_changes_settings_and_numbers_of_sections_are_no_claims(text: str) -> None:
    assert claims_of(paper(text=text)) == ()


def test_a_claim_points_at_its_number() -> None:
    text = "First. We achieve an accuracy of 93.5% on MNIST."
    (claim,) = claims_of(paper(text=text))
    assert text[claim.place.start : claim.place.end] == "93.5%"


def test_a_number_of_a_table_is_not_claimed_again_by_a_sentence() -> None:
    rows = table("", ["Model | Accuracy", "Ours | 93.5"])
    found = claims_of(paper(rows, text="We achieve an accuracy of 93.5%."))
    assert [one.source for one in found] == [ClaimSource.TABLE]
