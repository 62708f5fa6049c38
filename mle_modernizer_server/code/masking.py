"""A cell's text as Python: IPython's own syntax is masked, and restored byte for byte.

IPython cells may hold line magics (`%matplotlib inline`), shell lines (`!ls`, `files = !ls`), help
(`df?`) and a cell magic in the first line (`%%time`). They are replaced by placeholders of the
same number of lines, so that the rest can be parsed and line numbers stay the same.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from mle_modernizer_server.code.ipython import (
    Escape,
    common_indent,
    escapes,
    is_python,
    parse_python,
)

_OUR_PREFIX = re.compile(r"_ipython_(_*)")
_RETAINED = 256
"""Cells whose answers are cached: the conversion and the parser ask for the same ones."""
_TIMED = re.compile(r"^(\s*)(%(?:time|timeit)\s+)(?![-\s])(?=\S)")


@dataclass(frozen=True)
class MaskedSource:
    """A cell's source with placeholders in the place of IPython's syntax."""

    text: str
    """Python (if the author wrote Python); as many lines as the source."""
    magics: dict[str, str]
    """Original text by placeholder, in order."""
    indent: str = ""
    """Common indentation of the source's lines that the text lacks: IPython removes it, too."""

    def restore(self, text: str) -> str | None:
        """Put the original pieces back into a changed text.

        Returns:
            The cell's source, or None if a placeholder got lost or was doubled.
        """
        for placeholder, original in self.magics.items():
            if text.count(placeholder) != 1:
                return None
            text = text.replace(placeholder, original)
        return _each_line(text, lambda line: self.indent + line) if self.indent else text


@lru_cache(maxsize=_RETAINED)
def mask(source: str) -> MaskedSource | None:
    """Set IPython's syntax aside; None for a cell in another language (`%%bash`, `%%html`, …)."""
    if not is_python(source):
        return None
    longest = max((len(match[1]) for match in _OUR_PREFIX.finditer(source)), default=-1)
    prefix = "_ipython_" + "_" * (longest + 1)
    lines = source.split("\n")
    magics: dict[str, str] = {}
    for escape in escapes(source):
        _mask_escape(lines, escape, prefix, magics)
    text = "\n".join(lines)
    indent = common_indent(text)
    if indent:
        text = _each_line(text, lambda line: line.removeprefix(indent))
    return MaskedSource(text, magics, indent)


def _each_line(text: str, changed: Callable[[str], str]) -> str:
    """Return a text with all lines changed but the blank ones."""
    return "\n".join(changed(line) if line.strip() else line for line in text.split("\n"))


def nests_too_deeply(text: str) -> bool:
    """Return whether brackets or operators nest so deeply that libcst's parser would crash.

    It recurses on the C stack without a limit of its own; Python's parser has one.
    """
    error = parsing_error(text)
    if isinstance(error, SyntaxError):
        return "too many nested parentheses" in error.msg
    return isinstance(error, (MemoryError, RecursionError))  # of others libcst raises an error


@lru_cache(maxsize=_RETAINED)
def parsing_error(text: str) -> Exception | None:
    """Return the error that Python 3 raises on parsing a text; None if it can be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return error.with_traceback(None)
    return None


def _mask_escape(lines: list[str], escape: Escape, prefix: str, magics: dict[str, str]) -> None:
    """Replace the lines of one escape; the statement of a `%time statement` stays to be seen."""
    line = lines[escape.first].removesuffix("\r")
    end = lines[escape.first][len(line) :]
    if timed := _TIMED.match(line):
        placeholder = f"{prefix}{len(magics)}_ = "
        magics[placeholder] = timed[2]
        lines[escape.first] = timed[1] + placeholder + line[timed.end() :] + end
        return
    start = line[: escape.column]
    placeholder = f"{prefix}{len(magics)}_"
    magics[placeholder] = line[len(start) :]
    lines[escape.first] = start + placeholder + end
    for number in range(escape.first + 1, escape.last + 1):
        line = lines[number].removesuffix("\r")
        placeholder = f"# {prefix}{len(magics)}_"
        magics[placeholder] = line
        lines[number] = placeholder + lines[number][len(line) :]
