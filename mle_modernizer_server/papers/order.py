"""Orders to the process that reads a paper, and its answers.

Apart from the process's own code, so that only the process loads its parsers.
"""

from __future__ import annotations

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.paper import PagePicture, Paper, PaperProblem


class Order(Value):
    """An order to the process; the files' bytes follow, one after the other.

    Attributes:
        names: Of the files.
        sizes: Of each, in bytes.
        main: The requested file.
        memory: Bytes of address space, if the system can limit it.
        page: Return only the picture of this page, counted from 1; None: the whole paper.
        mark: Text to mark on that picture.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    main: str
    memory: int
    page: int | None = None
    mark: str = ""


class Answer(Value):
    """The paper or the picture of a page, or the reason there is none."""

    paper: Paper | None = None
    picture: PagePicture | None = None
    problem: PaperProblem | None = None
    detail: str = ""
