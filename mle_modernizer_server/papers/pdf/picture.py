"""A page of a PDF as a picture, with the places of a text marked on it."""

from __future__ import annotations

import base64
import io
import math

import pypdfium2

from mle_modernizer_server.domain.paper import Mark, PagePicture, PaperProblem
from mle_modernizer_server.papers.pdf.document import MOST_PAGES
from mle_modernizer_server.papers.pdf.glyphs import open_pdf
from mle_modernizer_server.papers.sources import UnreadablePaper

_WIDTH = 1_100
"""Pixels across a page."""
_MOST_PIXELS = 2_500_000
_MOST_MARKS = 50


def picture_of(data: bytes, number: int, mark: str = "") -> PagePicture:
    """Return the picture of a page.

    Args:
        data: The PDF.
        number: Of the page, counted from 1.
        mark: Text to mark on it; empty: mark nothing.

    Raises:
        UnreadablePaper: The PDF cannot be opened, or has no such page.
    """
    document = open_pdf(data)
    if not 1 <= number <= min(len(document), MOST_PAGES):
        raise UnreadablePaper(PaperProblem.NO_PAGE)
    try:
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(_WIDTH / width, math.sqrt(_MOST_PIXELS / (width * height)))
        image = page.render(scale=scale).to_pil()
    except (pypdfium2.PdfiumError, ZeroDivisionError) as error:
        raise UnreadablePaper(PaperProblem.DAMAGED, str(error)) from error
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return PagePicture(
        page=number,
        width=image.width,
        height=image.height,
        png=base64.b64encode(stream.getvalue()).decode("ascii"),
        marks=_marks(page, mark, width, height) if mark.strip() else (),
    )


def _marks(page: pypdfium2.PdfPage, text: str, width: float, height: float) -> tuple[Mark, ...]:
    """Return the places of a text on a page as a whole word."""
    textpage = page.get_textpage()
    search = textpage.search(text, match_whole_word=True)
    marks: list[Mark] = []
    while (found := search.get_next()) and len(marks) < _MOST_MARKS:
        for index in range(textpage.count_rects(*found)):
            left, bottom, right, top = textpage.get_rect(index)
            marks.append(
                Mark(
                    left=left / width,
                    top=1 - top / height,
                    right=right / width,
                    bottom=1 - bottom / height,
                )
            )
    return tuple(marks)
