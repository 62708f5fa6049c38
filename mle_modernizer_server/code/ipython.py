"""Separates a cell's Python from its `%magics`, `!commands` and `;calls`.

IPython's escapes are only escapes at the start of a logical line: not within a string, not within
brackets, not after a backslash. All functions here preserve line numbers.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar
from weakref import WeakKeyDictionary

PYTHON_CELL_MAGICS = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun", "lprun"})
"""Cell magics whose body is Python that runs in the notebook's own namespace."""

_ASSIGNED = re.compile(
    r"^(?P<indent>\s*)(?P<names>[A-Za-z_](?:[\w\s,.]|\[[^\[\]]{0,100}\]){0,300}?)\s{0,100}(?<![=!<>])="
    r"\s*(?P<escape>[!%](?!=).*)$"
)
"""Repetitions are bounded, so that matching a line of a megabyte of blanks takes linear time.

Quotes may occur in brackets only (`d['a'] = !ls`): `print 'score = %f' % x` assigns nothing.
"""
_ESCAPED = re.compile(r"^\s*(?:[!%,;/]|\?\??\s*\S)|^\s*%{0,2}[\w.*]+\?{1,2}\s*$")
_CALLS = (",", ";", "/")
"""Beginnings of a line that IPython makes a call: `;f a b`; a `;` alone is one of nothing."""
_CELL_MAGIC = re.compile(r"^%%\s*(?P<name>\w+)")
MOST_CHARACTERS = 1_000_000
"""Characters of a cell up to which it is analysed."""
MOST_TOKENS = 20_000
"""Tokens of a cell up to which it is analysed: about 2,000 lines. Concrete syntax trees take 4 kB
a token."""
MOST_TOKENS_OF_ALL = 100_000
"""Tokens of all cells of a notebook up to which it is analysed."""
_STRING = (
    r"\"{3}(?:[^\\\"]|\\.|\"(?!\"\"))*(?:\"{3})?|'{3}(?:[^\\']|\\.|'(?!''))*(?:'{3})?"
    r"|\"(?:[^\"\\\n]|\\\r\n|\\.)*\"?|'(?:[^'\\\n]|\\\r\n|\\.)*'?"
)
"""A string; one in single quotes ends with its line at the latest, others with the text."""
_TOKEN = re.compile(rf"#[^\n]*|{_STRING}|\w+|[^\w\s]", re.DOTALL)
"""A comment, a string, a name, a number or a sign; roughly, and in linear time."""
_LINE = re.compile(rf"#[^\n]*|{_STRING}|\\\r?\n|[\n()\[\]{{}}]", re.DOTALL)
"""A part of the text that decides where a logical line ends."""
_TOKENS_OF_FIELD = 3
"""In an f-string, `{name}` is code."""


@dataclass(frozen=True)
class Escape:
    """A `%magic`, `!command`, `help?` or `;call` of a cell.

    Attributes:
        first: Its first line in the cell, from 0.
        last: Its last line (a backslash at a line's end continues it).
        indent: The blanks before it.
        column: Column in its first line at which it begins, after the assignment.
        assigned: The names it is assigned to (`files = !ls`), or "".
        text: Its text from its sign on, lines joined.
    """

    first: int
    last: int
    indent: str
    column: int
    assigned: str
    text: str


def count_tokens(source: str, most: int = MOST_TOKENS) -> int | None:
    """Return the approximate number of tokens of a cell; None if it is too large to analyse.

    A long string is one token: its length costs a parser nothing.

    Args:
        source: The cell.
        most: Largest number of tokens allowed.
    """
    if len(source) > MOST_CHARACTERS:
        return None
    counted = 0
    for match in _TOKEN.finditer(source):
        text = match[0]
        counted += 1
        if text[0] in "\"'":
            counted += _TOKENS_OF_FIELD * text.count("{")
        if counted > most:
            return None
    return counted


def is_too_large(source: str) -> bool:
    """Return whether a cell is too large to analyse."""
    # a character is a token at most, and that of a field in a string counts as four
    return len(source) > MOST_TOKENS // (1 + _TOKENS_OF_FIELD) and count_tokens(source) is None


def cell_magic(source: str) -> str | None:
    """Return the name of the `%%magic` that the cell starts with, or None."""
    match = _CELL_MAGIC.match(source.lstrip())
    return match["name"] if match else None


