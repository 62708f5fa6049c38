"""Join wide tables that are printed in several blocks: the wrap depends on widths of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_GOES_ON = "\\"
"""The end of a block's header if another block follows."""


@dataclass(frozen=True)
class _Block:
    """A header and the lines below it: from `start` up to `end`."""

    start: int
    end: int

    @property
    def height(self) -> int:
        """Return the number of lines."""
        return self.end - self.start


def unwrapped(text: str) -> str:
    """Return a text whose wrapped tables have each row in one line.

    The lines of the other blocks are left empty, so that the lines after them keep their numbers.
    """
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not _goes_on(lines[at]):
            at += 1
            continue
        blocks, at = _blocks(lines, at)
        if len(blocks) > 1:
            _join(lines, blocks)
    return "\n".join(lines)


def _blocks(lines: Sequence[str], at: int) -> tuple[list[_Block], int]:
    """Return the blocks of a table that begins at a line, and the line after those examined; no
    blocks if they do not belong together, or the last is missing.
    """
    found: list[_Block] = []
    goes_on = True
    while goes_on:
        at = next((n for n in range(at, len(lines)) if lines[n].strip()), len(lines))
        if at == len(lines):
            return [], at
        block = _block(lines, at)
        goes_on = _goes_on(lines[at])
        if found and not goes_on:  # text printed after the table may follow at once
            block = _Block(at, min(at + found[0].height, block.end))
        if found and block.height != found[0].height:
            return [], at
        found.append(block)
        at = block.end
    return found, at


def _block(lines: Sequence[str], start: int) -> _Block:
    end = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
    return _Block(start, end)


def _goes_on(line: str) -> bool:
    return line.rstrip().endswith(f" {_GOES_ON}")


def _join(lines: list[str], blocks: Sequence[_Block]) -> None:
    """Put the columns of all blocks behind those of the first, without the index."""
    first = [lines[n].rstrip().removesuffix(_GOES_ON) for n in _numbers(blocks[0])]
    whole = list(first)
    for block in blocks[1:]:
        part = [lines[n].rstrip().removesuffix(_GOES_ON) for n in _numbers(block)]
        width = _index_width(first, part)
        for n, row in enumerate(part):
            whole[n] += f" {row[width:]}"
            lines[block.start + n] = ""
    for n, row in zip(_numbers(blocks[0]), whole, strict=True):
        lines[n] = row


def _numbers(block: _Block) -> range:
    return range(block.start, block.end)


def _index_width(first: Sequence[str], part: Sequence[str]) -> int:
    """Return the width in characters of the index at the left, which each block repeats."""
    header = min(len(one) - len(one.lstrip()) for one in (first[0], part[0]))
    shared = (_shared(one, other) for one, other in zip(first[1:], part[1:], strict=True))
    width = min([header, *shared])
    while width and any(_splits_word(row, width) for row in (*first, *part)):
        width -= 1
    return width


def _shared(one: str, other: str) -> int:
    """Return how many characters both have in common from the left."""
    pairs = zip(one, other, strict=False)
    unlike = (at for at, (left, right) in enumerate(pairs) if left != right)
    return next(unlike, min(len(one), len(other)))


def _splits_word(row: str, at: int) -> bool:
    return at < len(row) and not (row[at].isspace() or row[at - 1].isspace())
