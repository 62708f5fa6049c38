"""Text of notebooks and models, made fit for a terminal."""

from __future__ import annotations

from mle_modernizer_server.domain.traceback import without_escapes


def harmless(text: str) -> str:
    """The text without escape sequences and control characters, which could rewrite the screen.

    Line breaks and tabs stay.
    """
    plain = without_escapes(text)
    return "".join(char if char.isprintable() or char in "\n\t" else "�" for char in plain)


def one_line(text: str, limit: int = 200) -> str:
    """The text on one line, cut to a length."""
    flat = " ".join(harmless(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