def is_python(source: str) -> bool:
    """Return whether the cell is Python: no `%%bash`, `%%html` and so on."""
    magic = cell_magic(source)
    return magic is None or magic in PYTHON_CELL_MAGICS


def escapes(source: str) -> list[Escape]:
    """Return the escapes of a Python cell, in order, its `%%magic` line included.

    Empty if the cell has more than `MOST_CHARACTERS` characters.
    """
    if len(source) > MOST_CHARACTERS:
        return []
    lines, text = source.split("\n"), f"{source}\n"
    found: list[Escape] = []
    number = start = 0
    while number < len(lines):
        escape = _escape(lines, number)
        if escape:
            found.append(escape)
            end = start + sum(len(line) + 1 for line in lines[number : escape.last + 1])
        else:
            end = _end_of_line(text, start)
        number += text.count("\n", start, end)
        start = end
    return found


def logical_starts(source: str) -> list[int]:
    """Return the lines, from 0, that begin outside of strings, brackets and continued lines."""
    text = f"{source}\n"
    found = []
    number = start = 0
    while start < len(text):
        found.append(number)
        end = _end_of_line(text, start)
        number += text.count("\n", start, end)
        start = end
    return found


def _end_of_line(text: str, start: int) -> int:
    """Return the position behind the logical line that begins at a position."""
    depth = 0
    for match in _LINE.finditer(text, start):
        if match[0] in ("(", "[", "{"):
            depth += 1
        elif match[0] in (")", "]", "}"):
            depth = max(0, depth - 1)
        elif match[0] == "\n" and not depth:
            return match.end()
    return len(text)


def python_only(source: str) -> str:
    """Return the cell's Python with each escape as `pass` or `None`; "" for another language.

    The result has as many lines as the cell; it may still be invalid Python (Python 2, say).
    """
    if not is_python(source):
        return ""
    return replace_escapes(source, {escape: _timed(escape) for escape in escapes(source)})


def replace_escapes(source: str, replacements: dict[Escape, str | None]) -> str:
    """Return the cell with some of its escapes replaced, line for line.

    Args:
        source: The cell.
        replacements: The replacement line of each escape; None for one without effect.
    """
    lines = source.split("\n")
    for escape, text in replacements.items():
        if text is None:
            text = f"{escape.assigned} = None" if escape.assigned else "pass"
        blank = [""] * (escape.last - escape.first)
        lines[escape.first : escape.last + 1] = [escape.indent + text, *blank]
    return "\n".join(lines)


_BELOW: WeakKeyDictionary[ast.AST, tuple[ast.AST, ...]] = WeakKeyDictionary()
"""The nodes of a tree without its root, which would keep the tree in memory."""


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes of a tree that does not change, in the order of `ast.walk`."""
    below = _BELOW.get(tree)
    if below is None:
        below = _BELOW[tree] = tuple(ast.walk(tree))[1:]
    return chain((tree,), below)


class _Trees:
    """The syntax trees of the latest sources, up to a number of tokens in all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_source: dict[str, tuple[ast.Module | None, int]] = {}
        self._tokens = 0

    def parsed(self, source: str) -> ast.Module | None:
        """Return the tree of a source, the same one for the same source."""
        with self._lock:
            known = self._by_source.pop(source, None)
            if known is not None:
                self._by_source[source] = known  # now the latest
                return known[0]
        tokens = count_tokens(source)
        if tokens is None:
            return None
        made = _parse(source)
        with self._lock:
            if source not in self._by_source:
                self._by_source[source] = (made, tokens)
                self._tokens += tokens
            tree = self._by_source[source][0]
            while self._tokens > MOST_TOKENS_OF_ALL:
                oldest = next(iter(self._by_source))
                self._tokens -= self._by_source.pop(oldest)[1]
        return tree


