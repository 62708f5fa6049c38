"""A paper's file → `Paper`, read in a process of its own within limits of time and memory."""

from __future__ import annotations

import contextlib
import os
import queue
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pydantic import ValidationError

from mle_modernizer_server.child_process import ChildProcess, Stopwatch
from mle_modernizer_server.domain.errors import BadPaper
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.paper import PagePicture, Paper, PaperProblem
from mle_modernizer_server.papers.order import Answer, Order
from mle_modernizer_server.papers.sources import KEPT_SUFFIXES
from mle_modernizer_server.untrusted.files import FileTooLarge, NotRegular, read_regular

PACKAGES = ("bs4", "markdown_it", "pylatexenc", "pypdfium2")
"""Import names of the packages of the extra `papers`."""
MOST_BYTES = 64_000_000
"""Of a paper's file, and of all that a LaTeX source may include."""
_MOST_BESIDE = 500
_MOST_VISITED = 5_000
_PROGRAM = "from mle_modernizer_server.papers.child import main; main()"
_KEPT = frozenset(["PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH"])
_CODES = {
    PaperProblem.UNKNOWN_FORMAT: "paper.unknown-format",
    PaperProblem.TOO_LARGE: "paper.too-large",
    PaperProblem.BAD_ARCHIVE: "paper.bad-archive",
    PaperProblem.NO_SOURCE: "paper.no-source",
    PaperProblem.DAMAGED: "paper.damaged",
    PaperProblem.ENCRYPTED: "paper.encrypted",
    PaperProblem.SCANNED: "paper.scanned",
    PaperProblem.EMPTY: "paper.empty",
    PaperProblem.TIME: "paper.time",
    PaperProblem.MEMORY: "paper.memory",
    PaperProblem.NO_PAGE: "paper.no-page",
    PaperProblem.CRASHED: "paper.crashed",
    PaperProblem.NOT_INSTALLED: "paper.not-installed",
}


@dataclass(frozen=True)
class ReadingLimits:
    """Limits on reading a paper.

    Attributes:
        seconds: Of processor time; ten times that of wall-clock time.
        memory: Bytes of address space.
    """

    seconds: float = 120.0
    memory: int = 3 << 30


def read_paper(path: Path, limits: ReadingLimits | None = None) -> Paper:
    """Read the paper in a file.

    Args:
        path: LaTeX source, archive, PDF, Markdown or HTML; a LaTeX source may include files from
            its folder and below.
        limits: Limits of time and memory.

    Raises:
        BadPaper: It is none, or cannot be read; the message names the next step.
    """
    answer = _ask(path, limits)
    if answer.paper is None:
        raise _refused(path, answer.problem or PaperProblem.CRASHED)
    return answer.paper


def page_picture(
    path: Path, page: int, mark: str = "", limits: ReadingLimits | None = None
) -> PagePicture:
    """Return a page of a PDF as a picture.

    Args:
        path: The paper's file.
        page: Counted from 1.
        mark: Text to mark on it.
        limits: Limits of time and memory.

    Raises:
        BadPaper: It is no PDF that can be opened, or has no such page.
    """
    answer = _ask(path, limits, page, mark)
    if answer.picture is None:
        raise _refused(path, answer.problem or PaperProblem.CRASHED)
    return answer.picture


def _refused(path: Path, problem: PaperProblem) -> BadPaper:
    return BadPaper(coded(_CODES[problem], path=_printable(path.name)), problem)


def _collected(path: Path) -> dict[str, bytes]:
    """Read the file and, for a LaTeX source, the sources in its folder and below.

    Symbolic links are not followed, so that nothing from elsewhere is read.
    """
    try:
        files = {_printable(path.name): read_regular(path, MOST_BYTES)}
    except FileTooLarge as error:
        raise _refused(path, PaperProblem.TOO_LARGE) from error
    except NotRegular as error:
        raise _refused(path, PaperProblem.UNKNOWN_FORMAT) from error
    except OSError as error:
        raise BadPaper(
            coded("file.not-readable-why", path=path.name, strerror=str(error.strerror)),
            PaperProblem.EMPTY,
        ) from (error)
    if path.suffix.lower() not in (".tex", ".ltx"):
        return files
    size = visited = 0
    for folder, folders, names in os.walk(path.parent):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            visited += 1
            place = Path(folder, name)
            if visited > _MOST_VISITED or len(files) > _MOST_BESIDE:
                return files
            if not name.lower().endswith(KEPT_SUFFIXES):
                continue
            try:
                content = read_regular(place, MOST_BYTES - size, follow_links=False)
            except FileTooLarge:
                return files
            except OSError:
                continue  # a link, a pipe, or unreadable: its includer reports it
            size += len(content)
            files[_printable(place.relative_to(path.parent).as_posix())] = content
    return files


def _printable(name: str) -> str:
    """Return a file's name without bytes that are no text."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _ask(
    path: Path, limits: ReadingLimits | None, page: int | None = None, mark: str = ""
) -> Answer:
    """Send a paper's files to a process and return its answer, about all of it or one page.

    The answer is `NOT_INSTALLED` if the extra `papers` is not.

    Raises:
        BadPaper: Its file cannot be read.
        Abandoned: Nobody waits for the result any more.
    """
    files = _collected(path)
    limits = limits or ReadingLimits()
    if any(find_spec(package) is None for package in PACKAGES):
        return Answer(problem=PaperProblem.NOT_INSTALLED)
    order = Order(
        names=tuple(files),
        sizes=tuple(map(len, files.values())),
        main=_printable(path.name),
        memory=limits.memory,
        page=page,
        mark=mark,
    )
    environment = {name: value for name, value in os.environ.items() if name.upper() in _KEPT}
    process = ChildProcess(_PROGRAM, environ=environment, keep_words=True)
    used = Stopwatch(process)
    line: bytes | None = None
    try:
        process.send(order.model_dump_json().encode() + b"\n" + b"".join(files.values()))
        while not used.is_over(limits.seconds):
            with contextlib.suppress(queue.Empty):
                line = process.line()
                break
        else:
            return Answer(problem=PaperProblem.TIME)
    except BrokenPipeError:
        line = None  # the process has ended; its last words are the reason
    finally:
        process.end()
    if line is None:
        memory = "MemoryError" in process.last_words
        return Answer(problem=PaperProblem.MEMORY if memory else PaperProblem.CRASHED)
    try:
        return Answer.model_validate_json(line)
    except ValidationError:
        return Answer(problem=PaperProblem.CRASHED)
