"""Text in a code cell: it fails in every Python, so that its lines may become comments.

Only a cell in which no line looks like code counts: a mistake in code has to be corrected.
"""

from __future__ import annotations

import keyword
import re

_CODE = re.compile(r"[=\[\]{}\\@;`%!]|[A-Za-z_][.(]\w|\w\(\)|:[ \t]*$|^[ \t]*[\"']")
"""Signs of code: assignments, indices, calls, attributes, blocks, strings."""
_WORDS = re.compile(r"(?=\b([A-Za-z]{2,}) +([A-Za-z]{2,})\b)")
_NO_TEXT = frozenset(
    {*keyword.kwlist, "print", "exec", "pip", "conda", "cat", "cd", "cp", "echo", "ls", "mkdir"}
    | {"mv", "rm", "time", "timeit", "run", "who"}
)
"""Words that begin, or join, code of Python 2 or 3, or begin IPython's commands."""
_OF_SENTENCES = re.compile(r"\b(an|are|by|of|that|the|these|this|to|we)\b", re.IGNORECASE)
"""Words that names of variables, and commands such as `pip install`, do not contain."""


def is_text(source: str) -> bool:
    """Return whether a cell that cannot be parsed contains text rather than faulty code.

    No line may look like code, half of the lines must have two words in a row, and one a word of
    sentences.
    """
    lines = [line for line in source.splitlines() if line.strip()]
    if any(_CODE.search(line) or line.split()[0] in _NO_TEXT for line in lines):
        return False
    if not any(map(_OF_SENTENCES.search, lines)):
        return False
    return 2 * sum(map(_has_two_words, lines)) >= len(lines)


def _has_two_words(line: str) -> bool:
    return any(_NO_TEXT.isdisjoint(pair) for pair in _WORDS.findall(line))


def commented(source: str) -> str:
    """Return a cell's text with each line as a comment; empty lines stay."""
    return "".join(
        f"# {line}" if line.strip() else line for line in source.splitlines(keepends=True)
    )
