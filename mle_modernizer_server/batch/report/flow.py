"""The flow of notebooks from their first outcome to their last, as the geometry of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mle_modernizer_server.batch.result import Result
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.statistics import State

WIDTH, HEIGHT = 440, 320
"""Narrow, and with labels over the bands, so that these can be read on a telephone, too."""
_BAR, _GAP, _SPACE = 14, 15, 6
_LEAST = 1.0
"""Pixels of the thinnest band."""


class Band(Value):
    """Notebooks that went from one outcome to another."""

    first: State
    last: State
    notebooks: int
    path: str
    """Of an SVG."""


class Bar(Value):
    """An outcome at one side."""

    state: State
    notebooks: int
    x: float
    y: float
    height: float
    label_x: float
    anchor: str


class Flow(Value):
    """A picture."""

    arm: str
    bands: tuple[Band, ...]
    bars: tuple[Bar, ...]


def flow(arm: str, results: Iterable[Result]) -> Flow:
    """Return the flow of an arm's notebooks, over all their fixes."""
    found = Counter((result.first_state, result.last_state) for result in results)
    total = sum(found.values())
    states = list(State)
    most = max(len({pair[side] for pair in found}) for side in (0, 1))
    scale = (HEIGHT - _GAP * most) / max(total, 1)
    left: dict[State, float] = {}
    right: dict[State, float] = {}
    bars: list[Bar] = []
    for side, tops in ((0, left), (1, right)):
        y = 0.0
        for state in states:
            count = sum(number for pair, number in found.items() if pair[side] is state)
            if not count:
                continue
            x = 0 if side == 0 else WIDTH - _BAR
            tops[state] = y
            bars.append(
                Bar(
                    state=state,
                    notebooks=count,
                    x=x,
                    y=round(y, 2),
                    height=round(max(count * scale, _LEAST), 2),
                    label_x=x + _BAR + _SPACE if side == 0 else x - _SPACE,
                    anchor="start" if side == 0 else "end",
                )
            )
            y += max(count * scale, _LEAST) + _GAP
    bands = []
    for first in states:
        for last in states:
            count = found[first, last]
            if count:
                high = max(count * scale, _LEAST)
                bands.append(
                    Band(
                        first=first,
                        last=last,
                        notebooks=count,
                        path=_path(left[first], right[last], high),
                    )
                )
                left[first] += high
                right[last] += high
    return Flow(arm=arm, bands=tuple(bands), bars=tuple(bars))


def _path(start: float, end: float, high: float) -> str:
    x0, x1 = _BAR, WIDTH - _BAR
    middle = (x0 + x1) / 2
    return (
        f"M{x0} {start:.2f}C{middle} {start:.2f} {middle} {end:.2f} {x1} {end:.2f}"
        f"V{end + high:.2f}C{middle} {end + high:.2f} {middle} {start + high:.2f} "
        f"{x0} {start + high:.2f}Z"
    )
