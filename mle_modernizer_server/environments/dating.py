"""The day and the Python of a notebook's own time, and bounds on its libraries, from its era."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from mle_modernizer_server.domain.era import Era, Traces
from mle_modernizer_server.environments.distributions import distribution_of
from mle_modernizer_server.environments.pythons import python_of_date


def day_of(traces: Traces, era: Era) -> date | None:
    """Return the day up to which packages are taken; None if there is no evidence of the time.

    The newest date in the notebook's file if there is one, unless the user named a time; else the
    middle of the years its evidence allows.
    """
    days = [day for text in traces.dates if (day := _day(text)) is not None]
    if days and not era.chosen:
        return max(days)
    first, last = era.first_year or era.last_year, era.last_year or era.first_year
    if first is None or last is None:
        return None
    begin, end = date(first, 1, 1), date(last, 12, 31)
    return min(begin + (end - begin) / 2, date.today() - timedelta(days=1))


def python_of(traces: Traces, day: date, releases: Mapping[str, str]) -> str:
    """Return the Python that wrote the notebook; if its file does not name one, that of its day."""
    match = re.match(r"(\d+\.\d+)", traces.python)
    return match[1] if match else python_of_date(day, releases)


def bounds_of(era: Era) -> dict[str, str]:
    """Return the version specifiers by distribution, from the evidence on each library."""
    found = {}
    for item in era.libraries:
        name = distribution_of(item.library)
        parts = [f">={item.first}"] if item.first else []
        last = re.fullmatch(r"(\d+)\.(\d+)", item.last)
        parts += [f"<{last[1]}.{int(last[2]) + 1}"] if last else []
        if name is not None and parts and item.library != "IPython":
            found[name] = ",".join(parts)
    return found


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
