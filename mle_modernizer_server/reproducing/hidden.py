"""Removes the claimed numbers from the inputs of code writing: the paper's texts, and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mle_modernizer_server.domain.paper import Claim, Paper, Section

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+!|~$&:])")
_RESULTS = re.compile(
    r"^(?:abstract|results?|conclusions?|discussion|related work|references|bibliography|"
    r"acknowledge?ments?)\b",
    re.IGNORECASE,
)


def as_markdown(text: str) -> str:
    """Return the text with all markup escaped."""
    return _MARKDOWN.sub(r"\\\1", text)


class HiddenNumbers:
    """The numbers of some claims, as a text may print them.

    Whole numbers of one or two digits are too common to be hidden everywhere; they are hidden in
    the
    sentence that claims them only.

    Attributes:
        pattern: Finds them; None if there are none.
    """

    def __init__(self, claims: Iterable[Claim]) -> None:
        """
        Args:
            claims: Whose numbers.
        """
        self._claims = tuple(claims)
        printed = set()
        for claim in self._claims:
            number = f"{claim.value:.{claim.decimals}f}"
            if claim.decimals or claim.percent or len(number) > 2:
                printed.update([number, number.lstrip("0"), f"{claim.value:g}"])
        numbers = "|".join(sorted(map(re.escape, printed - {""}), key=len, reverse=True))
        self.pattern = re.compile(rf"(?<![\d.])(?:{numbers})(?!\d|\.\d)") if numbers else None

    def plain(self, text: str, limit: int = 200) -> str:
        """Return the text on one line, suitable for a comment."""
        kept = "".join(char if char.isprintable() else " " for char in self.without(text))
        return " ".join(kept.split())[:limit]

    def markdown(self, text: str, limit: int = 200) -> str:
        """Return the text on one line, with all markup escaped."""
        return as_markdown(self.plain(text, limit))

    def without(self, text: str) -> str:
        """Return the text with `…` for each of the numbers."""
        return text if self.pattern is None else self.pattern.sub("…", text)

    def method_text(self, paper: Paper) -> str:
        """Return a paper's text on data, method and experiments, without results and numbers."""
        parts = []
        for index, section in enumerate(paper.sections):
            if not _RESULTS.match(section.title):
                parts.append(f"## {section.heading}\n\n{self._section(index, section)}")
        parts += [
            f"## Algorithm {one.number} {one.caption}\n\n" + "\n".join(one.lines)
            for one in paper.algorithms
        ]
        return self.without("\n\n".join(parts))

    def _section(self, index: int, section: Section) -> str:
        text = section.text
        spans = {
            (claim.place.start, claim.place.end)
            for claim in self._claims
            if claim.place.section == index
            and claim.place.table is None
            and claim.place.start is not None
            and claim.place.end is not None
        }
        for start, end in sorted(spans, reverse=True):
            text = f"{text[:start]}…{text[end:]}"
        return text
