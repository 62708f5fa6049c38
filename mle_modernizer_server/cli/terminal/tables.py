"""Tables on the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rich.table import Table


def new_table(
    title: str, columns: Iterable[str], right: Collection[str] = (), caption: str = ""
) -> Table:
    """Return an empty table.

    Args:
        title: Its title, on the left.
        columns: Names of its columns.
        right: Names of those with numbers, which are aligned on the right.
        caption: Text below it.
    """
    table = Table(
        title=title, title_justify="left", caption=caption or None, caption_justify="left"
    )
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left")
    return table
