"""Messages as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mle_modernizer_server.domain.message import Message, Parameter
from mle_modernizer_server.words.english import WORDS

PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A parameter's place in a text, with its format if not the plain one."""
FORMATS = ("thousands", "precise", "short", "rough", "percent", "clause")


def text(messages: Iterable[Message]) -> str:
    """Return messages as one text, sentence after sentence."""
    return " ".join(filter(None, map(one_text, messages)))


def one_text(message: Message) -> str:
    """Return a message as text; for an unknown code (of a newer version) the code itself."""
    words = WORDS.get(message.code)
    if words is None:
        return str(message)
    if isinstance(words, tuple):
        words = words[0] if message.parameters.get("count") == 1 else words[1]
    return filled(words, message.parameters)


def filled(words: str, parameters: Mapping[str, Parameter]) -> str:
    """Return a text with the parameters in their places."""
    return PLACE.sub(lambda place: written(parameters.get(place[1], "?"), place[2] or ""), words)


def written(value: Parameter, how: str = "") -> str:
    """Return a parameter as text.

    Args:
        value: The parameter; numbers have five significant digits.
        how: `thousands` (12,345), `precise` (six digits), `short` (two), `rough` (a whole number),
            `percent` (of a share), `clause` (words within a sentence, without a full stop).
    """
    if isinstance(value, (tuple, str)):
        words = value if isinstance(value, str) else text(value)
        return words.rstrip(".") if how == "clause" else words
    if how == "thousands":
        return f"{value:,}"
    if how == "rough":
        return f"{value:.0f}"
    if how == "percent":
        return f"{value:.0%}"
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return str(int(value))
    digits = {"precise": 6, "short": 2}.get(how, 5)
    return f"{value:.{digits}g}"
