"""Render the current notebook for a model, bounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.cell_relevance import Relevance
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.fixing.llm.settings import LONGEST_CELL, LONGEST_TEXT

_SAFE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
# Limits in characters per cell: the first that fits the budget is used.
_STEPS = (LONGEST_CELL, 8_000, 2_000, 600, 200, 120)
_FRAME_LIMIT = 2_000
"""Least characters of imports and of cells that write the submission, while others have fewer."""
_MOST_NAMES = 12
_WHOLE_SHARE = 0.65
"""Of the budget, for all cells; the rest is for showing some of them once more, longer."""


@dataclass(frozen=True)
class NotebookView:
    """The part of a notebook in a prompt.

    Attributes:
        cells: The current cells.
        again: Those that matter most, with what they need, if `cells` has them in part only.
        ids: Cell id by the name the prompt calls the cell.
        cut: Ids of cells that are truncated, or included in an older state.
        left_out: Truncated and omitted cells, a sentence each.
    """

    cells: str
    again: str
    ids: Mapping[str, str]
    cut: frozenset[str]
    left_out: tuple[str, ...]


def shorten(text: str, limit: int) -> str:
    """Return beginning and end of a text, with a mark for the gap; at most about `limit` long."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 2 // 3], text[-(limit // 3) :]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters not shown …]\n{tail}"


def names(notebook: Notebook) -> dict[str, str]:
    """Return the names of cells by id: the id itself if a marker line can hold it."""
    ids = [cell.id for cell in notebook.cells]
    if all(_SAFE_ID.match(cell_id) for cell_id in ids):
        return {cell_id: cell_id for cell_id in ids}
    return {cell_id: f"cell-{number}" for number, cell_id in enumerate(ids, start=1)}


def view_notebook(
    notebook: Notebook,
    *,
    shown: range,
    focus: frozenset[str],
    mark: str,
    redact: Callable[[str], str],
    budget: int,
) -> NotebookView:
    """Render the current cells of a notebook so that they fit a budget.

    Args:
        notebook: The notebook that ran.
        shown: Positions of the cells to show.
        focus: Ids of the cells that matter most (they failed, or took the time).
        mark: Distinguishes our cell headers from text that looks like one.
        redact: Takes secrets out, before anything is cut.
        budget: Characters.
    """
    by_id = names(notebook)
    current = {notebook.cells[position].id: notebook.cells[position] for position in shown}
    relevance = _Lazily(notebook.cells)
    cells = [_Shown(cell, "", redact(cell.source)) for cell in current.values()]
    text = _fitted(cells, by_id, mark, int(budget * _WHOLE_SHARE), focus, relevance)
    longer = {
        cell_id: _Shown(current[cell_id], "once more, longer", redact(current[cell_id].source))
        for cell_id in current
        if cell_id in text.cut and current[cell_id].type is CellType.CODE
    }
    rest = budget - len(text.text)
    central = [longer[name] for name in longer if name in focus]
    again = _fitted(central, by_id, mark, rest, focus, relevance)
    needed = [
        longer[name]
        for name in (relevance.needed(focus) if longer else ())
        if name in longer and name not in focus
    ]
    more = _as_many(needed, by_id, mark, rest - len(again.text))
    seen_again = {one.cell.id for one in central}
    whole = (set(current) - text.cut - seen_again) | (seen_again - again.cut)
    whole |= {one.cell.id for one in needed} - more.cut
    unseen = (text.dropped - seen_again - ({one.cell.id for one in needed} - more.dropped)) | (
        again.dropped
    )
    in_part = [
        cell_id
        for cell_id, cell in current.items()
        if cell_id not in whole | unseen and cell.type is CellType.CODE
    ]
    return NotebookView(
        cells=text.text,
        again=again.text + ("\n" if again.text and more.text else "") + more.text,
        ids={by_id[cell.id]: cell.id for cell in notebook.cells},
        cut=frozenset(cell.id for cell in notebook.cells if cell.id not in whole),
        left_out=tuple(
            said
            for said in (
                _listed([by_id[one] for one in current if one in unseen], "not shown"),
                _listed([by_id[one] for one in in_part], "shown in part"),
            )
            if said
        ),
    )


def _listed(found: list[str], what: str) -> str:
    """Return a sentence about some cells; empty if there are none."""
    if not found:
        return ""
    if len(found) == 1:
        return f"Cell {found[0]} is {what}."
    more = f" and {len(found) - _MOST_NAMES} others" if len(found) > _MOST_NAMES else ""
    return f"{len(found)} cells are {what}: {', '.join(found[:_MOST_NAMES])}{more}."


