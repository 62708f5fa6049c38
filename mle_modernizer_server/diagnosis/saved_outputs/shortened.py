"""Long tables that are printed in part: with how many rows depends on the version of pandas.

It printed 30 rows from the top and 30 from the bottom until 0.25, and 5 of each since
(`display.min_rows`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_GAP = re.compile(r"\s*(?:\S{1,100}\s+)?\.{2,3}(?:\s+\.{2,3})*\s*")
"""The line that replaces omitted rows."""
_FOOTER = re.compile(r"(?:Name: .{1,200}?, |Freq: \S{1,20}, )*(?P<length>Length: \d+, )?dtype: \S+")
_SIZE = re.compile(r"\[\d+ rows x \d+ columns\]")


@dataclass(frozen=True)
class _Block:
    """One table in the lines of a text: from `start` to `gap`, and from there to `end`."""

    start: int
    gap: int
    end: int


def rows_of_both(saved: str, fresh: str) -> tuple[str, str]:
    """Return two texts without the rows of shortened tables that only one of them shows.

    The lines of such rows are left empty, so that the others keep their numbers. Texts that do not
    hold equally many shortened tables are returned as they are.
    """
    then, now = saved.split("\n"), fresh.split("\n")
    before, after = _blocks(then), _blocks(now)
    if not before or len(before) != len(after):
        return saved, fresh
    for one, other in zip(before, after, strict=True):
        rows = _filled(then, one), _filled(now, other)
        head = min(len(above) for above, _ in rows)
        tail = min(len(below) for _, below in rows)
        for lines, block, (above, below) in zip((then, now), (one, other), rows, strict=True):
            for at in (*above[head:], block.gap, *below[: len(below) - tail]):
                lines[at] = ""
        _without_one_length(then, one.end, now, other.end)
    return "\n".join(then), "\n".join(now)


def _blocks(lines: list[str]) -> list[_Block]:
    """Return the shortened tables; none if the end of one is unclear."""
    gaps = [at for at in range(len(lines)) if _is_gap(lines, at)]
    found = []
    start = 0
    for gap, following in pairwise([*gaps, len(lines)]):
        end = next(_ends(lines, gap, following), None)
        if end is None:
            return []
        found.append(_Block(start, gap, end))
        start = end + 1
    return found


def _filled(lines: list[str], block: _Block) -> tuple[list[int], list[int]]:
    """Return the lines above and below a gap that are not empty, as those of joined blocks are."""
    above, below = range(block.start, block.gap), range(block.gap + 1, block.end + 1)
    return [at for at in above if lines[at].strip()], [at for at in below if lines[at].strip()]


def _is_gap(lines: list[str], at: int) -> bool:
    """Return whether a line replaces rows, and is not the index's name in a narrowed table."""
    below_header = at > 0 and " ... " in lines[at - 1] and lines[at].count("..") == 1
    return _GAP.fullmatch(lines[at]) is not None and not below_header


def _ends(lines: list[str], gap: int, following: int) -> Iterator[int]:
    """Yield the lines after a gap that may end a table: its footer, or else the last of all."""
    for at in range(gap + 1, following):
        if _FOOTER.fullmatch(lines[at].strip()) or _SIZE.fullmatch(lines[at].strip()):
            yield at
    if following == len(lines):
        yield following - 1


def _without_one_length(then: list[str], at: int, now: list[str], other: int) -> None:
    """Take the number of rows from both footers if only one has it (pandas 0.20)."""
    found = _FOOTER.fullmatch(then[at].strip()), _FOOTER.fullmatch(now[other].strip())
    one, two = (match["length"] if match else None for match in found)
    if found[0] and found[1] and (one is None) != (two is None):
        length = one or two or ""
        then[at], now[other] = then[at].replace(length, ""), now[other].replace(length, "")
