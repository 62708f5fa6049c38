"""The era of a notebook: evidence combined to versions and years.

Evidence bounds a library's version or the time. Each bound on a version is one on the time, and
the other way round, by the table of releases. People do not update at once: a version counts as
usable for some time after the next one is out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mle_modernizer_server.domain.era import (
    Era,
    Evidence,
    LibraryEra,
    Standing,
    chosen_versions,
    chosen_year,
)
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.fixing.rules.era.releases import (
    History,
    Numbers,
    Release,
    histories,
    minor,
    month,
    numbers,
)

_STILL_USED = 12
"""Months a version is in use after the next one came out."""
_PYTHON_STILL_USED = 48
"""The same for Python, which people update far less often than a library."""
_SHOWN = 2
"""Libraries named in the summary."""
_FIRST = ("pandas", "sklearn", "numpy", "xgboost", "lightgbm", "keras", "tensorflow", "torch")
"""Priority of libraries with equal evidence."""


def combine(evidence: Sequence[Evidence], used: Sequence[str], chosen: str = "") -> Era:
    """Return the era that evidence indicates.

    Args:
        evidence: All evidence; items that contradict certain evidence are ignored.
        used: Import names of the libraries the notebook uses.
        chosen: The user's choice: then nothing else counts (but it is still reported).

    Raises:
        ValueError: `chosen` is no era.
    """
    counted = _chosen(chosen) if chosen else evidence
    span = _span(counted)
    sure = _span([item for item in counted if item.certain])
    names = list(dict.fromkeys([*(item.library for item in counted if item.library), *used]))
    found = []
    for name in names:
        history = histories().get(name)
        if history is not None:
            item = _library(name, history, counted, span, sure)
            if item is not None:
                found.append(item)
    found.sort(key=_Rank(counted))
    first = None if span.since is None else span.since // 12
    last = None if span.until is None else span.until // 12
    return Era(
        chosen=chosen,
        first_year=first,
        last_year=last,
        libraries=tuple(found),
        evidence=tuple(_telling(evidence)),
        used=tuple(used),
        summary=_summary(found[:_SHOWN], first, last),
    )


def with_choice(era: Era, chosen: str | None) -> Era:
    """Return the era of the same evidence with the user's choice, or without one.

    Raises:
        ValueError: `chosen` is no era.
    """
    return era if (chosen or "") == era.chosen else combine(era.evidence, era.used, chosen or "")


def standing(era: Era, library: str, since: str) -> Standing:
    """Return the relation of an era to a change that came with a version of a library."""
    item = era.of(library)
    if item is None:
        return Standing.UNKNOWN
    change = numbers(since)
    if item.surely and numbers(item.surely) >= change:
        return Standing.AFTER
    if item.last and numbers(item.last) < minor(change):
        return Standing.BEFORE
    return Standing.UNKNOWN


def is_probably_after(era: Era, library: str, since: str) -> bool:
    """Return whether all versions that fit the evidence, certain or not, have a change."""
    item = era.of(library)
    return item is not None and bool(item.first) and numbers(item.first) >= numbers(since)


def tells_python2(item: Evidence) -> bool:
    """Return whether the evidence is that the notebook is, or may be, written in Python 2."""
    return item.library == "python" and bool(item.below) and numbers(item.below) <= (3, 0)


def _ran_in_python2(evidence: Sequence[Evidence]) -> bool:
    """Return whether the code shows Python 2, or the kernel is one and no code contradicts it."""
    found = [item for item in evidence if tells_python2(item)]
    kernel = any(item.cell_id is None for item in found)
    newer = (item.library == "python" and numbers(item.at_least) >= (3, 0) for item in evidence)
    return any(item.certain for item in found) or (kernel and not any(newer))


def is_python2(era: Era) -> bool:
    """Return whether the notebook was certainly written in Python 2.

    The kernel in its metadata is not enough: people continued in Python 3 without changing it. The
    code has to show it, or the user to choose it.
    """
    if standing(era, "python", "3.0") is not Standing.BEFORE:
        return False
    return bool(era.chosen) or any(
        item.cell_id is not None and tells_python2(item) for item in era.evidence
    )


def headline(era: Era, environment: Environment) -> Messages:
    """Return the notebook's era and the installed versions as a message; empty if unknown."""
    if not era.summary:
        return ()
    named = [item.library.replace("python", "Python") for item in era.libraries[:_SHOWN]]
    versions = {"Python": environment.python, **environment.packages}
    now = [f"{name} {_short(versions[name])}" for name in named if name in versions]
    code = "era.you-say-written-for" if era.chosen else "era.written-for"
    if not era.chosen and _is_python2(era.libraries[:1]):
        code = "era.written-in"
    return coded(code, era=era.summary) + (coded("era.you-have", now=", ".join(now)) if now else ())


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


