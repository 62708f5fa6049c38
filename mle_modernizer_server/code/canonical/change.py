"""The change of a cell, for those who compare both versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Cells = Sequence[tuple[str, str]]
"""Id and source of each code cell of a notebook, in order."""


@dataclass(frozen=True)
class Change:
    """The change of a code cell.

    Attributes:
        cell_id: Its id.
        old: Its source before; empty if it is new.
        new: Its source after; empty if it is removed.
    """

    cell_id: str
    old: str
    new: str
