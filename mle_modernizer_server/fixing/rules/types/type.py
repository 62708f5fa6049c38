"""What an expression is, as far as the rules need to know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """What an expression is: the address of its class, and of its items where they are known."""

    name: str
    items: tuple[Kind | None, ...] = ()

    @property
    def each(self) -> Kind | None:
        """Kind of all items if they are of one kind."""
        return self.items[0] if self.items and len(set(self.items)) == 1 else None


FRAME = Kind("pandas.DataFrame")
SERIES = Kind("pandas.Series")
INDEX = Kind("pandas.Index")
ARRAY = Kind("numpy.ndarray")
SCALAR = Kind("builtins.scalar")
NONE = Kind("builtins.None")
TEXT = Kind("builtins.str")
LABEL = Kind("pandas.label")
"""Of a row or column: text mostly, but it may be a number, a date or a tuple as well."""
FRAME_GROUPS = Kind("pandas.DataFrameGroupBy")
SERIES_GROUPS = Kind("pandas.SeriesGroupBy")
