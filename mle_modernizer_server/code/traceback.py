"""The one parser of tracebacks.

A traceback comes as the kernel sent it: a list of texts, each of several lines, with colours. Since
version 8 IPython heads a frame with its cell and line (`Cell In[2], line 3, in f()`,
`File /usr/lib/python3/x.py:7, in f()`). IPython 7, which Kaggle's image has, heads it with a file
and marks the line by an arrow only (`/tmp/ipykernel_10/2845766214.py in <module>`);
`in_todays_form` converts the second form to the first.
https://ipython.readthedocs.io/en/stable/whatsnew/version8.html#traceback-improvements
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.ipython import cell_magic, parsed
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.text import plain_text, without_escapes

UNPARSED = frozenset({"SyntaxError", "IndentationError", "TabError"})
"""Errors of a cell that is no valid Python: none of its code ran."""

_CELL_FRAME = re.compile(r"(?:Cell In|Input In ?)\[(\d+)\], (?:line |in )<?(?:cell line: )?(\d+)")
_TIMED_FRAME = re.compile(r"File <timed (?:exec|eval)>:(\d+)")
_ANY_FRAME = re.compile(r"^(?:Cell In|Input In|File )", re.MULTILINE)
_OWN_OR_FILE = re.compile(r"(Cell In|Input In|<ipython-input|File )")
_FILE_FRAME = re.compile(r"File (?P<path>\S.*?\.py):(?P<line>\d+)")
_INSTALLED = re.compile(
    r"[/\\](?:(?:site|dist)-packages|lib[/\\]python\d[\d.]*|python[\d.]*[/\\]lib)[/\\]"
    r"|(?<=File )/kaggle/packages/",  # installed by a notebook's own lines
    re.IGNORECASE,
)
_ARROW = re.compile(r"-+> *(\d+)(?: (.*))?")
_ANOTHER = re.compile(
    r"direct cause of the following exception|During handling of the above exception"
)
_NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
_UNPARSED_PLACE = re.compile(r"\s*(?:Cell In|Input In|File [\"<]).*line \d+")
_BLOCK = re.compile(r"^(?:File |Cell In\s?\[|<ipython-input|/tmp/ipykernel|Input In\s?\[|~?/)\S")
_OWN_BLOCK = re.compile(r"^(?:Cell In|<ipython-input|/tmp/ipykernel|Input In|File /tmp/ipyk)")
_OLD_HEAD = re.compile(
    r"(?P<path>(?P<cell>\S*/ipykernel_\d+/\d+\.py|<ipython-input-\S+>)|\S+\.pyx?|<\S+>)"
    r" in (?P<name>\S.*)"
)
_TOP_LEVEL = re.compile(r"<module>|<cell line: \d+>")


def in_todays_form(traceback: Sequence[str], execution_count: object) -> list[str]:
    """Return a traceback with the heads of its frames in today's form; other lines are unchanged.

    Args:
        traceback: As the kernel sent it.
        execution_count: Execution count of the failing cell; frames of other cells, whose number
            IPython 7 omits, get the number 0.
    """
    lines = [line for part in traceback for line in part.split("\n")]
    plain = [without_escapes(line) for line in lines]
    heads = {at: head for at, line in enumerate(plain) if (head := _OLD_HEAD.fullmatch(line))}
    if not any(head["cell"] for head in heads.values()):
        return list(traceback)
    top = [head for head in heads.values() if head["cell"] and _TOP_LEVEL.match(head["name"])]
    own = {head["path"] for head in top}
    for at, head in heads.items():
        number = _arrow_below(plain, at)
        if number is None:
            continue
        name = re.sub(r"<cell line: \d+>", "<module>", head["name"])
        if not head["cell"]:
            lines[at] = f"File {head['path']}:{number}, in {name}"
        else:
            count = execution_count if head["path"] in own else 0
            lines[at] = f"Cell In[{count}], line {number}, in {name}"
    return lines


def _arrow_below(plain: Sequence[str], head: int) -> str | None:
    """Return the number the arrow points at, in the frame under a head."""
    for line in plain[head + 1 :]:
        if arrow := _ARROW.match(line):
            return arrow[1]
        if _OLD_HEAD.fullmatch(line):
            return None
    return None


def line_in_cell(traceback: Sequence[str], execution_count: int | None, source: str) -> int | None:
    """Return the line of the cell's source (from 1) in the cell's own innermost frame.

    Args:
        traceback: In today's form.
        execution_count: Execution count of the cell.
        source: The cell's source.

    Returns:
        None if the traceback has none, or one outside the cell.
    """
    text = plain_text(traceback)
    total = source.count("\n") + 1
    if cell_magic(source) is not None:
        timed = [int(number) + 1 for number in _TIMED_FRAME.findall(text)]
        if timed:
            return timed[-1] if timed[-1] <= total else None
    own = [int(line) for count, line in _CELL_FRAME.findall(text) if int(count) == execution_count]
    return own[-1] if own and 1 <= own[-1] <= total else None


def outermost_line(traceback: Sequence[str]) -> int | None:
    """Return the line (from 1) of the outermost frame of a cell; None if absent."""
    frame = _CELL_FRAME.search(plain_text(traceback))
    return int(frame[2]) if frame else None


WORKING = "/kaggle/working"
"""The sandbox's folder for the files of the notebook's folder."""


@dataclass(frozen=True)
class Failure:
    """Place at which a cell failed.

    Attributes:
        line: Line (from 1) of the statement at the cell's top level; None if unknown.
        shallow: Whether the statement itself failed, not a function it called.
        compiled: False: the cell is no valid Python, so nothing of it ran.
        missing: The attribute that an object lacks; "" for other errors.
    """

    line: int | None
    shallow: bool
    compiled: bool
    missing: str = ""


def parse_failure(error: CellError, source: str) -> Failure:
    """Return the place at which the cell of a raised error failed."""
    parts = _ANOTHER.split(plain_text(error.traceback))
    if error.ename in UNPARSED and parsed(source) is None:
        return Failure(None, shallow=True, compiled=False)
    shallow = len(parts) == 1 and len(_ANY_FRAME.findall(parts[-1])) == 1
    named = _NO_ATTRIBUTE.search(error.evalue) if error.ename == "AttributeError" else None
    missing = named[1] if named else ""
    if cell_magic(source) is not None:
        timed = _TIMED_FRAME.search(parts[-1])
        line = int(timed[1]) + 1 if timed else None
        return Failure(line, shallow=False, compiled=True, missing=missing)
    return Failure(outermost_line([parts[-1]]), shallow, compiled=True, missing=missing)


def statement_lines(traceback: Sequence[str]) -> list[str]:
    """Return the source lines the arrows of all frames point at, the outermost first."""
    lines = plain_text(traceback).splitlines()
    return [arrow[2] for line in lines if (arrow := _ARROW.match(line)) and arrow[2] is not None]


def failing_lines(error: CellError) -> list[str]:
    """Return the notebook's own lines in the traceback, from the cell down to the innermost
    function; for a cell that is no valid Python the line that could not be parsed."""
    lines = plain_text(error.traceback).splitlines()
    if error.ename in UNPARSED:
        pairs = itertools.pairwise(lines)
        return [below.strip() for line, below in pairs if _UNPARSED_PLACE.match(line)]
    found: list[str] = []
    own = False
    for line in lines:
        if frame := _OWN_OR_FILE.match(line):
            own = frame[1] != "File "
        elif own and (arrow := _ARROW.match(line)) and arrow[2] is not None:
            found.append(arrow[2])
    return found


def called_frames(error: CellError) -> list[str]:
    """Return the heads of the libraries' frames below the innermost line of the notebook or of a
    module in its folder, the outermost first: the functions that line called; empty if the
    traceback has no such line."""
    found: list[str] = []
    own = False
    for line in plain_text(error.traceback).splitlines():
        if not (frame := _OWN_OR_FILE.match(line)):
            continue
        if frame[1] != "File ":
            own, found = True, []
        elif own:
            found = [] if _is_beside(line) else [*found, line]
    return found


@dataclass(frozen=True)
class LineBeside:
    """The failing line of a module in the notebook's folder.

    Attributes:
        path: The module's file, as the run saw it.
        line: Counted from 1.
        code: The line; "" if the traceback does not contain it.
    """

    path: str
    line: int
    code: str


def line_beside(error: CellError) -> LineBeside | None:
    """Return the place of an error in a module of the notebook's folder, which a cell called or
    imported; None if it arose in the notebook's own code."""
    found: LineBeside | None = None
    lines = plain_text(error.traceback).splitlines()
    for at, line in enumerate(lines):
        if not (frame := _OWN_OR_FILE.match(line)):
            continue
        if frame[1] != "File ":
            found = None
        elif head := _is_beside(line):
            shown = itertools.takewhile(lambda one: not _OWN_OR_FILE.match(one), lines[at + 1 :])
            arrows = (arrow for one in shown if (arrow := _ARROW.match(one)))
            code = next((arrow[2] or "" for arrow in arrows), "")
            found = LineBeside(
                head["path"].removeprefix(f"{WORKING}/"), int(head["line"]), code.strip()
            )
    return found


