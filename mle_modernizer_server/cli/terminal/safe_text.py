"""Text of notebooks and models, made fit for a terminal."""

from __future__ import annotations

import re
import sys
from io import TextIOWrapper

from mle_modernizer_server.domain.message import Message, Messages
from mle_modernizer_server.domain.text import without_escapes
from mle_modernizer_server.words import CellNames, one_text, text

_DRAWN = re.compile(r"(\x1b\[(?:[0-9;]*m|[0-9]*[AK]|\?25[hl]))")
"""The sequences our own screens are drawn with: colours, a line up, a line erased, the cursor."""
_CONTROL = re.compile(r"[\x00-\x06\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def harmless(text: str) -> str:
    """Return the text without escape sequences and control characters, which could rewrite the
    screen.

    Line breaks and tabs stay.
    """
    plain = without_escapes(text)
    return "".join(char if char.isprintable() or char in "\n\t" else "�" for char in plain)


def plain(said: str | Message | Messages, cells: CellNames | None = None) -> str:
    """Return a text as it is, messages in words."""
    if isinstance(said, str):
        return said
    return one_text(said, cells) if isinstance(said, Message) else text(said, cells)


def one_line(
    said: str | Message | Messages, limit: int = 200, cells: CellNames | None = None
) -> str:
    """Return a text or messages on one line, cut to a length.

    Args:
        said: The text or the messages.
        limit: Characters.
        cells: Names of the cells that messages mention.
    """
    flat = " ".join(harmless(plain(said, cells)).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def note(text: str) -> None:
    """Print something to know that stops nothing, on standard error."""
    print(f"Note: {harmless(text)}", file=sys.stderr)


class GuardedTerminal(TextIOWrapper):
    """A terminal that accepts only the control sequences of our own screens.

    The last defence, behind `harmless`: a text that was not made harmless sets no title, fills no
    clipboard, queries nothing from the terminal and clears no screen.

    Args:
        terminal: The stream that it replaces; that one is not used otherwise.
    """

    def __init__(self, terminal: TextIOWrapper) -> None:
        terminal.flush()
        super().__init__(
            terminal.buffer, encoding=terminal.encoding, errors="replace", line_buffering=True
        )

    def write(self, text: str) -> int:
        """Write the text without control sequences; return its length."""
        parts = _DRAWN.split(text)
        parts[::2] = (_CONTROL.sub("�", part) for part in parts[::2])
        super().write("".join(parts))
        return len(text)
