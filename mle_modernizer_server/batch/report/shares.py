"""The shares of the arms side by side, with their intervals, as the geometry of a picture."""

from __future__ import annotations

from mle_modernizer_server.batch.report.tables import Table, interval
from mle_modernizer_server.domain.base import Value

_LEFT, _RIGHT = 8, 432
"""Where 0 % and 100 % are."""
_ROW, _TEXT, _LINE = 40, 14, 26
"""Height of an arm; where its name and its line are, from its top."""


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