def _is_beside(head: str) -> re.Match[str] | None:
    """Return the match of a frame's head if its file is no installed one."""
    return None if _INSTALLED.search(head) else _FILE_FRAME.match(head)


@dataclass(frozen=True)
class Block:
    """A frame with the code around it, or text between frames.

    Attributes:
        lines: Its lines.
        of_library: Whether it is a frame of a file that is not the notebook's.
    """

    lines: tuple[str, ...]
    of_library: bool


def parse_blocks(text: str) -> list[Block]:
    """Return a traceback's plain text in blocks: a frame's head or a blank line begins one."""
    blocks: list[list[str]] = [[]]
    for line in text.split("\n"):
        if _BLOCK.match(line) or (blocks[-1] and not blocks[-1][-1].strip() and line.strip()):
            blocks.append([])
        blocks[-1].append(line)
    return [Block(tuple(lines), _of_library(lines)) for lines in blocks]


def _of_library(lines: Sequence[str]) -> bool:
    head = lines[0] if lines else ""
    return bool(_BLOCK.match(head)) and not _OWN_BLOCK.match(head)


def failed_line(error: CellError, source: str) -> int | None:
    """Return the line of the failing top-level statement of the cell; None if all of it is lost."""
    if error.ename in UNPARSED:
        return None
    if cell_magic(source) is not None:
        return error.line
    return outermost_line(error.traceback) or error.line
