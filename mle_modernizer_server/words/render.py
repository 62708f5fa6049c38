"""Messages as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from mle_modernizer_server.domain.message import Message, Parameter
from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.words.cells import CellNames
from mle_modernizer_server.words.english import WORDS
from mle_modernizer_server.words.labels import LABELS

PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A parameter's place in a text, with its format if not the plain one."""
_CELLS = ("cell", "cells", "needs")
"""Names of the parameters that are cells: positions or ids."""
FORMATS = ("thousands", "precise", "short", "rough", "percent", "duration", "clause")


def text(messages: Iterable[Message], cells: CellNames | None = None) -> str:
    """Return messages as one text, sentence after sentence.

    Args:
        messages: The messages.
        cells: Names of the cells that they mention; None leaves positions.
    """
    return " ".join(filter(None, (one_text(message, cells) for message in messages)))


def label(
    family: str, value: str, parameters: Mapping[str, Parameter] = MappingProxyType({})
) -> str:
    """Return the label of a value, with the parameters in their places.

    Raises:
        KeyError: The family has no such value.
    """
    return filled(LABELS[family][value], parameters)


def one_text(message: Message, cells: CellNames | None = None) -> str:
    """Return a message as text; for an unknown code (of a newer version) the code itself."""
    words = WORDS.get(message.code)
    if words is None:
        return str(message)
    if isinstance(words, tuple):
        words = words[0] if message.parameters.get("count") == 1 else words[1]
    return filled(words, message.parameters, cells)


def filled(words: str, parameters: Mapping[str, Parameter], cells: CellNames | None = None) -> str:
    """Return a text with the parameters in their places."""
    # "Cell 7 of 23" counts cells; it names none.
    named = _CELLS if cells is not None and "of" not in parameters else ()

    def value(place: re.Match[str]) -> str:
        given = parameters.get(place[1], "?")
        if cells is not None and place[1] in named and not isinstance(given, tuple):
            return cells.each(given)
        return written(given, place[2] or "", cells)

    return PLACE.sub(value, words)


def written(value: Parameter, how: str = "", cells: CellNames | None = None) -> str:
    """Return a parameter as text.

    Args:
        value: The parameter; numbers have five significant digits.
        how: `thousands` (12,345), `precise` (six digits), `short` (two), `rough` (a whole number),
            `percent` (of a share), `duration` (of seconds), `clause` (words within a
            sentence, without a full stop).
        cells: Names of the cells that messages within it mention.
    """
    if isinstance(value, (tuple, str)):
        words = value if isinstance(value, str) else text(value, cells)
        return words.rstrip(".") if how == "clause" else words
    if how == "thousands":
        return f"{value:,}"
    if how == "rough":
        return f"{value:.0f}"
    if how == "percent":
        return f"{value:.0%}"
    if how == "duration":
        return duration(value)
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return str(int(value))
    digits = {"precise": 6, "short": 2}.get(how, 5)
    return f"{value:.{digits}g}"
