"""PDFium's glyphs of a page → words with their places, and the page's horizontal rules."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from mle_modernizer_server.domain.paper import PaperProblem
from mle_modernizer_server.papers.sources import UnreadablePaper

MOST_GLYPHS = 60_000
"""Of one page; a page of text has some 5,000."""
_BOLD = re.compile(
    r"bold|medi|black|heavy|cmbx|semib|demi|-b\b|SFBX|sfrb|Lin[a-z]+TZ?B", re.IGNORECASE
)
_ITALIC = re.compile(r"ital|obli|slant|cmti|cmsl|SFTI", re.IGNORECASE)
_GAP = 0.2
"""Gap between glyphs, in font sizes, that separates words if the file has no space."""
_RAISED = 0.2
_FEWEST_LINE_NUMBERS = 5
_LIGATURES = {"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "\u00ad": "-", "\u2212": "-"}


@dataclass(frozen=True)
class Word:
    """A word on a page; lengths in points from the lower left corner.

    Attributes:
        x0: Left edge.
        x1: Right edge.
        y: Baseline.
        size: Of its font as printed.
        capitals: Whether it is printed in capitals; small capitals are lower case in `text`.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool = False
    capitals: bool = False


@dataclass(frozen=True)
class Rule:
    """A horizontal line that is drawn on a page."""

    x0: float
    x1: float
    y: float


@dataclass(frozen=True)
class Page:
    """Content of a page, words in the order of the file.

    Attributes:
        pictures: Whether it has any.
        last_line_number: The last line number in its margins, as in drafts.
    """

    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Rule, ...]
    pictures: bool
    last_line_number: int | None = None


@dataclass(frozen=True)
class _Glyph:
    char: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    italic: bool = False


def open_pdf(data: bytes) -> pypdfium2.PdfDocument:
    """Open a PDF document.

    Raises:
        UnreadablePaper: It needs a password or is damaged.
    """
    try:
        document = pypdfium2.PdfDocument(data)
        if len(document) == 0:
            raise UnreadablePaper(PaperProblem.EMPTY)
    except pypdfium2.PdfiumError as error:
        code = getattr(error, "err_code", None)
        locked = code == pdfium.FPDF_ERR_PASSWORD or "password" in str(error).lower()
        problem = PaperProblem.ENCRYPTED if locked else PaperProblem.DAMAGED
        raise UnreadablePaper(problem, str(error)) from error
    return document


def page_of(document: pypdfium2.PdfDocument, index: int, line_number: int | None = None) -> Page:
    """Return the words and rules of a page.

    Args:
        document: The PDF.
        index: Of the page, from 0.
        line_number: The last line number on the pages before it, if they have some.
    """
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return Page(0, 0, (), (), False)  # a damaged page among others: as if it were empty
    width, height = page.get_size()
    rules: list[Rule] = []
    pictures = False
    for item in page.get_objects(max_depth=3):
        if item.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            pictures = True
        elif item.type == pdfium.FPDF_PAGEOBJ_PATH and len(rules) < 2_000:
            left, bottom, right, top = item.get_bounds()
            if top - bottom < 2.5 and right - left > 15:
                rules.append(Rule(left, right, (top + bottom) / 2))
    textpage = page.get_textpage()
    words, last = _without_line_numbers(list(_words(_glyphs(textpage))), line_number)
    textpage.close()
    page.close()
    return Page(width, height, words, tuple(rules), pictures, last or line_number)


