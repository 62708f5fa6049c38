"""Keeps what a cell puts out within bounds, so that no notebook can fill our memory."""

from __future__ import annotations

import json
import re
from typing import Any

TEXT_LIMIT = 1_000_000
"""Characters of text kept of one cell: half of it from the start, half from the end."""
RICH_LIMIT = 10_000_000
"""Characters of pictures, tables and other rich outputs kept of one cell."""
COUNT_LIMIT = 1_000
"""Outputs kept of one cell."""
TRACEBACK_LIMIT = 20_000
"""Characters kept of a traceback."""
EVALUE_LIMIT = 4_000
"""Characters kept of an error's message."""

_WARNING = re.compile(
    r"(?:^|: )(?:\w+\.)*(\w*(?:Warning|ChainedAssignmentError): \S.*)$", re.MULTILINE
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_WARNINGS_KEPT = 20
_WARNING_LENGTH = 500


def clean(text: str) -> str:
    """The text without lone surrogates, which no UTF-8 file or database takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unpacked(part: bytes | str) -> dict[str, Any]:
    """A part of a kernel's message, which a notebook may have written itself.

    Args:
        part: JSON.

    Returns:
        The mapping, its texts `clean`; an empty one where it is none or nested too deep.
    """
    text = part.decode("utf-8", "replace") if isinstance(part, bytes) else part
    try:
        found = json.loads(text)
        if _SURROGATE.search(text):
            found = json.loads(clean(json.dumps(found, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def cut(text: str, limit: int) -> str:
    """Head and tail of a text that is longer than `limit` characters, with a note between."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


def bounded_traceback(lines: list[str]) -> tuple[str, ...]:
    """A traceback's lines, the middle left out where it is too long.

    Args:
        lines: As the kernel sent them: each may hold several lines of text.
    """
    text = clean("\n".join(lines))
    return tuple(cut(text, TRACEBACK_LIMIT).split("\n"))


def warnings_in(stderr: str) -> tuple[str, ...]:
    """The distinct warnings of a text as Python prints them, `SomeWarning: message`."""
    found = (match.group(1).strip()[:_WARNING_LENGTH] for match in _WARNING.finditer(stderr))
    return tuple(dict.fromkeys(found))[:_WARNINGS_KEPT]


class OutputBudget:
    """What one cell has put out so far, and the end of what went over the limit."""

    def __init__(self) -> None:
        self.text = 0
        self.rich = 0
        self.count = 0
        self.left_out = 0
        self._tail = ""

    def text_room(self) -> int:
        """Characters of text that still go in at the start."""
        return max(0, TEXT_LIMIT // 2 - self.text)

    def overflow(self, text: str) -> None:
        """Take text that found no room; only its end is kept."""
        self.left_out += len(text)
        self._tail = (self._tail + text[-TEXT_LIMIT // 2 :])[-TEXT_LIMIT // 2 :]

    def takes(self, output: dict[str, Any]) -> bool:
        """Count a rich output and say whether there was room for it."""
        size = sum(len(str(value)) for value in output.get("data", {}).values())
        if self.count >= COUNT_LIMIT or self.rich + size > RICH_LIMIT:
            self.left_out += size
            return False
        self.count += 1
        self.rich += size
        return True

    def closing(self) -> str:
        """What ends the cell's output: a sentence on what was left out, and the last text."""
        if not self.left_out:
            return ""
        missing = self.left_out - len(self._tail)
        if missing <= 0:
            return self._tail
        return f"\n… {missing} characters of output left out …\n{self._tail}"
