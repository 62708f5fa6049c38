"""Durations, counts, equal digits, missing values; texts without escape sequences."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_CLOSE = 1e-6
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")


def duration(seconds: float) -> str:
    """Return a duration as people say it: `0.4 s`, `72 s`, `10 min`, `2 min 30 s`, `1 h 30 min`.

    Args:
        seconds: Not negative.
    """
    if seconds < 9.95:
        return f"{seconds:.2g} s"
    whole = math.floor(seconds + 0.5)
    if whole < 120:
        return f"{whole} s"
    if whole < 3_600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def counted(count: int, noun: str) -> str:
    """Return a number of things whose plural ends in *s*: `1 run`, `1,200 runs`."""
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def same_text(one: str, other: str) -> bool:
    """Return whether two texts are equal; fractions in them may differ in their last digits."""
    if one == other:
        return True
    if _NUMBER.split(one) != _NUMBER.split(other):
        return False
    return all(map(_near, _NUMBER.findall(one), _NUMBER.findall(other)))


def _near(one: str, other: str) -> bool:
    if one == other:
        return True
    whole = one.lstrip("+-").isdigit() and other.lstrip("+-").isdigit()
    return not whole and math.isclose(float(one), float(other), rel_tol=_CLOSE)


BEFORE_PANDAS_2 = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
    *("<NA>", "N/A", "NA", "NULL", "NaN", "n/a", "nan", "null"),
)
"""Texts that read_csv read as missing values until None was added.

https://pandas.pydata.org/docs/whatsnew/v2.0.0.html
"""
_CELL = re.compile(rb'(?:^|[,;\t|\n])"?None"?(?=[,;\t|\r\n]|\Z)')


def holds_none(table: bytes) -> bool:
    """Return whether a table with separators, or a part of it, has the text None as a cell."""
    return _CELL.search(table) is not None


_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])")


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def without_escapes(text: str) -> str:
    """Return the text without terminal escape sequences: colours, titles, cursor movements."""
    return _ESCAPE.sub("", text)


def without_controls(text: str) -> str:
    """Return the text without escape sequences and control characters but line breaks and tabs."""
    return _CONTROL.sub("", without_escapes(text))


def plain_text(traceback: Sequence[str]) -> str:
    """Return a traceback as one text without colours."""
    return without_escapes("\n".join(traceback))
