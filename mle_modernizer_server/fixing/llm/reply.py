"""Text of a model's reply to a plan and operations on named cells. Pure, and never half done.

The format is ours: marker lines between `===`. A reply is a plan and then only the cells that
change; the whole notebook in the same cell-delimited form (the protocol of the paper's section
3.3) is understood as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.code.cell_syntax import parse_cell


class UnusableReply(Exception):
    """A reply that cannot become a patch; the messages explain why to the model.

    Attributes:
        mistakes: The errors, a sentence each.
    """

    def __init__(self, *mistakes: str) -> None:
        super().__init__(" ".join(mistakes))
        self.mistakes = mistakes


class OperationKind(str, Enum):
    """Effect of a section of a reply."""

    REPLACE = "replace"
    """The whole cell anew."""
    SEARCH_REPLACE = "search-replace"
    """Some places of a cell anew."""
    INSERT = "insert"
    DELETE = "delete"
    CELL = "cell"
    """A cell of the whole-notebook form; it may be unchanged."""


@dataclass(frozen=True)
class Operation:
    """One section of a reply.

    Attributes:
        kind: Its effect.
        cell: Name of the cell it concerns; for an insertion the cell before, None for the start;
            empty for a new cell of the whole-notebook form.
        source: The new source, for all but search/replace and deletions.
        blocks: (search, replace) texts, for search/replace.
        markdown: Whether the reply declares a Markdown cell.
    """

    kind: OperationKind
    cell: str | None
    source: str = ""
    blocks: tuple[tuple[str, str], ...] = ()
    markdown: bool = False


@dataclass(frozen=True)
class Reply:
    """A plan and its operations; `no_fix` is the reason if the model has nothing to propose."""

    plan: tuple[str, ...]
    operations: tuple[Operation, ...]
    no_fix: str = ""


MAX_REPLY_CHARS = 2_000_000
_MAX_MARKER = 200
_NAME = r"`?(?P<name>[A-Za-z0-9_-]{1,64})`?(?:\s*\([^()]*\))?"
_KIND = r"(?:(?P<kind>MARKDOWN|CODE)\s+)?CELL"
_MARKERS = tuple(
    (word, re.compile(pattern, re.IGNORECASE))
    for word, pattern in (
        ("plan", r"PLAN"),
        ("end", r"END(?:\s+OF\s+REPLY)?"),
        ("no fix", r"NO\s+FIX"),
        ("edits", r"(?:EDITS|PATCH|NOTEBOOK)"),
        ("replace", rf"REPLACE\s+{_KIND}\s+{_NAME}"),
        ("edit", rf"EDIT\s+{_KIND}\s+{_NAME}"),
        ("insert", rf"INSERT\s+{_KIND}\s+AFTER\s+{_NAME}"),
        ("insert first", rf"INSERT\s+{_KIND}\s+AT\s+(?:THE\s+)?START"),
        ("delete", rf"DELETE\s+{_KIND}\s+{_NAME}"),
        ("new cell", r"NEW\s+(?:(?P<kind>MARKDOWN|CODE)\s+)?CELL"),
        ("cell", rf"{_KIND}\s+{_NAME}"),
    )
)
# No line of Python begins like this: a marker that was not written as agreed.
_MANGLED = re.compile(
    r"[^\w#'\"=]{0,20}={2,}[^=].{0,100}\b(?:CELL|PLAN|END|REPLACE|EDIT|INSERT|DELETE|FIX)\b",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s{0,3}```[A-Za-z0-9_+.-]{0,30}\s*\Z")
_CLOSING_FENCE = re.compile(r"\s{0,3}```\s*\Z")
_SEARCH = re.compile(r"<{5,9}\s?SEARCH\s*\Z", re.IGNORECASE)
_MIDDLE = re.compile(r"={7}\s*\Z")
_REPLACE = re.compile(r">{5,9}\s?REPLACE\s*\Z", re.IGNORECASE)
_STRAY = re.compile(r"<{5,}|>{5,}|={7}\s*\Z")
_PROSE = frozenset({"plan", "no fix", "edits"})
_BULLET = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)])\s+")


@dataclass(frozen=True)
class _Section:
    word: str
    name: str
    markdown: bool
    lines: tuple[str, ...]
    title: str
    enclosed: bool
    """The last section of a reply, within a code fence that was opened before it."""


def looks_like_marker(line: str) -> bool:
    """Return whether a line of code would be read as a marker line of a reply."""
    return _marker(line) is not None or _MANGLED.match(line) is not None


def is_closed(text: str) -> bool:
    """Return whether a reply has its END marker."""
    markers = (_marker(line) for line in text.splitlines())
    return any(marker is not None and marker[0] == "end" for marker in markers)


def plan_so_far(text: str) -> tuple[str, bool]:
    """Return the plan of a reply that is still being written, and whether it is complete."""
    lines = text.replace("\r\n", "\n").split("\n")
    plan: list[str] = []
    for number, line in enumerate(lines):
        marker = _marker(line)
        if marker is not None and marker[0] == "plan":
            plan = []
        elif marker is not None:
            return "\n".join(plan).strip(), True
        elif not (number == len(lines) - 1 and line.lstrip().startswith(("=", "`"))):
            plan.append(line)
    return "\n".join(plan).strip(), False


def parse_reply(text: str, *, complete: bool | None) -> Reply:
    """Read a reply.

    Args:
        text: The reply as it came.
        complete: Whether the model finished, from the endpoint; None if unknown, then the reply's
            own END marker decides.

    Raises:
        UnusableReply: It is empty, cut off, or not in the format; nothing of it may be used.
    """
    if len(text) > MAX_REPLY_CHARS:
        raise UnusableReply("The reply is far too long. Name only the cells that change.")
    if not text.strip():
        raise UnusableReply("The reply was empty.")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    preamble, sections, ended = _sections(lines)
    if complete is False or (complete is None and not ended):
        raise UnusableReply(
            "The reply was cut off before its end. Answer shorter: only the cells that change, "
            "with search/replace blocks in long ones."
        )
    outside = [*preamble, *(line for s in sections if s.word != "edit" for line in s.lines)]
    if any(_SEARCH.match(line) or _REPLACE.match(line) for line in outside):
        raise UnusableReply("A search/replace block stands outside of an EDIT section.")
    plan = _plan(next((s.lines for s in sections if s.word == "plan"), preamble))
    refusal = next((s for s in sections if s.word == "no fix"), None)
    operations = tuple(_operation(s) for s in sections if s.word not in _PROSE)
    if refusal is not None:
        if operations:
            raise UnusableReply("The reply says NO FIX and yet changes cells. Decide for one.")
        reason = " ".join(line.strip() for line in refusal.lines if line.strip("` \t"))
        return Reply(plan, (), no_fix=reason or " ".join(plan) or "The model gave no reason.")
    if not operations:
        raise UnusableReply(
            "The reply changes no cell: there was no marker line such as "
            "`=== REPLACE CELL name ===` or `=== EDIT CELL name ===`."
        )
    whole = {operation.kind is OperationKind.CELL for operation in operations}
    if len(whole) == 2:
        raise UnusableReply(
            "The reply mixes `=== CELL name ===` sections (the whole notebook) with edits. "
            "Use REPLACE, EDIT, INSERT and DELETE only."
        )
    return Reply(plan, operations)


def _marker(line: str) -> tuple[str, str, bool] | None:
    """Return word, cell name and whether Markdown is meant, if a line is one of our markers."""
    line = line.strip().strip("*").strip()
    if len(line) > _MAX_MARKER or not line.startswith("===") or not line.endswith("==="):
        return None
    inner = line.strip("=").strip()
    for word, pattern in _MARKERS:
        match = pattern.fullmatch(inner)
        if match:
            groups = match.groupdict()
            return word, groups.get("name") or "", (groups.get("kind") or "").lower() == "markdown"
    return None


def _sections(lines: list[str]) -> tuple[tuple[str, ...], list[_Section], bool]:
    """Return the text before the first marker, the sections, and whether END closed them."""
    preamble: list[str] = []
    sections: list[_Section] = []
    current: list[str] = preamble
    opened: tuple[str, str, bool, str] | None = None

    def close(*, last: bool) -> None:
        if opened is not None:
            body = tuple(current)
            enclosed = last and _odd_fences(lines[:number]) is not _odd_fences(body)
            sections.append(_Section(*opened[:3], body, opened[3], enclosed))

    number = 0
    for number, line in enumerate(lines):
        marker = _marker(line)
        if marker is None:
            if _MANGLED.match(line):
                raise UnusableReply(
                    f"This marker line is not one of the reply format: {line[:80]!r}"
                )
            current.append(line)
            continue
        ended = marker[0] == "end"
        close(last=ended)
        if ended:
            if any(looks_like_marker(rest) or _SEARCH.match(rest) for rest in lines[number + 1 :]):
                raise UnusableReply("There are sections behind the END marker. Put it last, once.")
            return tuple(preamble), sections, True
        current = []
        opened = (*marker, line.strip())
    number += 1
    close(last=True)
    return tuple(preamble), sections, False


def _plan(lines: tuple[str, ...]) -> tuple[str, ...]:
    steps = (_BULLET.sub("", line, count=1).strip() for line in lines if not _FENCE.match(line))
    return tuple(step for step in steps if step)


_KINDS = {
    "replace": OperationKind.REPLACE,
    "insert": OperationKind.INSERT,
    "insert first": OperationKind.INSERT,
    "delete": OperationKind.DELETE,
}


def _operation(section: _Section) -> Operation:
    word = section.word
    if word == "edit":
        return Operation(
            OperationKind.SEARCH_REPLACE,
            section.name,
            blocks=_blocks(section),
            markdown=section.markdown,
        )
    source = _unfenced(section)
    kind = _KINDS.get(word, OperationKind.CELL)
    if kind is OperationKind.DELETE and source.strip():
        raise UnusableReply(f"There is text under `{section.title}`; a deletion has none.")
    if kind in (OperationKind.REPLACE, OperationKind.INSERT) and not source.strip():
        raise UnusableReply(f"Nothing stands under `{section.title}`. Use DELETE to remove a cell.")
    cell = None if kind is OperationKind.INSERT and not section.name else section.name
    return Operation(kind, cell, source, markdown=section.markdown)


def _unfenced(section: _Section) -> str:
    """Return a section's text without blank lines at its ends and without Markdown code fences.

    Prose after a closing fence is left out.

    Raises:
        UnusableReply: There is code after the fence, too.
    """
    body = list(section.lines)
    while body and not body[0].strip():
        del body[0]
    fences = [at for at, line in enumerate(body) if _FENCE.match(line)]
    rest: list[str] = []
    if fences and fences[0] == 0:
        closing = [at for at in fences[1:] if _CLOSING_FENCE.match(body[at])]
        if closing:
            rest = body[closing[-1] + 1 :]
            del body[closing[-1] :]
        del body[0]  # with no closing fence it is one that encloses sections
    elif section.enclosed and fences:
        rest = body[fences[-1] + 1 :]
        del body[fences[-1] :]
    if any(line.strip() for line in rest) and is_code("\n".join(rest)):
        raise UnusableReply(f"Under `{section.title}` there is code behind the closing fence.")
    return "\n".join(body).strip("\n")


def is_code(text: str) -> bool:
    """Return whether a text is valid Python, with magics."""
    try:
        parse_cell(text)
    except SyntaxError:
        return False
    return True


def _odd_fences(lines: Sequence[str]) -> bool:
    return sum(1 for line in lines if _FENCE.match(line)) % 2 == 1


def _blocks(section: _Section) -> tuple[tuple[str, str], ...]:
    """Return the search/replace blocks of a section; skip prose between them, refuse remnants."""
    found: list[tuple[str, str]] = []
    state = "outside"
    search: list[str] = []
    replace: list[str] = []
    for line in section.lines:
        if state == "outside":
            if _SEARCH.match(line):
                state, search, replace = "search", [], []
            elif _STRAY.match(line):
                raise _bad_block(section, f"the line {line[:60]!r} stands outside of a block")
        elif _SEARCH.match(line):
            raise _bad_block(section, "a block begins inside another one")
        elif _MIDDLE.match(line):
            if state == "replace":
                raise _bad_block(
                    section, "a block has two ======= lines; replace the whole cell instead"
                )
            state = "replace"
        elif _REPLACE.match(line):
            if state == "search":
                raise _bad_block(section, "a block has no ======= line")
            found.append(("\n".join(search), "\n".join(replace)))
            state = "outside"
        else:
            (search if state == "search" else replace).append(line)
    if state != "outside":
        raise _bad_block(section, "the last block is not closed by >>>>>>> REPLACE")
    if not found:
        raise _bad_block(section, "there is no search/replace block")
    return tuple(found)


def _bad_block(section: _Section, what: str) -> UnusableReply:
    return UnusableReply(f"Under `{section.title}`: {what}.")
