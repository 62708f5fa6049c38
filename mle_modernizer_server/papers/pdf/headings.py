"""Which lines are headings: numbered ones, those of known names, IEEE's, and those that look alike.

An unnumbered heading is known by its look: the size, weight and left edge that numbered headings of
the same paper have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mle_modernizer_server.papers.latex.counters import roman
from mle_modernizer_server.papers.pdf.glyphs import Word
from mle_modernizer_server.papers.pdf.lines import Line

NUMBERED = re.compile(
    r"^(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-K](?:\.\d{1,2}){0,3}"
    r"|[IVX]{1,4}(?:\.\d{1,2}){1,3}|[IVX]{1,4}(?=\.?\s))\.?\s+"
    r"(?P<title>[A-Z(“\"].{1,90})$"
)
_NAMED = re.compile(
    r"^(abstract|introduction|related work|background|methods?|methodology|experiments?|results?"
    r"|evaluation|discussion|limitations|conclusions?(?: and .{3,30})?|references|bibliography"
    r"|acknowledge?ments?(?: and .{3,40})?|appendix|appendices|supplementary materials?"
    r"|broader impact|ethics statement|reproducibility statement)\.?$",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"^abstract\s*[—–:.-]", re.IGNORECASE)
_ROMAN = re.compile(r"^([IVX]{1,5})\.\s+(?=[A-Z])")
_LETTER = re.compile(r"^([A-Z])\.\s+(?=\S)")
_DIGIT = re.compile(r"^(\d{1,2})\)\s+(?=[^:]{3,80}:)")
_LONGEST = 110
_NO_END = (".", ":", ",", ";", "-")


@dataclass(frozen=True)
class Heading:
    """A heading.

    Attributes:
        lines: Number of its lines.
        rest: Text after it on its last line, if the text runs in.
    """

    title: str
    number: str = ""
    level: int = 1
    appendix: bool = False
    lines: int = 1
    rest: Line | None = None


class Headings:
    """Finds headings line by line, in the order of the paper.

    Args:
        lines: Of the whole paper.
        body_size: Of its text.
        in_table: Whether a line belongs to a table.
    """

    def __init__(
        self, lines: Sequence[Line], body_size: float, in_table: Callable[[Line], bool]
    ) -> None:
        self._lines = lines
        self._body_size = body_size
        self._appendix = False
        self._styles: dict[tuple[float, bool], int] = {}
        self._all_capitals: dict[tuple[float, bool], bool] = {}
        self._edges: set[float] = set()
        for line in lines:
            match = NUMBERED.match(line.text)
            if match and self._stands_out(line) and not in_table(line):
                level = match["number"].count(".") + 1
                style = _style(line)
                self._styles[style] = min(level, self._styles.get(style, level))
                capitals = _in_capitals(replace(line, words=line.words[1:]))
                self._all_capitals[style] = capitals and self._all_capitals.get(style, True)
                self._edges.add(round(line.x0))
        texts = [line.text for line in lines if _in_capitals(line)]
        found = [match.group(1) for text in texts if (match := _ROMAN.match(text))]
        self._is_ieee = found[:3] == ["I", "II", "III"]
        self._ieee = [0, 0, 0]
        self._begun = False

    def at(self, position: int) -> Heading | None:
        """Return the heading that begins at a line; None if there is none."""
        line = self._lines[position]
        found = self._of_ieee(position) if self._is_ieee else None
        found = found or self._abstract(line) or self._usual(position)
        if found is None and self._begun and self._looks_like_one(position):
            style = _style(line)
            below = self._all_capitals[style] and not _in_capitals(line)  # ACM's second level
            text, used = self._whole(position)
            level = self._styles[style] + below
            found = Heading(text, level=level, appendix=self._appendix, lines=used)
        self._begun |= found is not None
        return found

    def _stands_out(self, line: Line) -> bool:
        return line.bold or line.size > self._body_size * 1.08

    def _abstract(self, line: Line) -> Heading | None:
        """Return an abstract's heading with text on the same line."""
        first = line.words[0]
        if self._begun or not _ABSTRACT.match(line.text) or not (first.bold or first.italic):
            return None
        inner = re.sub(_ABSTRACT, "", first.text)
        words = line.words[1:] if not inner else (replace(first, text=inner), *line.words[1:])
        return Heading("Abstract", rest=replace(line, words=words) if words else None)

    def _of_ieee(self, position: int) -> Heading | None:
        """Match `II. RELATED WORK`, `A. Data` and `1) Splits: …`, each the next of its kind."""
        line = self._lines[position]
        section, part, point = self._ieee
        match = _ROMAN.match(line.text)
        if match and match.group(1) == roman(section + 1) and _in_capitals(line):
            self._ieee = [section + 1, 0, 0]
            return Heading(line.text[match.end() :], number=match.group(1))
        match = _LETTER.match(line.text)
        if match and match.group(1) == chr(65 + part) and _italic(line.words[1:]):
            self._ieee = [section, part + 1, 0]
            below = self._lines[position + 1 : position + 2]
            words = list(line.words[1:])
            if below and _italic(below[0].words) and 0 < line.y - below[0].y < 1.5 * line.size:
                words += below[0].words
            title = " ".join(word.text for word in words)
            used = 2 if len(words) > len(line.words) - 1 else 1
            return Heading(title, f"{roman(section)}-{match.group(1)}", 2, lines=used)
        match = _DIGIT.match(line.text)
        if match is None or int(match.group(1)) != point + 1 or not part:
            return None
        end = next(index for index, word in enumerate(line.words) if word.text.endswith(":"))
        if not _italic(line.words[1 : end + 1]):
            return None
        self._ieee[2] = point + 1
        title = " ".join(word.text for word in line.words[1 : end + 1]).rstrip(":")
        number = f"{roman(section)}-{chr(64 + part)}{point + 1}"
        rest = line.words[end + 1 :]
        return Heading(title, number, 3, rest=replace(line, words=rest) if rest else None)

    def _usual(self, position: int) -> Heading | None:
        """Match a heading with a number, or with a name that many papers use."""
        line = self._lines[position]
        stands_out = self._stands_out(line) or _is_in_small_capitals(line)
        if len(line.text) > _LONGEST or not (stands_out or _NAMED.match(line.text)):
            return None
        text, used = self._whole(position)
        numbered = NUMBERED.match(text)
        if numbered and stands_out:
            number, title = numbered["number"], numbered["title"]
            if title.endswith((",", ";")) or title.count(" ") > 16:
                return None
            letter = number[0].isalpha() and not re.fullmatch(r"[IVX]+(\.\d+)*", number)
            self._appendix |= letter
            return Heading(title, number, number.count(".") + 1, letter, used)
        if _NAMED.match(line.text) and (stands_out or _in_capitals(line)):
            title = line.text.rstrip(".")
            if title.lower().startswith(("appendix", "appendices", "supplementary")):
                self._appendix = True
            return Heading(title, appendix=self._appendix)
        return None

    def _whole(self, position: int) -> tuple[str, int]:
        """Return a heading's text with its continuation line, and its number of lines."""
        line = self._lines[position]
        text, used = line.text, 1
        rest = self._lines[position + 1 : position + 3]
        beside = bool(rest) and abs(rest[0].y - line.y) < 2 and rest[0].page == line.page
        if beside and re.fullmatch(r"(\d{1,2}(\.\d{1,2}){0,3}|[A-K](\.\d{1,2})*)\.?", text):
            text, used = f"{text} {rest[0].text}", 2  # the number is separate
        for following in self._lines[position + used : position + used + 1]:
            near = 0 < line.y - following.y < 1.6 * line.size and following.page == line.page
            alike = following.bold == line.bold and abs(following.size - line.size) < 0.3
            begins = NUMBERED.match(following.text) or _NAMED.match(following.text)
            if near and alike and self._stands_out(line) and not begins and len(text) > 25:
                text, used = f"{text} {following.text}", used + 1
        return text, used

    def _looks_like_one(self, position: int) -> bool:
        """Return whether a line looks like the paper's numbered headings and is on its own."""
        line = self._lines[position]
        if not self._stands_out(line) or _style(line) not in self._styles:
            return False
        if not 3 < len(line.text) < 90 or line.text.endswith(_NO_END):
            return False
        if not line.text[0].isupper() or not any(abs(line.x0 - edge) < 3 for edge in self._edges):
            return False
        before = self._lines[position - 1]
        gap = before.y - line.y
        return before.page != line.page or gap < 0 or gap > 1.35 * max(line.size, before.size)


def _style(line: Line) -> tuple[float, bool]:
    return round(line.size * 2) / 2, line.bold


def _italic(words: Sequence[Word]) -> bool:
    return bool(words) and all(word.italic for word in words if any(map(str.isalpha, word.text)))


def _is_in_small_capitals(line: Line) -> bool:
    """Return whether a line is a number such as 2.3.1 and small capitals, as ICML's level 3."""
    numbered = re.match(r"\d{1,2}(\.\d{1,2}){1,3}\.?$", line.words[0].text) is not None
    small = any(word.capitals and not word.text.isupper() for word in line.words[1:])
    return numbered and small and _in_capitals(replace(line, words=line.words[1:]))


def _in_capitals(line: Line) -> bool:
    """Return whether all of a line is printed in capitals, large or small ones."""
    words = [word for word in line.words if any(map(str.isalpha, word.text))]
    return bool(words) and all(word.capitals for word in words)
