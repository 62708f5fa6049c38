"""Which rows of a table go into the sample."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mle_modernizer_server.execution.sampling.columns import FEW, counts
from mle_modernizer_server.execution.sampling.survey import PER_CLASS, Survey

_PER_CATEGORY = 3
_FEW_CLASSES = 200
_SPREAD = 0.75
"""Share of the rows that are taken evenly before rare values are looked for."""


def choose(
    found: Survey, rows: int, *, preferred: Collection[int] | None = None, most: int | None = None
) -> set[int]:
    """Choose rows spread over a table, some of every class and every rare category.

    Args:
        found: The table.
        rows: About how many.
        preferred: Rows to take before all others; None: all are alike.
        most: At most so many for the sake of rare values; twice `rows` if None.

    Returns:
        Places of rows, all of them among the stored ones.
    """
    pool = sorted(found.fields if preferred is None else preferred)
    chosen = set(spread(pool, int(rows * _SPREAD)))
    if len(chosen) < rows * _SPREAD:
        rest = sorted(set(found.fields) - set(pool))
        chosen |= set(spread(rest, int(rows * _SPREAD) - len(chosen)))
    for at, classes in found.classes.items():
        if len(classes) <= _FEW_CLASSES or not _numbers(classes):
            _top_up(found, at, classes, PER_CLASS, chosen)
    allowed = max(2 * rows if most is None else most, len(chosen))
    for at, name in enumerate(found.table.columns):
        counted = counts(found, name)
        if len(counted) <= FEW:
            extra: set[int] = set(chosen)
            _top_up(found, at, set(counted), _PER_CATEGORY, extra, pool)
            if len(extra) <= allowed:
                chosen = extra
    if len(chosen) < rows:
        chosen |= set(spread([at for at in pool if at not in chosen], rows - len(chosen)))
    if len(chosen) < rows:
        rest = sorted(set(found.fields) - chosen)
        chosen |= set(spread(rest, rows - len(chosen)))
    return chosen


def spread(places: Sequence[int], number: int) -> list[int]:
    """Return some of the places, evenly: the first one is among them."""
    if number >= len(places):
        return list(places)
    return [places[step * len(places) // number] for step in range(max(0, number))]


def round_robin(found: dict[bytes, list[int]], most: int) -> set[int]:
    """Return of the rows by key the first of each key, then the second, and so on."""
    chosen: set[int] = set()
    depth = 0
    while len(chosen) < most:
        layer = [places[depth] for places in found.values() if len(places) > depth]
        if not layer:
            break
        chosen.update(spread(sorted(layer), most - len(chosen)))
        depth += 1
    return chosen


def _top_up(
    found: Survey,
    at: int,
    values: Collection[bytes],
    each: int,
    chosen: set[int],
    pool: Sequence[int] | None = None,
) -> None:
    """Add rows until every value of a column has the requested number, or all it has."""
    lacking = dict.fromkeys(values, each)
    for row in chosen:
        value = found.fields[row][at]
        if value in lacking:
            lacking[value] -= 1
    lacking = {value: number for value, number in lacking.items() if number > 0}
    if not lacking:
        return
    for row in (*(pool or ()), *found.fields):
        value = found.fields[row][at]
        if lacking.get(value, 0) > 0 and row not in chosen:
            chosen.add(row)
            lacking[value] -= 1


def _numbers(values: Collection[bytes]) -> bool:
    try:
        for value in values:
            float(value or b"0")
    except ValueError:
        return False
    return True