@dataclass(frozen=True)
class _Span:
    """The time in which the notebook may have been written, in months."""

    since: int | None = None
    until: int | None = None


def _chosen(text: str) -> list[Evidence]:
    year = chosen_year(text)
    if year is not None:
        return [Evidence(text=coded("era.you-say"), since=f"{year}-01", until=f"{year}-12")]
    return [
        exactly(name, version, coded("era.you-say"))
        for name, version in chosen_versions(text).items()
    ]


def exactly(library: str, version: str, text: Messages, cell_id: str | None = None) -> Evidence:
    """Return evidence for one minor version of a library."""
    first = minor(numbers(version))
    after = (first[0], first[1] + 1) if len(numbers(version)) > 1 else (first[0] + 1, 0)
    return Evidence(
        text=text,
        cell_id=cell_id,
        library=library,
        at_least=".".join(map(str, first)),
        below=".".join(map(str, after)),
    )


def _span(evidence: Sequence[Evidence]) -> _Span:
    """Return the time that all certain evidence allows, narrowed by other evidence that fits it."""
    span = _Span()
    for certain in (True, False):
        bounds = [_bounds(item) for item in evidence if item.certain is certain]
        since = max((one.since for one in bounds if one.since is not None), default=None)
        until = min((one.until for one in bounds if one.until is not None), default=None)
        if certain and since is not None and until is not None and since > until:
            # Old and new forms in one notebook: somebody fixed a part of it. The rest is old.
            since = None
        if since is not None and (span.until is None or since <= span.until):
            span = _Span(max(since, span.since or since), span.until)
        if until is not None and (span.since is None or until >= span.since):
            span = _Span(span.since, min(until, span.until or until))
    return span


def _bounds(item: Evidence) -> _Span:
    since = month(item.since) if item.since else None
    until = month(item.until) if item.until else None
    history = histories().get(item.library)
    if history is not None:
        if item.at_least and since is None:
            since = history.month_of(item.at_least)
        if item.below and until is None:
            out = history.month_of(item.below)
            until = None if out is None else out + _still_used(item.library)
    return _Span(since, until)


def _still_used(library: str) -> int:
    return _PYTHON_STILL_USED if library == "python" else _STILL_USED


def _library(
    name: str, history: History, evidence: Sequence[Evidence], span: _Span, sure: _Span
) -> LibraryEra | None:
    """Return the versions of a library that fit; None if they are unbounded."""
    of_it = [item for item in evidence if item.library == name]
    low, high = _versions(of_it)
    if history.python_3_only and _ran_in_python2(evidence):
        only = numbers(history.python_3_only)
        if low is None or low < only:
            high = min(only, high or only)
    if low is None and high is None and span == _Span():
        return None
    lag = _still_used(name)
    fitting = _fitting(history, low, high, span, lag)
    if not fitting:  # if evidence contradicts the time, the certain evidence counts
        sure_low, sure_high = _versions([item for item in of_it if item.certain])
        fitting = _fitting(history, sure_low, sure_high, _Span(), lag)
    if not fitting:
        return None
    surely = _fitting(history, low, None, _Span(sure.since, None), lag)
    first, last = fitting[0], fitting[-1]
    is_oldest, is_newest = first == history.releases[0], last == history.releases[-1]
    if is_oldest and is_newest:
        return None
    if name == "python" and last.numbers < (3,):
        text = coded("era.library-python-2", version=last.version)
    elif is_oldest:
        after = history.releases[len(fitting)].version
        text = coded("era.library-before", library=name, version=after)
    elif is_newest and first != last:
        text = coded("era.library-since", library=name, version=first.version)
    elif first == last:
        text = coded("era.library", library=name, version=first.version)
    else:
        text = coded("era.library-between", library=name, first=first.version, last=last.version)
    return LibraryEra(
        library=name,
        first="" if is_oldest else first.version,
        last="" if is_newest else last.version,
        surely=surely[0].version if surely and surely[0] != history.releases[0] else "",
        text=text,
    )


