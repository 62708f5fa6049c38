"""The notebook as a model gets to see it: cell by cell, tracebacks under their cells, bounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook

_SAFE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]")
# How many characters of a cell are shown, for the cells that matter and for the others: the first
# pair that fits the budget is taken.
_STEPS = ((16_000, 8_000), (16_000, 2_000), (8_000, 600), (3_000, 200), (800, 120))


@dataclass(frozen=True)
class NotebookView:
    """What of a notebook went into a prompt.

    Attributes:
        text: The rendered cells.
        ids: Cell id by the name the prompt calls the cell.
        cut: Ids of cells that are shown in part or not at all.
    """

    text: str
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


def names(notebook: Notebook) -> dict[str, str]:
    """A name for each cell by its id: the id itself unless a marker line could not hold it."""
    ids = [cell.id for cell in notebook.cells]
    if all(_SAFE_ID.match(cell_id) for cell_id in ids):
        return {cell_id: cell_id for cell_id in ids}
    return {cell_id: f"cell-{number}" for number, cell_id in enumerate(ids, start=1)}


def view_notebook(
    notebook: Notebook,
    *,
    shown: range,
    focus: frozenset[str],
    notes: Mapping[str, str],
    mark: str,
    redact: Callable[[str], str],
    budget: int,
) -> NotebookView:
    """Render the cells of a notebook so that they fit a budget.

    Args:
        notebook: The notebook that ran.
        shown: Positions of the cells to show.
        focus: Ids of the cells that matter most (they failed, or took the time).
        notes: What to put under a cell, by cell id (already quoted).
        mark: What tells our cell headers from text that looks like one.
        redact: Takes secrets out, before anything is cut.
        budget: Characters.
    """
    by_id = names(notebook)
    cells = [notebook.cells[position] for position in shown]
    sources = {cell.id: redact(cell.source) for cell in cells}
    blocks: list[str] = []
    cut: set[str] = set()
    for focus_limit, limit in _STEPS:
        cut = set()
        blocks = []
        for cell in cells:
            allowed = focus_limit if cell.id in focus else limit
            source = sources[cell.id]
            if len(source) > allowed:
                cut.add(cell.id)
                source = shorten(source, allowed)
            blocks.append(_block(cell, by_id[cell.id], source, notes.get(cell.id, ""), mark))
        if sum(map(len, blocks)) + len(blocks) <= budget:
            break
    else:
        blocks, dropped = _window(cells, blocks, focus, budget)
        cut |= dropped
    cut |= {cell.id for cell in notebook.cells} - {cell.id for cell in cells}
    return NotebookView(
        text="\n".join(blocks),
        ids={name: cell_id for cell_id, name in by_id.items()},
        cut=frozenset(cut),
    )


def _block(cell: Cell, name: str, source: str, note: str, mark: str) -> str:
    kind = "" if cell.type is CellType.CODE else f"{cell.type.value}, "
    return f"=== CELL {name} ({kind}{mark}) ===\n{source}\n" + (f"{note}\n" if note else "")


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
