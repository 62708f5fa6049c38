"""Positions of the values in a JSON text, to replace one and leave the rest unchanged."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Span:
    """A value's place: `text[start:end]`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the value's own text."""
        return text[self.start : self.end]


def value_span(text: str, at: int = 0) -> Span:
    """Return the span of the value that begins at or after white space at a position.

    Raises:
        json.JSONDecodeError: There is none.
    """
    start = _skip(text, at)
    _, end = _DECODER.raw_decode(text, start)
    return Span(start, end)


def members(text: str, span: Span) -> dict[str, Span]:
    """Return the values of an object by key; the last one of a repeated key, like JSON readers.

    Raises:
        ValueError: The value is no object.
    """
    found: dict[str, Span] = {}
    at = _open(text, span, "{")
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        colon = _skip(text, end)
        value = value_span(text, colon + 1)
        found[key] = value
        at = _next(text, value.end)
    return found


def elements(text: str, span: Span) -> list[Span]:
    """Return the values of an array.

    Raises:
        ValueError: The value is no array.
    """
    found: list[Span] = []
    at = _open(text, span, "[")
    while text[at] != "]":
        value = value_span(text, at)
        found.append(value)
        at = _next(text, value.end)
    return found


def _open(text: str, span: Span, bracket: str) -> int:
    if text[span.start] != bracket:
        raise ValueError(f"there is no {bracket} at {span.start}")
    return _skip(text, span.start + 1)


def _next(text: str, at: int) -> int:
    """Behind a value: the next value, or the closing bracket."""
    at = _skip(text, at)
    return _skip(text, at + 1) if text[at] == "," else at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()