class _Lazily:
    """Relations between cells, computed only if not all of them fit."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = cells
        self._known: Relevance | None = None

    @property
    def _relevance(self) -> Relevance:
        if self._known is None:
            self._known = Relevance(self._cells)
        return self._known

    @property
    def frame(self) -> tuple[str, ...]:
        return self._relevance.frame

    def needed(self, focus: frozenset[str]) -> tuple[str, ...]:
        """Return the cells that a fix requires, the most important first."""
        return tuple(dict.fromkeys((*self._relevance.needed(focus), *self.frame)))


@dataclass(frozen=True)
class _Text:
    """Rendered cells; `cut`: ids of those it does not hold whole, `dropped`: not at all."""

    text: str
    cut: set[str]
    dropped: set[str]


@dataclass(frozen=True)
class _Shown:
    """A cell to render: its heading, and its source without secrets."""

    cell: Cell
    remark: str
    source: str

    def block(self, name: str, limit: int, mark: str) -> str:
        if self.cell.type is CellType.CODE:
            said = ", ".join(part for part in (self.remark, mark) if part)
            return f"=== CELL {name} ({said}) ===\n{shorten(self.source, limit)}\n"
        text = self.source.strip()
        if len(text) > LONGEST_TEXT:
            text = f"{text[:LONGEST_TEXT].rstrip()} […]"
        return f"=== CELL {name} ({self.cell.type.value}, {mark}) ===\n{text}\n"

    def is_cut(self, limit: int) -> bool:
        """Return whether a block of this limit does not fit the whole cell."""
        of_code = self.cell.type is CellType.CODE
        return len(self.source if of_code else self.source.strip()) > (
            limit if of_code else LONGEST_TEXT
        )


def _fitted(
    cells: list[_Shown],
    names_: Mapping[str, str],
    mark: str,
    budget: int,
    focus: frozenset[str],
    relevance: _Lazily,
) -> _Text:
    """Return the cells' text, all of them shortened until they fit; if that is too short, some of
    them.

    Imports and cells that write the submission stay longer than the others.
    """
    blocks: list[str] = []
    cut: set[str] = set()
    for limit in _STEPS:
        longer = frozenset(relevance.frame) if limit < _FRAME_LIMIT else frozenset()
        limits = [_FRAME_LIMIT if one.cell.id in longer else limit for one in cells]
        blocks = [
            one.block(names_[one.cell.id], most, mark)
            for one, most in zip(cells, limits, strict=True)
        ]
        cut = {one.cell.id for one, most in zip(cells, limits, strict=True) if one.is_cut(most)}
        if sum(map(len, blocks)) + len(blocks) <= budget:
            return _Text("\n".join(blocks), cut, set())
    kept, dropped = _window([one.cell for one in cells], blocks, focus, relevance, budget)
    return _Text("\n".join(kept), cut | dropped, dropped)


def _as_many(cells: list[_Shown], names_: Mapping[str, str], mark: str, budget: int) -> _Text:
    """Return the first cells as long as they may be, one after the other while there is room."""
    kept: list[str] = []
    cut: set[str] = set()
    dropped: set[str] = set()
    for one in cells:
        room = next(
            (
                (block, limit)
                for limit in _STEPS[:-2]
                if len(block := one.block(names_[one.cell.id], limit, mark)) < budget
            ),
            None,
        )
        if room is None:
            cut.add(one.cell.id)
            dropped.add(one.cell.id)
            continue
        block, limit = room
        budget -= len(block) + 1
        kept.append(block)
        if one.is_cut(limit):
            cut.add(one.cell.id)
    return _Text("\n".join(kept), cut, dropped)


def _window(
    cells: list[Cell],
    blocks: list[str],
    focus: frozenset[str],
    relevance: _Lazily,
    budget: int,
) -> tuple[list[str], set[str]]:
    """Return the cells that fit: those that matter, those they need, then the nearest to them."""
    centres = [at for at, cell in enumerate(cells) if cell.id in focus] or [0]
    rank = {cell_id: at for at, cell_id in enumerate((*focus, *relevance.needed(focus)))}
    order = sorted(
        range(len(cells)),
        key=lambda at: (
            rank.get(cells[at].id, len(rank)),
            min(abs(at - centre) for centre in centres[:8]),
            at,
        ),
    )
    kept: set[int] = set()
    for at in order:
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
