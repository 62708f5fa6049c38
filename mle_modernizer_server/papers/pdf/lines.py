"""Words → lines of text, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mle_modernizer_server.papers.pdf.glyphs import Word


@dataclass(frozen=True)
class Line:
    """Words side by side.

    Attributes:
        y: Of the baseline.
        size: Of most of its letters.
    """

    words: tuple[Word, ...]
    page: int
    y: float
    size: float
    bold: bool

    @property
    def text(self) -> str:
        """Return its words."""
        return " ".join(word.text for word in self.words)

    @property
    def x0(self) -> float:
        """Return the left edge."""
        return min(word.x0 for word in self.words)

    @property
    def x1(self) -> float:
        """Return the right edge."""
        return max(word.x1 for word in self.words)


def lines_of(words: Iterable[Word], page: int) -> list[Line]:
    """Return the lines of a page; small raised or lowered words belong to their line."""
    lines: list[Line] = []
    row: list[Word] = []
    for word in words:
        if row and not _same_line(row, word):
            lines.append(_line(row, page))
            row = []
        row.append(word)
    if row:
        lines.append(_line(row, page))
    return lines


def _same_line(row: Sequence[Word], word: Word) -> bool:
    largest = max(row, key=lambda one: one.size)
    last = row[-1]
    if word.x0 < last.x0 - 0.5 * largest.size or word.x0 - last.x1 > 6 * largest.size:
        return False
    distance = abs(word.y - largest.y)
    return distance < 0.3 * max(largest.size, word.size) or (
        word.size < 0.85 * largest.size and distance < 0.6 * largest.size
    )


def _line(words: list[Word], page: int) -> Line:
    words = in_small_capitals(words)
    longest = max(words, key=lambda word: (len(word.text), word.size))
    letters = sum(len(word.text) for word in words)
    bold = sum(len(word.text) for word in words if word.bold)
    sizes: dict[float, int] = {}
    for word in words:
        size = round(word.size, 1)
        sizes[size] = sizes.get(size, 0) + len(word.text)
    size = max(sizes, key=lambda one: (sizes[one], one))
    return Line(tuple(words), page, longest.y, size, bold * 10 >= letters * 9)


def in_small_capitals(words: list[Word]) -> list[Word]:
    """Return the words of a line; in small capitals, words without a large letter in lower case."""
    if not any(word.capitals and not word.text.isupper() for word in words):
        return words
    largest = max(word.size for word in words)
    return [
        replace(word, text=word.text.lower())
        if word.text.isupper() and word.size < 0.9 * largest
        else word
        for word in words
    ]


def joined(lines: Iterable[Line]) -> str:
    """Return the text of consecutive lines, with hyphenated words joined."""
    text = ""
    for line in lines:
        if text.endswith("-") and re.search(r"[a-z]-$", text) and line.text[:1].islower():
            text = text[:-1] + line.text
        else:
            text += (" " if text else "") + line.text
    return text