def _without_line_numbers(
    words: list[Word], before: int | None
) -> tuple[tuple[Word, ...], int | None]:
    """Return the words without a draft's line numbers in the margins, and the last number."""
    edges = sorted((word.x0, word.x1) for word in words if sum(map(str.isalpha, word.text)) > 2)
    if not edges:
        return tuple(words), None
    left = edges[len(edges) // 50][0]
    right = sorted(x1 for _, x1 in edges)[-1 - len(edges) // 50]
    numbers = [word for word in words if word.text.isdecimal()]
    sides = (
        [word for word in numbers if word.x1 <= left - 3],
        [word for word in numbers if word.x0 >= right + 3],
    )
    numbering = [word for side in sides if _counts_lines(side, before) for word in side]
    known = {id(word) for word in numbering}
    last = max((int(word.text[:9]) for word in numbering), default=None)
    return tuple(word for word in words if id(word) not in known), last


def _counts_lines(words: Sequence[Word], before: int | None) -> bool:
    """Return whether numbers in the margin increase steadily down the page, like line numbers."""
    downwards = sorted(words, key=lambda word: -word.y)
    values = [int(word.text[:9]) for word in downwards]
    steps = [after - before for before, after in pairwise(values)]
    even = sum(step in (1, 5) for step in steps)
    goes_on = before is not None and bool(values) and values[0] in (before + 1, before + 5)
    enough = goes_on or len(words) >= _FEWEST_LINE_NUMBERS
    return enough and even >= 0.8 * len(steps)


def _glyphs(textpage: pypdfium2.PdfTextPage) -> Iterator[_Glyph]:
    handle = textpage.raw
    left, bottom = ctypes.c_double(), ctypes.c_double()
    matrix = pdfium.FS_MATRIX()
    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    fonts: dict[bytes, tuple[bool, bool]] = {}
    high = 0
    for index in range(min(textpage.count_chars(), MOST_GLYPHS)):
        code = pdfium.FPDFText_GetUnicode(handle, index)
        if 0xD800 <= code < 0xDC00:  # the first half of a letter beyond 16 bits, as math has them
            high = code
            continue
        char, high = letter(code, high), 0
        if char.isspace() or char in "\0\x02￾":
            yield _Glyph("-" if char in "\x02￾" else " ", 0, 0, 0, 0, False)
            continue
        pdfium.FPDFText_GetCharOrigin(handle, index, left, bottom)
        y = bottom.value
        pdfium.FPDFText_GetLooseCharBox(handle, index, box := pdfium.FS_RECTF())
        pdfium.FPDFText_GetMatrix(handle, index, matrix)
        if abs(matrix.b) > abs(matrix.d):
            continue  # vertical text, such as arXiv's stamp at the margin
        size = pdfium.FPDFText_GetFontSize(handle, index) * math.hypot(matrix.b, matrix.d)
        if char == "√":
            y -= 0.7 * size  # TeX's hangs down from its origin
        pdfium.FPDFText_GetFontInfo(handle, index, buffer, 128, flags)
        name = buffer.value
        if name not in fonts:
            text = name.decode("latin-1")
            fonts[name] = bool(_BOLD.search(text)), bool(_ITALIC.search(text))
        yield _Glyph(
            _LIGATURES.get(char, char), box.left, box.right, y, max(size, 0.1), *fonts[name]
        )


def letter(code: int, high: int) -> str:
    """Return the character of a code or surrogate pair; mathematical letters as plain ones."""
    if 0xDC00 <= code < 0xE000:
        code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
    char = chr(code)
    return unicodedata.normalize("NFKC", char) if 0x1D400 <= code <= 0x1D7FF else char


def _words(glyphs: Iterator[_Glyph]) -> Iterator[Word]:
    word: list[_Glyph] = []
    for glyph in glyphs:
        if word and not _continues(word, glyph):
            yield _word(word)
            word = []
        if glyph.char == "-" and glyph.size == 0 and word:  # a hyphen that PDFium has marked
            last = word[-1]
            word.append(_Glyph("-", last.x1, last.x1, last.y, last.size, last.bold))
        elif glyph.size:
            word.append(glyph)
    if word:
        yield _word(word)


def _continues(word: list[_Glyph], glyph: _Glyph) -> bool:
    if glyph.char == "-" and glyph.size == 0:
        return True
    if glyph.char == " ":
        return False
    last = word[-1]
    if glyph.x0 == last.x0 and glyph.x1 == last.x1 and glyph.y == last.y:
        return True  # letters of one ligature
    size = max(last.size, glyph.size)
    near = -0.6 * size < glyph.x0 - last.x1 < _GAP * size
    return near and abs(glyph.y - word[0].y) < 0.6 * max(one.size for one in word[:3])


def _word(glyphs: list[_Glyph]) -> Word:
    size = max(glyph.size for glyph in glyphs)
    large = [glyph for glyph in glyphs if glyph.size > 0.85 * size]
    y = large[0].y
    text = ""
    capitals = False
    level = 0
    for glyph in glyphs:
        small = glyph.size < 0.85 * size
        here = 0
        if small and glyph.y > y + _RAISED * size:
            here = 1
        elif small and glyph.y < y - 0.08 * size:
            here = -1
        if here != level and here and text:
            text += "^" if here == 1 else "_"
        level = here
        lower = small and here == 0 and text[:1].isupper() and glyph.char.isupper()
        capitals |= lower
        text += glyph.char.lower() if lower else glyph.char
    bold = sum(glyph.bold for glyph in glyphs) * 2 > len(glyphs)
    italic = sum(glyph.italic for glyph in glyphs) * 2 > len(glyphs)
    left, right = min(glyph.x0 for glyph in glyphs), max(glyph.x1 for glyph in glyphs)
    return Word(text, left, right, y, size, bold, italic, capitals or text.isupper())
