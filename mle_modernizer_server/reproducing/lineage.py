"""The cited works that a paper builds on, inferred from its own sentences that cite them.

A sentence with *following*, *same settings as* or *extend* weighs most, one of a section on the
method or the experiments more than one of the introduction, and a work that is cited alone more
than one of a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mle_modernizer_server.domain.paper import (
    Ancestor,
    Mention,
    Paper,
    Reference,
    Requirement,
    Statement,
)
from mle_modernizer_server.reproducing.checklist import FOLLOWS, SETUP
from mle_modernizer_server.reproducing.sentences import Sentence, sentences

MOST_ANCESTORS = 3
_MOST_MENTIONS = 3
_BUILDS = re.compile(
    r"\b(?:extend\w*|build\w* (?:up)?on|improv\w+ (?:up)?on|variant of|generali[sz]\w+|"
    r"modif\w+|our (?:baseline|starting point)|re-?implement\w*|code (?:of|from))\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"introduction|abstract|related work|conclusion|discussion", re.IGNORECASE)
_LEAST = 1.0
"""Least weight of a work that the paper builds on; a mere mention weighs less."""


def lineage_of(paper: Paper, checklist: Sequence[Requirement]) -> tuple[Ancestor, ...]:
    """Return the works that a paper builds on most, the strongest first; none if none is clear."""
    said = list(sentences(paper, related=True))
    cited: list[int] = [0] * len(said)
    places: list[list[int]] = []
    for reference in paper.references:
        found = _sentences_of(reference, said)
        places.append(found)
        for index in found:
            cited[index] += 1
    ancestors = [
        _ancestor(reference, [(said[index], cited[index]) for index in found], checklist)
        for reference, found in zip(paper.references, places, strict=True)
    ]
    kept = [one for one in ancestors if one.weight >= _LEAST]
    return tuple(sorted(kept, key=lambda one: -one.weight)[:MOST_ANCESTORS])


def arxiv_address(reference: Reference) -> str:
    """Return the address of a work's sources at arXiv; empty if the reference names none."""
    return f"https://arxiv.org/e-print/{reference.arxiv}" if reference.arxiv else ""


def _sentences_of(reference: Reference, said: Sequence[Sentence]) -> list[int]:
    """Return the sentences that cite a work, each once."""
    found = []
    for index, sentence in enumerate(said):
        own = sentence.place
        if any(
            place.section == own.section
            and place.start is not None
            and own.start is not None
            and own.end is not None
            and own.start <= place.start < own.end
            for place in reference.citations
        ):
            found.append(index)
    return found


def _ancestor(
    reference: Reference, cited_in: Sequence[tuple[Sentence, int]], checklist: Sequence[Requirement]
) -> Ancestor:
    weighed = []
    for sentence, others in cited_in:
        follows = bool(FOLLOWS.search(sentence.text))
        weight = 2.0 * follows + 1.5 * bool(_BUILDS.search(sentence.text)) + 0.2
        if SETUP.search(sentence.section.title):
            weight += 0.5
        elif _ASIDE.search(sentence.section.title):
            weight *= 0.5
        mention = Mention(quote=sentence.text[:500], place=sentence.place, follows=follows)
        weighed.append((weight / max(others, 1), mention))
    weighed.sort(key=lambda one: -one[0])
    taken = tuple(
        item.name
        for item in checklist
        if item.statement is Statement.CITED
        and any(reference.key in evidence.references for evidence in item.evidence)
    )
    return Ancestor(
        key=reference.key,
        text=(reference.title or reference.text)[:300],
        weight=round(sum(weight for weight, _ in weighed) + len(taken), 3),
        mentions=tuple(mention for _, mention in weighed[:_MOST_MENTIONS]),
        requirements=taken,
        address=arxiv_address(reference),
    )