def _telling(evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """Yield the deciding evidence: of the bounds on a library's version, the narrowest ones."""
    for item in dict.fromkeys(evidence):
        of_it = [other for other in evidence if other.library and other.library == item.library]
        lows = [numbers(other.at_least) for other in of_it if other.at_least]
        highs = [numbers(other.below) for other in of_it if other.below]
        narrow = (item.at_least and numbers(item.at_least) == max(lows)) or (
            item.below and numbers(item.below) == min(highs)
        )
        if not item.library or item.since or item.until or narrow:
            yield item


def _versions(evidence: Sequence[Evidence]) -> tuple[Numbers | None, Numbers | None]:
    """Return the bounds of all certain evidence, narrowed by other evidence that fits them."""
    sure = [item for item in evidence if item.certain]
    low = max((numbers(item.at_least) for item in sure if item.at_least), default=None)
    high = min((numbers(item.below) for item in sure if item.below), default=None)
    if low is not None and high is not None and low >= high:
        low = None  # partly fixed: the old part counts
    # Evidence of a time as well (a kernel's version) is stronger than a name in the code.
    for item in sorted(evidence, key=lambda one: not one.since):
        if not item.certain:
            lower, upper = numbers(item.at_least), numbers(item.below)
            if lower and (high is None or lower < high):
                low = max(lower, low or lower)
            if upper and (low is None or upper > low):
                high = min(upper, high or upper)
    return low, high


def _fitting(
    history: History, low: Numbers | None, high: Numbers | None, span: _Span, lag: int
) -> list[Release]:
    def fits(one: Release) -> bool:
        return (
            (low is None or one.numbers >= minor(low))
            and (high is None or one.numbers < high)
            and (span.until is None or one.month <= span.until)
            and (span.since is None or one.until is None or one.until + lag > span.since)
        )

    return [one for one in history.releases if fits(one)]


class _Rank:
    """Sort key of libraries: those with certain evidence, then well-known ones first."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._told = {item.library for item in evidence if item.library and item.certain}

    def __call__(self, item: LibraryEra) -> tuple[bool, bool, int]:
        place = _FIRST.index(item.library) if item.library in _FIRST else len(_FIRST)
        is_python2 = _is_python2((item,))
        is_python3 = item.library == "python" and not is_python2
        return (is_python3, item.library not in self._told, -1 if is_python2 else place)


def _is_python2(libraries: Sequence[LibraryEra]) -> bool:
    """Return whether the first of these is Python 2."""
    return bool(libraries) and libraries[0].library == "python" and libraries[0].last[:1] == "2"


def _summary(shown: Sequence[LibraryEra], first: int | None, last: int | None) -> Messages:
    years = _years(first, last)
    if not shown:
        return years
    if _is_python2(shown) and len(shown) > 1 and years:
        rest = shown[1].text
        return coded(
            "era.python-2-years-and-libraries", python=shown[0].text, years=years, libraries=rest
        )
    named = shown[0].text
    for item in shown[1:]:
        named = coded("era.libraries", first=named, second=item.text)
    return coded("era.libraries-and-years", libraries=named, years=years) if years else named


def _years(first: int | None, last: int | None) -> Messages:
    if first is not None and last is not None:
        if first == last:
            return coded("era.year", year=first)
        return coded("era.years", first=first, last=last)
    if first is not None:
        return coded("era.year-or-later", year=first)
    return () if last is None else coded("era.year-or-earlier", year=last)
