"""Messages as text.

`english.json` has the texts by code, sorted. `{name}` is the place of a parameter, `{name:how}`
sets its format (`written`). A list is the singular and the plural, chosen by `count`. `[a|b]` is
`a` in the panel, which names its inputs and buttons, else `b`, which names options of the command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from mle_modernizer_server.domain.message import Message, Parameter
from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.words.cells import CellNames

WORDS: Mapping[str, str | list[str]] = json.loads(
    Path(__file__).with_name("english.json").read_text("utf-8")
)
"""The texts by code."""
PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A parameter's place in a text, with its format if not the plain one."""
CLIENTS = re.compile(r"\[([^|\]]*)\|([^|\]]*)\]")
"""Words for the panel, and those for all others."""
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


def label(family: str, value: str, **parameters: Parameter) -> str:
    """Return the label of a value, of a family such as `leak`, with the parameters in their places.

    For an unknown value (of a newer version) return its code.
    """
    return one_text(Message(code=f"value.{family}.{value}", parameters=parameters))


def one_text(message: Message, cells: CellNames | None = None) -> str:
    """Return a message as text; for an unknown code (of a newer version) the code itself."""
    words = WORDS.get(message.code)
    if words is None:
        return str(message)
    if isinstance(words, list):
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

    return PLACE.sub(value, CLIENTS.sub(r"\2", words))


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
