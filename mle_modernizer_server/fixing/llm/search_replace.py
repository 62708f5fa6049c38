"""Apply search/replace blocks to one cell: every block must match in exactly one place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mle_modernizer_server.fixing.llm.reply import UnusableReply


def apply_blocks(source: str, blocks: Sequence[tuple[str, str]], name: str) -> str:
    """Return the source with all blocks applied, each against the source as it was.

    Whole lines are looked for first (spaces at their ends do not count), then a piece of a line.

    Args:
        source: The cell as it is.
        blocks: (search, replace) texts.
        name: The cell's name in the prompt, for messages.

    Raises:
        UnusableReply: A block matches nowhere or in several places, or two blocks overlap.
    """
    spans = []
    for search, replace in blocks:
        if "\r\n" in source:
            search, replace = (text.replace("\n", "\r\n") for text in (search, replace))
        if not search.strip():
            raise UnusableReply(
                f"A search text for cell {name} is empty. Quote the lines to replace; to add a "
                "line, quote the one before and repeat it."
            )
        start, end = _find(source, search, name)
        if (
            not replace
            and source[end : end + 1] == "\n"
            and source[start - 1 : start] in ("", "\n")
        ):
            end += 1  # whole lines go with their line end
        spans.append((start, end, replace))
    spans.sort()
    for (_, end, _), (start, _, _) in pairwise(spans):
        if start < end:
            raise UnusableReply(f"Two blocks for cell {name} overlap. Put them into one.")
    for start, end, replace in reversed(spans):
        source = source[:start] + replace + source[end:]
    return source


def _find(source: str, search: str, name: str) -> tuple[int, int]:
    found = _line_spans(source, search)
    if not found:
        found = _pieces(source, search)
    if len(found) == 1:
        return found[0]
    quoted = search.strip().splitlines()[0][:80]
    if not found:
        raise UnusableReply(
            f"The search text that begins with {quoted!r} is not in cell {name}. Copy the lines "
            "exactly as the cell has them."
        )
    raise UnusableReply(
        f"The search text that begins with {quoted!r} is in cell {name} {len(found)} times. "
        "Quote more lines around it, so that it fits one place only."
    )


def _line_spans(source: str, search: str) -> list[tuple[int, int]]:
    """Return the character spans of the lines of `search` in the source, without line ends."""
    lines = source.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    wanted = [line.rstrip() for line in search.split("\n")]
    have = [line.rstrip() for line in lines]
    return [
        (starts[at], starts[at + len(wanted) - 1] + len(lines[at + len(wanted) - 1]))
        for at in range(len(lines) - len(wanted) + 1)
        if have[at] == wanted[0] and have[at : at + len(wanted)] == wanted
    ]


def _pieces(source: str, search: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = source.find(search)
    while at >= 0 and len(found) < 100:
        found.append((at, at + len(search)))
        at = source.find(search, at + 1)
    return found
