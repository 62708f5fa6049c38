"""The names that a paper has for its own method."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mle_modernizer_server.domain.paper import Paper

_OURS = re.compile(r"\b(?:ours?|proposed|this (?:work|paper)|we)\b", re.IGNORECASE)
_PROPOSED = re.compile(
    r"\b(?:propose|introduce|present|call(?:ed)?|named?|dub(?:bed)?|denote[ds]?|"
    r"refer to (?:it|this|our \w+) as)\b[^.]{0,60}?[\s(“\"‘]"
    r"([A-Z][\w-]*[A-Z\d][\w-]*|[A-Z]{2,}[\w-]*)"
)


@dataclass(frozen=True)
class OwnNames:
    """Names of a paper's own method."""

    names: frozenset[str]

    def has(self, text: str) -> bool:
        """Return whether a text names the paper's own method."""
        if not text:
            return False
        return bool(_OURS.search(text)) or any(
            re.search(rf"(?<![\w-]){re.escape(name)}(?![\w])", text, re.IGNORECASE)
            for name in self.names
        )

    @property
    def first(self) -> str:
        """Return one of them, or nothing."""
        return min(self.names, key=len, default="")


def own_names(paper: Paper) -> OwnNames:
    """Find the paper's names for its own method: before its title's colon, or when introduced."""
    names: set[str] = set()
    head, colon, _ = paper.title.partition(":")
    if colon and len(head.split()) <= 2:
        names.add(head.strip())
    for section in paper.sections[:4]:
        for match in _PROPOSED.finditer(section.text[:8_000]):
            if len(match.group(1)) > 2:
                names.add(match.group(1))
    return OwnNames(frozenset(sorted(names, key=lambda name: (len(name), name))[:6]))
