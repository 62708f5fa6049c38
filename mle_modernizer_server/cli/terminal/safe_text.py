"""Text of notebooks and models, made fit for a terminal."""

from __future__ import annotations

import sys

from mle_modernizer_server.domain.message import Message, Messages
from mle_modernizer_server.domain.traceback import without_escapes
from mle_modernizer_server.words import one_text, text


def harmless(text: str) -> str:
    """The text without escape sequences and control characters, which could rewrite the screen.

    Line breaks and tabs stay.
    """
    plain = without_escapes(text)
    return "".join(char if char.isprintable() or char in "\n\t" else "�" for char in plain)


def plain(said: str | Message | Messages) -> str:
    """A text as it is, messages in words."""
    if isinstance(said, str):
        return said
    return one_text(said) if isinstance(said, Message) else text(said)


def one_line(said: str | Message | Messages, limit: int = 200) -> str:
    """A text or messages on one line, cut to a length."""
    flat = " ".join(harmless(plain(said)).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def note(text: str) -> None:
    """Print something to know that stops nothing, on standard error."""
    print(f"Note: {harmless(text)}", file=sys.stderr)
