"""Type of an expression, as far as the rules need it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """Type of an expression: the address of its class, and of its items if known."""

    name: str
    items: tuple[Type | None, ...] = ()

    @property
    def each(self) -> Type | None:
        """Return the type of all items if they are of one type."""
        return self.items[0] if self.items and len(set(self.items)) == 1 else None


FRAME = Type("pandas.DataFrame")
SERIES = Type("pandas.Series")
INDEX = Type("pandas.Index")
ARRAY = Type("numpy.ndarray")
SCALAR = Type("builtins.scalar")
NONE = Type("builtins.None")
TEXT = Type("builtins.str")
LABEL = Type("pandas.label")
"""Of a row or column: text mostly, but it may be a number, a date or a tuple as well."""
FRAME_GROUPS = Type("pandas.DataFrameGroupBy")
SERIES_GROUPS = Type("pandas.SeriesGroupBy")
