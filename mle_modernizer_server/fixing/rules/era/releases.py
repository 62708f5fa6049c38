"""Release dates of the libraries' versions, and the names they added: `releases.yaml`, loaded
once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import yaml

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Release:
    """The first final release of a minor version."""

    version: str
    numbers: Numbers
    month: int
    """Counted from year 0, like all months here."""
    until: int | None
    """Month in which the next one came out; None for the newest."""


@dataclass(frozen=True)
class History:
    """Release history of a library.

    Attributes:
        releases: Oldest first.
        introduced: The version that added an address (`sklearn.impute`).
        methods: The version that added a method that only this library's objects have.
        python_3_only: The first version that does not run in Python 2; empty if unknown.
    """

    releases: tuple[Release, ...]
    introduced: dict[str, str]
    methods: dict[str, str]
    python_3_only: str = ""

    def month_of(self, version: str) -> int | None:
        """Return the month of a version's release; if not listed, of the next listed version."""
        wanted = minor(numbers(version))
        return next((one.month for one in self.releases if one.numbers >= wanted), None)


@cache
def histories() -> dict[str, History]:
    """Return the release history of each library, by import name.

    Raises:
        ValueError: The file contradicts itself: releases out of order.
    """
    text = (resources.files(__package__) / "releases.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content = yaml.load(text, Loader=loader)["libraries"]
    return {library: _history(library, item) for library, item in content.items()}


def _history(library: str, item: dict[str, Any]) -> History:
    releases: dict[str, str] = item["releases"]
    listed = [(version, numbers(version), month(at)) for version, at in releases.items()]
    for (_, older, before), (_, newer, after) in pairwise(listed):
        if older >= newer or before > after:
            raise ValueError(f"the releases of {library} are out of order at {newer}")
    ends = [*(at for _, _, at in listed[1:]), None]
    return History(
        releases=tuple(
            Release(version, parts, at, end)
            for (version, parts, at), end in zip(listed, ends, strict=True)
        ),
        introduced=item.get("introduced", {}),
        methods=item.get("methods", {}),
        python_3_only=item.get("python_3_only", ""),
    )


def numbers(version: str) -> Numbers:
    """Return the release numbers of a version, for comparison: `1.9.1` → (1, 9, 1)."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def minor(parts: Numbers) -> Numbers:
    """Return major and minor number: (1, 9, 1) → (1, 9), (2,) → (2, 0)."""
    return (*parts, 0)[:2]


def month(text: str) -> int:
    """Return `2017-05` (or a longer date, or only a year) as a number of months."""
    year, _, rest = text.partition("-")
    return int(year) * 12 + (int(rest[:2]) - 1 if rest else 0)


def month_text(number: int) -> str:
    """Return the text of a month: the reverse of `month`."""
    return f"{number // 12:04d}-{number % 12 + 1:02d}"
