"""Text → numbers as papers print them: `82.60±0.17`, `1,024`, `3.3 · 10^18`, `.91 (.02)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKS = r"[\s*†‡§∗⋆^_{}$~≈<>≤≥↑↓\\]*"
_SIGNED = r"[-+−–]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[-+−–]?\.\d+"
_NUMBER = re.compile(
    rf"(?P<value>{_SIGNED})\s*(?:[·×*x]\s*10\s*\^?\s*\{{?(?P<power>[-−+]?\d{{1,3}})\}}?"
    r"|[eE](?P<exponent>[-+−]?\d{1,3})(?![A-Za-z]))?\s*(?P<percent>\\?%)?"
    r"(?:\s*(?:±|\+/-|\+-|\\pm)\s*(?P<spread>\d*\.?\d+)\s*(?P<percent2>%)?"
    r"|\s*\((?:±\s*)?(?P<bracket>\d*\.\d+)\))?"
)
_ONLY = re.compile(rf"^{_MARKS}(?:{_NUMBER.pattern}){_MARKS}(?P<unit>[kKMB]|ms|s|h|dB)?{_MARKS}$")


@dataclass(frozen=True)
class Number:
    """A number as printed.

    Attributes:
        decimals: Digits after the point.
        start: Its index in the text.
    """

    value: float
    printed: str
    decimals: int
    percent: bool
    spread: float | None
    start: int
    end: int
    unit: str = ""


def cell_numbers(text: str) -> list[Number]:
    """Return the numbers of a cell of only numbers; several are separated by `/` or `|`."""
    parts = re.split(r"\s*[/|]\s*", _without_notes(text))
    found = [_ONLY.match(part) for part in parts]
    if not all(found) or len(parts) > 4:
        return []
    return [_number(match) for match in found if match]


def numbers_in(text: str) -> list[Number]:
    """Return the numbers of a sentence that are words of their own, not part of a name."""
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        before = text[match.start() - 1 : match.start()]
        end = match.start() + len(match.group().rstrip())
        after = text[end : end + 1]
        joined = before.isalnum() or before in ("-", "_", "@", ".", "[", "/", "#", "^")
        if joined or after.isalpha() or after in ("_", "@", "]", "^"):
            continue
        found.append(_number(match))
    return found


def _without_notes(text: str) -> str:
    """Return a cell's text without footnote marks, citations, and a change such as `(+1.2)`."""
    text = re.sub(r"\[(?:@|\d)[^\]]*\]", "", text)
    text = re.sub(r"\((?:[-+−]|↑|↓)\s*\d*\.?\d+\s*%?\)", "", text)
    text = re.sub(r"(?<=\d)\^(?:\{?[a-z*†‡∗⋆♦♣♠,]+\}?)", "", text)
    return text.strip()


def _number(match: re.Match[str]) -> Number:
    raw = match["value"].replace(",", "").replace("−", "-").replace("–", "-")
    power = match["power"] or match["exponent"]
    value = float(raw) * (10.0 ** int(power.replace("−", "-")) if power else 1.0)
    spread = match["spread"] or match["bracket"]
    return Number(
        value=value,
        printed=match.group().strip(),
        decimals=len(raw.partition(".")[2]),
        percent=bool(match["percent"] or match["percent2"]),
        spread=float(spread) if spread else None,
        start=match.start("value"),
        end=match.start() + len(match.group().rstrip()),
        unit=match.groupdict().get("unit") or "",
    )
