"""The works that a paper builds on, by its own words."""

from __future__ import annotations

from mle_modernizer_server.domain.paper import Ancestor, Paper, PaperFormat, Reference, Section
from mle_modernizer_server.papers.references import with_citations
from mle_modernizer_server.reproducing.checklist import checklist_of
from mle_modernizer_server.reproducing.lineage import MOST_ANCESTORS, lineage_of
from tests.reproducing.test_skeleton import our_reading


def lineage(*sections: tuple[str, str]) -> tuple[Ancestor, ...]:
    made = tuple(Section(title=title, text=text) for title, text in sections)
    references = [Reference(key=str(number), text=f"Work {number}") for number in range(1, 9)]
    paper = Paper(
        format=PaperFormat.PDF, sections=made, references=with_citations(references, made)
    )
    return lineage_of(paper, checklist_of(paper))


def test_what_is_followed_comes_before_what_is_mentioned() -> None:
    found = lineage(
        ("Introduction", "Networks are popular [1, 2, 3]. So are trees [4]."),
        ("Experiments", "We use the same settings as [5]. Our model extends that of [6]."),
    )
    assert [one.key for one in found] == ["5", "6"]
    assert found[0].mentions[0].follows
    assert found[0].mentions[0].quote == "We use the same settings as [5]."


def test_list_shares_its_weight_and_three_works_remain() -> None:
    text = "We follow [1]. We follow [2]. We follow [3]. We follow [4, 5, 6, 7, 8]. We follow [4]."
    found = lineage(("Method", text))
    assert len(found) == MOST_ANCESTORS
    assert found[0].key == "4"
    assert "8" not in {one.key for one in found}


def test_a_paper_that_only_mentions_has_none() -> None:
    assert (
        lineage(
            ("Introduction", "Trees are old [1]. Forests are too [2]."),
        )
        == ()
    )


def test_what_is_taken_from_it_is_named() -> None:
    reading = our_reading()
    (first, *_) = lineage_of(reading.paper, reading.checklist)
    assert (first.key, first.requirements) == ("aeberhard1992", ("split",))
