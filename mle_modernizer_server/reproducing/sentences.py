"""The sentences of a paper's sections, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mle_modernizer_server.domain.paper import Paper, Place, Section

_END = re.compile(r"(?<=[.?!])[\"”’)\]]*(?:\^\d+)?\s+(?=[A-Z(\[“\"α-ω0-9])|\n\n+")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|Fig|Figs|Tab|Sec|Eq|Eqs|No|resp|approx|Dr|Prof|w\.r\.t|Ref|Refs"
    r"|Alg|App|Ch|St)|\b[A-Z])\.$"
)
_NOT_READ = re.compile(r"^(?:references|bibliography|acknowledge?ments?|related work)\b", re.I)


@dataclass(frozen=True)
class Sentence:
    """One sentence and its place."""

    text: str
    place: Place
    section: Section


def sentences(paper: Paper, *, related: bool = False) -> Iterator[Sentence]:
    """Yield the sentences of a paper about its own work.

    Args:
        paper: The paper.
        related: Include those of sections on other works.
    """
    for index, section in enumerate(paper.sections):
        if _NOT_READ.match(section.title) and not related:
            continue
        for start, end in _spans(section.text):
            place = Place(section=index, start=start, end=end, page=section.page)
            yield Sentence(section.text[start:end], place, section)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        head = text[start : match.start()]
        if "\n\n" not in match.group() and _ABBREVIATED.search(head[-20:]):
            continue
        if head.strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)
