"""Limit a cell's outputs, so that no notebook can fill our memory."""

from __future__ import annotations

import json
import re
from typing import Any

TEXT_LIMIT = 1_000_000
"""Stored characters of one cell's text: half of it from the start, half from the end."""
RICH_LIMIT = 10_000_000
"""Stored bytes of one cell's pictures, tables and other rich outputs: of whole messages, with their
metadata and names."""
RUN_LIMIT = 100_000_000
"""Stored bytes of all outputs of a run."""
COUNT_LIMIT = 1_000
"""Stored outputs of one cell."""
LARGEST_PART = 32_000_000
"""Bytes of a part of a message that is parsed; the content of a larger message is left out."""
TRACEBACK_LIMIT = 20_000
"""Stored characters of a traceback."""
EVALUE_LIMIT = 4_000
"""Stored characters of an error's message."""
ENAME_LIMIT = 200
"""Stored characters of an error's name."""
_EACH = 500
"""Bytes that an output takes besides its content."""

_WARNING = re.compile(
    r"(?:^|: )(?:\w+\.)*(\w*(?:Warning|ChainedAssignmentError): \S.*)$", re.MULTILINE
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_WARNINGS_KEPT = 20
_WARNING_LENGTH = 500


def clean(text: str) -> str:
    """Return the text without lone surrogates, which no UTF-8 file or database accepts."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unpacked(part: bytes | str) -> dict[str, Any]:
    """Parse a part of a kernel's message, which a notebook may have written itself.

    Args:
        part: JSON.

    Returns:
        The mapping, its texts `clean`; an empty one if it is none, too large or nested too deep.
    """
    if len(part) > LARGEST_PART:
        return {}
    text = part.decode("utf-8", "replace") if isinstance(part, bytes) else part
    try:
        found = json.loads(text)
        if _SURROGATE.search(text):
            found = json.loads(clean(json.dumps(found, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def cut(text: str, limit: int) -> str:
    """Return head and tail of a text longer than `limit` characters, with a note between."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


def bounded_traceback(lines: list[str]) -> tuple[str, ...]:
    """Return a traceback's lines, without the middle if it is too long.

    Args:
        lines: As the kernel sent them: each may hold several lines of text.
    """
    text = clean("\n".join(lines))
    return tuple(cut(text, TRACEBACK_LIMIT).split("\n"))


def warnings_in(stderr: str) -> tuple[str, ...]:
    """Return the distinct warnings of a text as Python prints them, `SomeWarning: message`."""
    found = (match.group(1).strip()[:_WARNING_LENGTH] for match in _WARNING.finditer(stderr))
    return tuple(dict.fromkeys(found))[:_WARNINGS_KEPT]


class RunBudget:
    """The sizes of the stored outputs of a run.

    Attributes:
        kept: Bytes of all its cells.
    """

    def __init__(self) -> None:
        self.kept = 0
        self._cells: dict[str, OutputBudget] = {}

    def begin(self, cell_id: str) -> OutputBudget:
        """Return a new account for a cell that starts; its earlier outputs are removed."""
        self.of(cell_id).clear()
        self._cells[cell_id] = OutputBudget(self)
        return self._cells[cell_id]

    def of(self, cell_id: str) -> OutputBudget:
        """Return the account of a cell."""
        return self._cells.setdefault(cell_id, OutputBudget(self))


class OutputBudget:
    """The size of what one cell has put out so far, and the end of the text beyond the limit."""

    def __init__(self, run: RunBudget) -> None:
        self._run = run
        self._text = 0
        self._rich = 0
        self._count = 0
        self._left_out = 0
        self._tail = ""

    def text_room(self) -> int:
        """Return how many characters of text still go in at the start."""
        return max(0, min(TEXT_LIMIT // 2 - self._text, RUN_LIMIT - self._run.kept))

    def add_text(self, size: int) -> None:
        """Count stored text."""
        self._text += size
        self._run.kept += size

    def overflow(self, text: str) -> None:
        """Take text beyond the limit; only its end is stored."""
        self._left_out += len(text)
        self._tail = (self._tail + text[-TEXT_LIMIT // 2 :])[-TEXT_LIMIT // 2 :]

    def leave_out(self, size: int) -> None:
        """Count bytes that are dropped."""
        self._left_out += size

    def takes(self, size: int) -> bool:
        """Count a further output of so many bytes; return whether there was room for it."""
        if self._count >= COUNT_LIMIT or not self.resize(size + _EACH):
            self.leave_out(size)
            return False
        self._count += 1
        return True

    def resize(self, change: int) -> bool:
        """Count outputs that grow or shrink by so many bytes; return whether there was room."""
        if change > 0 and not self.fits(change):
            return False
        self._rich += change
        self._run.kept += change
        return True

    def fits(self, size: int) -> bool:
        """Return whether there is room for so many bytes more."""
        return self._rich + size <= RICH_LIMIT and self._run.kept + size <= RUN_LIMIT

    def clear(self) -> None:
        """Forget all outputs."""
        self._run.kept -= self._text + self._rich
        self._text = self._rich = self._count = self._left_out = 0
        self._tail = ""

    def closing(self) -> str:
        """Return the end of the cell's output: the omitted size, and the last text; else ""."""
        if not self._left_out:
            return ""
        room = max(0, RUN_LIMIT - self._run.kept)
        tail, self._tail = self._tail[max(0, len(self._tail) - room) :], ""
        missing = self._left_out - len(tail)
        self.add_text(len(tail))
        if missing <= 0:
            return tail
        return f"\n… {missing} characters of output left out …\n{tail}"
