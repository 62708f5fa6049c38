"""The process that reads a paper: bytes in, one JSON answer out.

It opens no file of the user's, writes none, starts no program and reaches no network: a second
safeguard besides the limits, because its input is untrusted.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable

from mle_modernizer_server.child_process import answers, limit_memory, message
from mle_modernizer_server.domain.paper import PaperFormat, PaperProblem
from mle_modernizer_server.papers.latex.document import read_latex
from mle_modernizer_server.papers.markup import read_html, read_markdown
from mle_modernizer_server.papers.order import Answer, Order
from mle_modernizer_server.papers.parts import PaperParts
from mle_modernizer_server.papers.pdf.document import read_pdf
from mle_modernizer_server.papers.pdf.picture import picture_of
from mle_modernizer_server.papers.sources import Sources, UnreadablePaper, identify
from mle_modernizer_server.untrusted.guard import Guard

_READERS: dict[PaperFormat, Callable[[Sources], PaperParts]] = {
    PaperFormat.LATEX: read_latex,
    PaperFormat.PDF: read_pdf,
    PaperFormat.MARKDOWN: read_markdown,
    PaperFormat.HTML: read_html,
}


def main() -> None:
    """Do the order that the parent sends."""
    out = answers()
    with io.BytesIO(message()) as sent:
        order = Order.model_validate(json.loads(sent.readline()))
        files = {name: sent.read(size) for name, size in zip(order.names, order.sizes, strict=True)}
    limit_memory(order.memory)
    sys.addaudithook(Guard("reading a paper", ["/proc"]))
    answer = read(order.main, files, order.page, order.mark)
    out.write(answer.model_dump_json().encode() + b"\n")
    out.flush()


def read(name: str, files: dict[str, bytes], page: int | None = None, mark: str = "") -> Answer:
    """Return the paper in a file, or the picture of one of its pages, or the problem.

    Args:
        name: The file.
        files: It, and the files it may include.
        page: Counted from 1; None: the whole paper.
        mark: Text to mark on the picture; empty: mark nothing.
    """
    try:
        sources = identify(name, files)
        if page is None:
            return Answer(paper=_READERS[sources.format](sources).paper())
        if sources.format is not PaperFormat.PDF:
            raise UnreadablePaper(PaperProblem.NO_PAGE)
        return Answer(picture=picture_of(sources.files[sources.main], page, mark))
    except UnreadablePaper as error:
        return Answer(problem=error.problem, detail=error.detail[:300])
    except MemoryError:
        return Answer(problem=PaperProblem.MEMORY)
    except RecursionError:
        return Answer(problem=PaperProblem.DAMAGED, detail="nested too deeply")
