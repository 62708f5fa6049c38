"""The notebook as a model gets to see it: as it was, what is otherwise by now, bounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook

_SAFE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]")
# How many characters of a cell are shown: the first number that fits the budget is taken.
_STEPS = (16_000, 8_000, 2_000, 600, 200, 120)
_STABLE_SHARE = 0.65
"""Of the budget, for the cells as they were at the beginning."""


@dataclass(frozen=True)
class NotebookView:
    """What of a notebook went into a prompt.

    Attributes:
        before: The cells as they were at the beginning of the session: the same text in prompt
            after prompt, so that a provider can take it from its cache.
        now: The cells that are otherwise by now, and those that matter most where `before` shows
            them in part only; empty where there are none.
        ids: Cell id by the name the prompt calls the cell.
        cut: Ids of cells that are not shown whole as they are now.
    """

    before: str
    now: str
    ids: Mapping[str, str]
    cut: frozenset[str]


def plain(text: str) -> str:
    """The text without terminal colours and other control characters."""
    text = _ANSI.sub("", text)
    return "".join(char for char in text if char in "\n\t" or ord(char) >= 32)


def shorten(text: str, limit: int) -> str:
    """Beginning and end of a text, with a mark for what is left out; at most about `limit` long."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 2 // 3], text[-(limit // 3) :]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters not shown …]\n{tail}"


def names(before: Notebook, now: Notebook) -> dict[str, str]:
    """A name for each cell by its id: the id itself unless a marker line could not hold it.

    A cell keeps its name while others are inserted and deleted.
    """
    ids = [cell.id for cell in before.cells]
    ids += [cell.id for cell in now.cells if cell.id not in set(ids)]
    if all(_SAFE_ID.match(cell_id) for cell_id in ids):
        return {cell_id: cell_id for cell_id in ids}
    return {cell_id: f"cell-{number}" for number, cell_id in enumerate(ids, start=1)}


def view_notebook(
    before: Notebook,
    now: Notebook,
    *,
    shown: range,
    focus: frozenset[str],
    mark: str,
    redact: Callable[[str], str],
    budget: int,
) -> NotebookView:
    """Render the cells of a notebook so that they fit a budget.

    Args:
        before: The notebook as the session began with it.
        now: The notebook that ran.
        shown: Positions of the cells of `now` to show.
        focus: Ids of the cells that matter most (they failed, or took the time).
        mark: What tells our cell headers from text that looks like one.
        redact: Takes secrets out, before anything is cut.
        budget: Characters.
    """
    by_id = names(before, now)
    current = {now.cells[position].id: now.cells[position] for position in shown}
    last = max((at for at, cell in enumerate(before.cells) if cell.id in current), default=-1)
    known = list(before.cells[: last + 1])
    stable, cut = _fitted(
        [_Shown(cell, "", redact(cell.source)) for cell in known],
        by_id,
        mark,
        int(budget * _STABLE_SHARE),
        focus,
    )
    originals = {cell.id: cell for cell in known}
    fresh: list[_Shown] = []
    place = "at the start"
    for cell in (now.cells[position] for position in shown):
        original = originals.get(cell.id)
        if original is None:
            fresh.append(_Shown(cell, f"new, {place}", redact(cell.source)))
        elif original.source != cell.source:
            fresh.append(_Shown(cell, "changed", redact(cell.source)))
        elif cell.id in focus and cell.id in cut:
            fresh.append(_Shown(cell, "once more, longer", redact(cell.source)))
        place = f"after {by_id[cell.id]}"
    changing, still_cut = _fitted(fresh, by_id, mark, budget - len(stable), focus)
    gone = [by_id[cell.id] for cell in known if cell.id not in {one.id for one in now.cells}]
    if gone:
        changing += f"Deleted since: {', '.join(gone)}\n"
    seen_again = {one.cell.id for one in fresh}
    whole = (set(originals) - cut - seen_again) | (seen_again - still_cut)
    return NotebookView(
        before=stable,
        now=changing,
        ids={by_id[cell.id]: cell.id for cell in now.cells},
        cut=frozenset(cell.id for cell in now.cells if cell.id not in whole),
    )


@dataclass(frozen=True)
class _Shown:
    """A cell to render: what is said of it, and its source without secrets."""

    cell: Cell
    remark: str
    source: str

    def block(self, name: str, limit: int, mark: str) -> str:
        kind = "" if self.cell.type is CellType.CODE else self.cell.type.value
        said = ", ".join(part for part in (kind, self.remark, mark) if part)
        return f"=== CELL {name} ({said}) ===\n{shorten(self.source, limit)}\n"


def _fitted(
    cells: list[_Shown], names_: Mapping[str, str], mark: str, budget: int, focus: frozenset[str]
) -> tuple[str, set[str]]:
    """The cells' text and the ids of those that it does not hold whole."""
    blocks: list[str] = []
    cut: set[str] = set()
    for limit in _STEPS:
        blocks = [one.block(names_[one.cell.id], limit, mark) for one in cells]
        cut = {one.cell.id for one in cells if len(one.source) > limit}
        if sum(map(len, blocks)) + len(blocks) <= budget:
            return "\n".join(blocks), cut
    kept, dropped = _window([one.cell for one in cells], blocks, focus, budget)
    return "\n".join(kept), cut | dropped


def _window(
    cells: list[Cell], blocks: list[str], focus: frozenset[str], budget: int
) -> tuple[list[str], set[str]]:
    """The cells nearest to the ones that matter, and the ids of those left out."""
    centres = [at for at, cell in enumerate(cells) if cell.id in focus] or [0]
    nearest = sorted(
        range(len(cells)), key=lambda at: (min(abs(at - centre) for centre in centres[:8]), at)
    )
    kept: set[int] = set()
    for at in nearest:
        budget -= len(blocks[at]) + 1
        if budget < 0 and kept:
            break
        kept.add(at)
    window: list[str] = []
    for at, block in enumerate(blocks):
        if at in kept:
            window.append(block)
        elif not window or not window[-1].startswith("[cells"):
            window.append("[cells left out here: the notebook is too long to show]")
    return window, {cells[at].id for at in range(len(cells)) if at not in kept}
