"""Changes string literals and expressions of a cell, and nothing else of its text."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from mle_modernizer_server.code.cell_syntax import parse_cell
from mle_modernizer_server.code.ipython import python_only


@dataclass
class CellText:
    """A cell's source, with changes that are carried out together.

    Args:
        source: The cell.
    """

    source: str
    _changes: dict[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lines = self.source.split("\n")
        self._python = python_only(self.source).split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def segment(self, node: ast.expr) -> str | None:
        """Return the text of an expression; None if its line is no plain Python."""
        span = self._span(node)
        return None if span is None else self.source[span[0] : span[1]]

    def replace(self, node: ast.expr, text: str) -> bool:
        """Put a text in an expression's place; whether that can be done."""
        span = self._span(node)
        if span is None or any(
            span[0] < end and start < span[1] and (start, end) != span
            for start, end in self._changes
        ):
            return False
        self._changes[span] = text
        return True

    def drop(self, first: int, last: int) -> None:
        """Make comments of some lines, counted from 0."""
        for number in range(first, last + 1):
            line = self._lines[number]
            at = self._starts[number] + len(line) - len(line.lstrip())
            self._changes[(at, at)] = "# "

    def changed(self) -> str:
        """Return the source with all changes."""
        text = self.source
        for (start, end), new in sorted(self._changes.items(), reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def _span(self, node: ast.expr) -> tuple[int, int] | None:
        if node.end_lineno is None or node.end_col_offset is None:
            return None
        if not all(map(self._is_python, range(node.lineno - 1, node.end_lineno))):
            return None
        return (
            self._place(node.lineno - 1, node.col_offset),
            self._place(node.end_lineno - 1, node.end_col_offset),
        )

    def _is_python(self, line: int) -> bool:
        """Return whether a line is plain Python, maybe behind `%time`."""
        code = self._python[line]
        return self._lines[line] == code or bool(
            code.strip() and self._lines[line].endswith(code.lstrip())
        )

    def _place(self, line: int, column: int) -> int:
        """Return the position in the source of a column, which counts bytes."""
        code = self._python[line]
        before = code.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass")
        return self._starts[line] + len(self._lines[line]) - len(code) + len(before)


def renamed(source: str, variables: Mapping[str, str], keys: Mapping[str, str]) -> str | None:
    """Return a cell's code with some variables, and some keys and attributes, by other names.

    Args:
        source: The cell.
        variables: New names by the old ones.
        keys: New texts and attributes by the old ones.

    Returns:
        The source itself if it has none of them; None if it is not Python 3.
    """
    try:
        tree = parse_cell(source)
    except SyntaxError:
        return None
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            count += node.value in keys
            node.value = keys.get(node.value, node.value)
        elif isinstance(node, ast.Attribute):
            count += node.attr in keys
            node.attr = keys.get(node.attr, node.attr)
        elif isinstance(node, ast.Name):
            count += node.id in variables
            node.id = variables.get(node.id, node.id)
    return ast.unparse(tree) if count else source


def literal_with(
    segment: str, node: ast.Constant | ast.JoinedStr, old: str, new: str, start: int
) -> str | None:
    """Return a string literal with a part of its text changed; None if that is unsafe.

    Args:
        segment: As it is written.
        node: It.
        old: The part.
        new: Its replacement.
        start: Position of the part in a plain literal's text.
    """
    if isinstance(node, ast.JoinedStr):
        plain = not set("{}\\'\"\n") & set(new)
        if not old or not plain or segment.count(old) != 1:
            return None
        return segment.replace(old, new)
    value = str(node.value)
    if value[start : start + len(old)] != old:
        return None
    return quoted(value[:start] + new + value[start + len(old) :], like=segment)


def quoted(text: str, *, like: str = "") -> str:
    """Return a text as a literal, in the quotes of another one if possible."""
    quote = next((sign for sign in like if sign in "'\""), "'")
    if set("\\\n\r'\"") & set(text) or not text.isprintable():
        return repr(text)
    return f"{quote}{text}{quote}"