_TREES = _Trees()


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of the cell's Python; None if it is not Python 3, or too large.

    The same source has the same tree, which must not be changed.
    """
    return _TREES.parsed(source)


def parsed_cells(sources: Iterable[str], *, in_place: bool = False) -> list[ast.Module | None]:
    """Return the trees of a notebook's cells, each with nodes of its own.

    Args:
        sources: Of the cells.
        in_place: Parse them as `parsed_in_place` does.
    """
    found: list[ast.Module | None] = []
    known: set[str] = set()
    for source in sources:
        tree = parsed_in_place(source) if in_place else parsed(source)
        found.append(copy.deepcopy(tree) if source in known else tree)
        known.add(source)
    return found


def _parse(source: str) -> ast.Module | None:
    text = python_only(source)
    if is_too_large(text):  # a quote in a command had hidden the rest
        return None
    try:
        return parse_python(text)
    except IndentationError:
        return _parsed_block(text) if common_indent(text) else None
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None


def _parsed_block(text: str) -> ast.Module | None:
    """Parse as `parsed` does, but lines that all begin with the same spaces."""
    try:
        tree = parse_python("if 1:\n" + text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None
    (outer,) = tree.body
    assert isinstance(outer, ast.If)
    for statement in outer.body:
        ast.increment_lineno(statement, -1)
    return ast.Module(body=outer.body, type_ignores=[])


def common_indent(text: str) -> str:
    """Return the spaces that all lines of a cell begin with; "" if the lines differ.

    IPython removes the indent of the first line.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    first = lines[0] if lines else ""
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    return indent if all(line.startswith(indent) for line in lines) else ""


_PYTHON_2 = (
    (re.compile(r"(?m)(^[ \t]*|[:;][ \t]*)print[ \t](?=[ \t]*[^\s=.,;>\])}#])"), r"\1print,"),
    (re.compile(r"(?m)^[ \t]*except\b[^\n,()]*(,[ \t]*\w+[ \t]*)(?=:)"), None),
    (re.compile(r"<>"), "!="),
)
"""Syntax that only Python 2 can parse, and its replacement of the same length."""


def parsed_in_place(source: str) -> ast.Module | None:
    """Parse as `parsed` does, and most Python 2 cells too, with the positions of all expressions.

    A `print` statement is parsed as a tuple, so the tree is for finding names and literals, not for
    analysing behaviour.
    """
    tree = parsed(source)
    if tree is not None or is_too_large(source):
        return tree
    for old, new in _PYTHON_2:
        source = old.sub(_blanked if new is None else new, source)
    return parsed(source)


def _blanked(found: re.Match[str]) -> str:
    return found[0][: found.start(1) - found.start()] + " " * len(found[1])


_TRIES = 20
_Read = TypeVar("_Read")


def parse_python(text: str) -> ast.Module:
    """Return the result of `ast.parse`; safe while other threads parse."""
    return _patiently(ast.parse, text)


def literal_value(text: str) -> object:
    """Return the result of `ast.literal_eval`; safe while other threads parse."""
    return _patiently(ast.literal_eval, text)


def _patiently(read: Callable[[str], _Read], text: str) -> _Read:
    """Parse Python; retry if the error is not the text's fault.

    CPython 3.11 has one recursion counter for all threads: if two of them build trees, one may get
    a SystemError ("AST constructor recursion depth mismatch").
    """
    for _ in range(_TRIES - 1):
        with contextlib.suppress(SystemError):
            return read(text)
    return read(text)


def _timed(escape: Escape) -> str | None:
    """Return the statement of a `%time statement`, which runs in the notebook's own namespace."""
    match = re.match(r"%time\s+(\S.*)$", escape.text)
    return match[1] if match and not escape.assigned else None


def _escape(lines: list[str], number: int) -> Escape | None:
    line = lines[number]
    if not any(sign in line for sign in "!%?") and not line.lstrip().startswith(_CALLS):
        return None
    assigned = _ASSIGNED.match(line)
    if not assigned and not _ESCAPED.match(line):
        return None
    last = number
    parts = [assigned["escape"] if assigned else line.strip()]
    while parts[-1].endswith("\\") and last + 1 < len(lines):
        last += 1
        parts[-1] = parts[-1][:-1].rstrip()
        parts.append(lines[last].strip())
    indent = assigned["indent"] if assigned else line[: len(line) - len(line.lstrip())]
    return Escape(
        first=number,
        last=last,
        indent=indent,
        column=assigned.start("escape") if assigned else len(indent),
        assigned=assigned["names"].strip() if assigned else "",
        text=" ".join(parts),
    )
