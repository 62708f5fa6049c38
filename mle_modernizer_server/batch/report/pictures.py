"""The report's pictures as geometry: the flow between outcomes, the shares of the arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mle_modernizer_server.batch.report.tables import Table, interval
from mle_modernizer_server.batch.result import Result
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.statistics import State

WIDTH, HEIGHT = 440, 320
"""Of the flow: narrow, with labels over the bands, which can be read on a telephone, too."""
_BAR, _GAP, _SPACE = 14, 15, 6
_LEAST = 1.0
"""Pixels of the thinnest band."""
_LEFT, _RIGHT = 8, 432
"""Positions of 0 % and 100 % of a share."""
_ROW, _TEXT, _LINE = 40, 14, 26
"""Height of an arm; positions of its name and its line, from its top."""


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


class Share(Value):
    """An arm's share, as a dot on a line from the interval's lower end to its upper one."""

    label: str
    text_y: int
    line_y: int
    low: float
    share: float
    high: float


class Shares(Value):
    """A picture."""

    rows: tuple[Share, ...]
    left: int = _LEFT
    right: int = _RIGHT
    height: int


def shares(table: Table) -> Shares:
    """Return the picture of a table that has an arm, its notebooks and the good ones a row."""
    rows = []
    for number, (arm, count, good, *_) in enumerate(table.rows):
        if not isinstance(count, int) or not isinstance(good, int) or not count:
            continue
        low, high = interval(good, count)
        rows.append(
            Share(
                label=f"{arm}: {good} of {count} ({good / count:.1%})",
                text_y=number * _ROW + _TEXT,
                line_y=number * _ROW + _LINE,
                low=_place(low),
                share=_place(good / count),
                high=_place(high),
            )
        )
    return Shares(rows=tuple(rows), height=len(table.rows) * _ROW)


def _place(share: float) -> float:
    return round(_LEFT + share * (_RIGHT - _LEFT), 1)
