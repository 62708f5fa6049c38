"""The names of metrics and data sets, and their matches in a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_COUNT = re.compile(r"\bsize$|\bnumber of\b|^(?:no\.|num\b|avg\.? (?:len|num))|\bcount$|^#")
_FILE = Path(__file__).with_name("vocabulary.yaml")


@dataclass(frozen=True)
class Metric:
    """A metric that a text names.

    Attributes:
        name: Its spelling there.
        kind: The common name of all its spellings.
        start: Its index in the text.
    """

    name: str
    kind: str
    higher_is_better: bool | None
    start: int


@cache
def _vocabulary() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(_FILE.read_text("utf-8"))
    return found


@cache
def _metric_kinds() -> dict[str, tuple[str, bool]]:
    return {
        name.casefold(): (kind, bool(entry["higher"]))
        for kind, entry in _vocabulary()["metrics"].items()
        for name in entry["names"]
    }


def _either(names: list[str]) -> str:
    """Return a pattern of whole words, the longest first; short capitals keep their case."""
    escaped = []
    for name in sorted(names, key=len, reverse=True):
        pattern = re.escape(name).replace(r"\ ", r"[\s-]")
        cased = len(name) <= 4 and not name.islower()
        escaped.append(pattern if cased else f"(?i:{pattern})")
    return rf"(?<![\w@-])(?:{'|'.join(escaped)})s?(?![\w])"


@cache
def _metric_pattern() -> re.Pattern[str]:
    names = [name for entry in _vocabulary()["metrics"].values() for name in entry["names"]]
    return re.compile(_either(names))


@cache
def _dataset_pattern() -> re.Pattern[str]:
    return re.compile(_either(_vocabulary()["datasets"]))


@cache
def _settings() -> frozenset[str]:
    return frozenset(name.casefold() for name in _vocabulary()["settings"])


def metrics_in(text: str) -> list[Metric]:
    """Return the metrics that a text names, in its order."""
    found = []
    for match in _metric_pattern().finditer(text):
        name = " ".join(match.group().casefold().split())
        spellings = (name, name.replace("-", " "), name.removesuffix("s"))
        kind = next((one for text in spellings if (one := _metric_kinds().get(text))), None)
        if kind:
            found.append(Metric(match.group(), kind[0], kind[1], match.start()))
    return found


def datasets_in(text: str) -> list[tuple[str, int]]:
    """Return a text's data sets and their indices: known ones, and those called a data set."""
    found = [(match.group(), match.start()) for match in _dataset_pattern().finditer(text)]
    for match in re.finditer(
        r"\b((?:[A-Z][\w'’#-]*\s){1,3})(?:[Dd]ata\s?[Ss]et|[Cc]orpus|[Bb]enchmark|[Dd]ata)\b", text
    ):
        name = match.group(1).strip()
        if name.lower() not in (
            "the",
            "this",
            "our",
            "we",
            "these",
            "each",
            "a",
            "training",
            "test",
        ):
            found.append((re.sub(r"^(?:The|On|For|In|Our|This)\s", "", name), match.start()))
    return sorted(found, key=lambda one: one[1])


def is_general(text: str) -> bool:
    """Return whether a heading names no subject (`performance`, `results`)."""
    return text.strip(" :").casefold() in _vocabulary()["general"]


def is_setting(text: str) -> bool:
    """Return whether a heading or row names a setting or a count, and no result."""
    plain = re.sub(r"[()↑↓%*:]|\^.*", " ", text).strip().casefold()
    return " ".join(plain.split()) in _settings() or bool(_COUNT.search(plain))
