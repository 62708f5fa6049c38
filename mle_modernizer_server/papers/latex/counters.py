"""LaTeX's counters: how sections, tables and theorems are numbered, and how a number is printed."""

from __future__ import annotations

import re
from collections.abc import Callable

_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_WITHIN = {"subsection": "section", "subsubsection": "subsection"}
_ARTICLE = {
    "section": r"\arabic{section}",
    "subsection": r"\thesection.\arabic{subsection}",
    "subsubsection": r"\thesubsection.\arabic{subsubsection}",
}
_IEEE = {
    "section": r"\Roman{section}",
    "subsection": r"\thesection-\Alph{subsection}",
    "subsubsection": r"\thesubsection\arabic{subsubsection}",
    "table": r"\Roman{table}",
}
_PRINTED = re.compile(r"\\(arabic|Roman|roman|Alph|alph)\s*\{(\w+)\}|\\the([A-Za-z]+)")
_MOST_WITHIN = 50
"""Counters that count within others."""
_LONGEST = 100
"""Characters of a printed number."""


def roman(value: int) -> str:
    """Return a number below 90 as `XIV`; the usual digits otherwise."""
    if not 0 < value < 90:
        return str(value)
    text = ""
    for worth, letters in _ROMAN:
        text += letters * (value // worth)
        value %= worth
    return text


def _letter(value: int) -> str:
    return chr(64 + value) if 0 < value <= 26 else str(value)


_WAYS: dict[str, Callable[[int], str]] = {
    "arabic": str,
    "Roman": roman,
    "roman": lambda value: roman(value).lower(),
    "Alph": _letter,
    "alph": lambda value: _letter(value).lower(),
}


class Counters:
    """The counters of a document.

    Args:
        ieee: Whether its class is IEEE's, which numbers `II-A`.
    """

    def __init__(self, *, ieee: bool = False) -> None:
        self._values: dict[str, int] = {}
        self._within: dict[str, str] = dict(_WITHIN)
        self._formats: dict[str, str] = _ARTICLE | (_IEEE if ieee else {})

    def define(self, name: str, within: str = "") -> None:
        """Add a counter; one that counts within another begins anew with it."""
        if within and len(self._within) < _MOST_WITHIN and name not in self._outer(within):
            self._within[name] = within
            self._formats[name] = rf"\the{within}.\arabic{{{name}}}"

    def _outer(self, name: str) -> list[str]:
        """Return a counter and the counters that contain it."""
        found = [name]
        while found[-1] in self._within:
            found.append(self._within[found[-1]])
        return found

    def set(self, name: str, value: int) -> None:
        """Set a counter, as `\\setcounter` does; those that count within it begin anew."""
        self._values[name] = value
        for inner, outer in self._within.items():
            if outer == name:
                self.set(inner, 0)

    def print_as(self, name: str, format: str) -> None:
        r"""Set the format of a counter from now on, as `\renewcommand{\thesection}` does."""
        self._formats[name] = format[:200]

    def step(self, name: str) -> str:
        """Return the next number of a counter, as printed."""
        self.set(name, self._values.get(name, 0) + 1)
        return self.text(name)

    def text(self, name: str) -> str:
        """Return a counter as printed."""
        return self._printed(name, {})

    def begin_appendix(self) -> None:
        """Count sections with letters, from A on."""
        self.set("section", 0)
        self.print_as("section", r"\Alph{section}")

    def _printed(self, name: str, known: dict[str, str]) -> str:
        """Return a counter as printed; empty if its format refers to itself."""

        def one(match: re.Match[str]) -> str:
            if match.group(3):
                return self._printed(match.group(3), known)
            return _WAYS[match.group(1)](self._values.get(match.group(2), 0))

        if name not in known:
            known[name] = ""
            format = self._formats.get(name, rf"\arabic{{{name}}}")
            known[name] = re.sub(r"[\\{}]", "", _PRINTED.sub(one, format)).strip()[:_LONGEST]
        return known[name]
