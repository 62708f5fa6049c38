"""Select the cells of a notebook that a fix requires, if not all of them fit."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mle_modernizer_server.code.calls import CSV_WRITERS
from mle_modernizer_server.code.cell_syntax import parse_what_can_be_read
from mle_modernizer_server.code.names import names
from mle_modernizer_server.code.statements import Statement, statements
from mle_modernizer_server.domain.notebook import Cell, CellType

_SUBMISSION = re.compile(
    rf"\.(?:{'|'.join(sorted(CSV_WRITERS))})\s*\(|submission|csv\.writer", re.IGNORECASE
)
_DEEPEST = 4
"""Most steps from a cell to the definitions of its names, and of their names."""


@dataclass(frozen=True)
class _Names:
    """Effects of a cell on the names of the notebook.

    Attributes:
        bound: Names it binds.
        changed: Names whose objects it changes.
        used: Names it reads, also within its functions.
        imports: It imports something.
        submission: It writes a CSV or mentions the submission.
    """

    bound: frozenset[str]
    changed: frozenset[str]
    used: frozenset[str]
    imports: bool
    submission: bool


class Relevance:
    """Relations between the cells of a notebook."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = cells
        trees = [
            parse_what_can_be_read(cell.source if cell.type is CellType.CODE else "")
            for cell in cells
        ]
        self._names = [
            _names(cell, tree, parts)
            for cell, tree, parts in zip(cells, trees, statements(trees), strict=True)
        ]

    @property
    def frame(self) -> tuple[str, ...]:
        """Return ids of the cells that every fix needs: imports, and writers of the submission."""
        return tuple(
            cell.id
            for cell, own in zip(self._cells, self._names, strict=True)
            if own.imports or own.submission
        )

    def needed(self, focus: Iterable[str]) -> tuple[str, ...]:
        """Return ids of the cells that define names used by others, the most direct and nearest
        first.

        Args:
            focus: Ids of those others; if empty, those that write the submission.
        """
        wanted = set(focus)
        level = [at for at, cell in enumerate(self._cells) if cell.id in wanted]
        level = level or [at for at, own in enumerate(self._names) if own.submission]
        seen = dict.fromkeys(level)
        found: dict[int, None] = {}
        for _ in range(_DEEPEST):
            following = {at: None for user in level for at in self._definers(user)}
            level = sorted((at for at in following if at not in seen), reverse=True)
            seen.update(dict.fromkeys(level))
            found.update(dict.fromkeys(level))
        return tuple(self._cells[at].id for at in found)

    def _definers(self, user: int) -> Iterator[int]:
        """Yield for each name a cell uses the last cells before it that bind and that change it."""
        missing = set(self._names[user].used)
        unchanged = set(missing)
        for at in range(user - 1, -1, -1):
            bound, changed = missing & self._names[at].bound, unchanged & self._names[at].changed
            if bound or changed:
                missing -= bound
                unchanged -= bound | changed
                yield at


def _names(cell: Cell, tree: ast.Module, parts: Iterable[Statement]) -> _Names:
    own = names(tree)
    return _Names(
        bound=frozenset(own.bound),
        changed=frozenset(name for one in parts for name in one.effects.names),
        used=frozenset(own.read) | frozenset(own.deleted),
        imports=any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body),
        submission=cell.type is CellType.CODE and bool(_SUBMISSION.search(cell.source)),
    )
